import CPostgreSQL
import System

/// The functions of libpq, the client library of PostgreSQL, as its chapter in PostgreSQL's documentation names them.
///
/// It is loaded when a ledger on a server is first opened: it brings some twenty other libraries with it, and together
/// they were most of the time that the program needs to start.
struct PostgreSQLLibrary: Sendable {
  typealias Connection = OpaquePointer
  typealias Answer = OpaquePointer
  typealias Texts = UnsafePointer<UnsafePointer<CChar>?>
  typealias Message = UnsafeMutablePointer<CChar>

  let connectdbParams: @convention(c) (Texts?, Texts?, CInt) -> Connection?
  let status: @convention(c) (Connection?) -> ConnStatusType
  let finish: @convention(c) (Connection?) -> Void
  let reset: @convention(c) (Connection?) -> Void
  let errorMessage: @convention(c) (Connection?) -> Message?
  let setNoticeProcessor:
    @convention(c) (Connection?, PQnoticeProcessor?, UnsafeMutableRawPointer?) -> PQnoticeProcessor?
  let transactionStatus: @convention(c) (Connection?) -> PGTransactionStatusType
  let execParams:
    @convention(c) (
      Connection?, UnsafePointer<CChar>?, CInt, UnsafePointer<Oid>?, Texts?, UnsafePointer<CInt>?,
      UnsafePointer<CInt>?, CInt
    ) -> Answer?
  let clear: @convention(c) (Answer?) -> Void
  let resultStatus: @convention(c) (Answer?) -> ExecStatusType
  let resultErrorField: @convention(c) (Answer?, CInt) -> Message?
  let nfields: @convention(c) (Answer?) -> CInt
  let ntuples: @convention(c) (Answer?) -> CInt
  let getisnull: @convention(c) (Answer?, CInt, CInt) -> CInt
  let getvalue: @convention(c) (Answer?, CInt, CInt) -> Message?

  /// Loads the library.
  ///
  /// - Throws: the loader's reason.
  init() throws(SharedLibrary.Failure) {
    let library = try SharedLibrary("libpq.so.5")
    func function<Function>(_ name: String) throws(SharedLibrary.Failure) -> Function {
      try library.function("PQ" + name, as: Function.self)
    }
    connectdbParams = try function("connectdbParams")
    status = try function("status")
    finish = try function("finish")
    reset = try function("reset")
    errorMessage = try function("errorMessage")
    setNoticeProcessor = try function("setNoticeProcessor")
    transactionStatus = try function("transactionStatus")
    execParams = try function("execParams")
    clear = try function("clear")
    resultStatus = try function("resultStatus")
    resultErrorField = try function("resultErrorField")
    nfields = try function("nfields")
    ntuples = try function("ntuples")
    getisnull = try function("getisnull")
    getvalue = try function("getvalue")
  }
}
