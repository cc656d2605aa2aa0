import Foundation
import Testing

@testable import Ledger

/// The databases with which the tests of the ledger are performed: a file always, and the server that
/// `DICTOBENCH_TEST_POSTGRESQL` names, where `ci/ledger` started one.
enum Database: String, CaseIterable, Sendable {
  case file
  case server

  static let serverURL = ProcessInfo.processInfo.environment["DICTOBENCH_TEST_POSTGRESQL"]
  static var available: [Database] { serverURL == nil ? [.file] : [.file, .server] }
}

/// A ledger of its own for one test, which removes it at its end.
final class Place {
  let url: LedgerURL
  private let folder: URL
  private let schema: String

  init(_ database: Database) throws {
    let pattern = FileManager.default.temporaryDirectory.path + "/ledger-" + String(repeating: "X", count: 6)
    var template = Array(pattern.utf8CString)
    folder = URL(filePath: try #require(mkdtemp(&template).map { String(cString: $0) }))
    schema = "test_" + folder.lastPathComponent.dropFirst("ledger-".count).lowercased() + "_\(getpid())"
    switch database {
    case .file: url = .file(folder.appending(path: "l.sqlite").path)
    case .server:
      let server = try #require(Database.serverURL)
      let store = try PostgreSQLStore(server, called: "server")
      try store.run("CREATE SCHEMA \(schema)")
      url = .server("\(server)\(server.contains("?") ? "&" : "?")options=-csearch_path%3D\(schema)")
    }
  }

  /// Removes everything.
  func remove() {
    try? FileManager.default.removeItem(at: folder)
    guard case .server = url, let server = Database.serverURL else { return }
    try? PostgreSQLStore(server, called: "server").run("DROP SCHEMA \(schema) CASCADE")
  }

  /// Opens it, with a clock that stands still.
  func open(_ purpose: RunLedger.Purpose = .writing, startingAt start: Int64 = 1_000_000) throws -> RunLedger {
    try RunLedger(url, for: purpose, program: "dictobench test") { start }
  }

  /// A connection without the ledger around it.
  func connect() throws -> any LedgerStore {
    switch url {
    case .file(let path): try SQLiteStore(path, makes: true)
    case .server(let address): try PostgreSQLStore(address, called: "server")
    }
  }
}
