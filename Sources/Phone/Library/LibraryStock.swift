import Synchronization

/// Databases in memory whose libraries are gone, emptied for the next ones.
///
/// To open a database, read its tables' definitions and prepare its statements takes longer than all that a short scenario asks of
/// its library.
public final class LibraryStock: Sendable {
  /// A database that nobody else has.
  private struct Idle: @unchecked Sendable {
    let database: Database
  }

  /// Pages of a database that is kept; a larger one gives its memory back.
  private static let mostPages = 256

  private let idle = Mutex<[Idle]>([])

  /// A stock without any.
  public init() {}

  /// An empty database, as a new one would be.
  func lend() throws(LibraryFailure) -> Database {
    if let database = idle.withLock({ $0.popLast()?.database }) { return database }
    let database = try Database(.memory, gate: nil)
    try Schema.prepare(database, at: .memory)
    return database
  }

  /// Takes a database back whose library is gone; nobody may use it after that.
  func takeBack(_ database: Database) {
    // What cannot be emptied is not worth a word: it is closed, and the next library gets a new one.
    guard let pages = try? Schema.pages(of: database), pages <= Self.mostPages else { return }
    guard (try? Schema.empty(database)) != nil else { return }
    idle.withLock { $0.append(Idle(database: database)) }
  }
}
