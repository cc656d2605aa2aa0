import Bytes
import System

/// The reason why the phone's library failed.
public enum LibraryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// SQLite failed: the operation, the extended result code and SQLite's message.
  case database(operation: String, code: Int32, message: String)
  /// The file could not be created or made private: its path and the system's error number.
  case file(path: String, errorNumber: Int32)
  /// The file is a database of something else.
  case notALibrary
  /// The file was written by a later version of this program.
  case newerSchema(found: Int64, known: Int64)
  /// A stored value is not one that this program writes.
  case damaged(operation: String)
  /// A test ended the program before a statement.
  case interrupted
  /// Another recorder is paired; it must be unpaired first.
  case alreadyPaired(with: BluetoothAddress)
  /// No record has that number.
  case unknownRecord(RecordNumber)
  /// The content of a record does not have the announced size; both in octets.
  case wrongSize(announced: UInt32, arrived: Int)
  /// Something happened to a record that cannot happen to it as it is.
  case impossible(String)

  public var description: String {
    switch self {
    case .database(let operation, let code, let message): "\(operation): \(message) (SQLite \(code))"
    case .file(let path, let errorNumber):
      "cannot make the library \(path) private: \(Errno(rawValue: errorNumber))"
    case .notALibrary: "the file is a database, but not a phone's library"
    case .newerSchema(let found, let known): "the library has version \(found); this program supports up to \(known)"
    case .damaged(let operation): "\(operation): the library is damaged"
    case .interrupted: "the program was interrupted"
    case .alreadyPaired(let recorder): "recorder \(recorder) is already paired; unpair it first"
    case .unknownRecord(let number): "record \(number.rawValue) not found"
    case .impossible(let text): "impossible: \(text)"
    case .wrongSize(let announced, let arrived): "expected a record of \(announced) octets, got \(arrived)"
    }
  }
}
