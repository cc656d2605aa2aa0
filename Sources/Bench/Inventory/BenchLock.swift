import Bytes
import DictofunProtocol
import System
import Text
import Timeline

/// The file that keeps two runs off one bench. While the process that holds it lives, the system keeps it locked
/// (`flock(2)`), so a process that was killed leaves nothing that has to be put right.
///
/// What it says is for people, and for the message to whoever comes second.
package final class BenchLock {
  /// Who holds a bench.
  package struct Owner: Hashable, Sendable {
    /// The user's name.
    package var user: String
    /// The number of the process on its machine.
    package var process: Int32
    /// The machine's name.
    package var host: String
    /// When the bench was taken: seconds since 1970-01-01 00:00:00 UTC.
    package var since: Int64

    package init(user: String, process: Int32, host: String, since: Int64) {
      self.user = user
      self.process = process
      self.host = host
      self.since = since
    }
  }

  /// Why a bench cannot be taken.
  package enum Failure: Error, Hashable, Sendable {
    /// Somebody has it: who, unless that cannot be read.
    case taken(path: String, by: Owner?)
    /// The file cannot be made or locked.
    case unusable(path: String, SystemCallFailure)
    /// There is such a file, and it says something else than who holds a bench.
    case foreign(path: String)
  }

  /// Who left the file behind without giving the bench back; `nil` for nobody.
  package let predecessor: Owner?
  private let path: String
  private let file: FileDescriptor

  /// Octets of the file; more are nobody's.
  private static let limit = 1_024
  /// How often a file is opened anew that was removed in between.
  private static let attempts = 16

  /// Takes a bench for its new owner. The file is made if it does not exist.
  package init(_ path: String, for owner: Owner) throws(Failure) {
    self.path = path
    let octets: [UInt8]
    do throws(SystemCallFailure) {
      file = try Self.locked(path)
      octets = try file.readAll(limit: Self.limit)
    } catch { throw Self.failure(error, at: path) }
    let left = Owner(octets)
    // What somebody else wrote is neither emptied nor, in the end, removed.
    guard left != nil || octets.isEmpty else { throw .foreign(path: path) }
    do throws(SystemCallFailure) {
      // Locks of one machine may not be seen on another that shares the folder.
      if let left, left.host != owner.host { throw SystemCallFailure("flock", .wouldBlock) }
      predecessor = left
      try file.empty()
      try FileDescriptor.open(path, .writing).writeAll(Array(owner.text.utf8))
    } catch { throw Self.failure(error, at: path) }
  }

  private static func failure(_ failure: SystemCallFailure, at path: String) -> Failure {
    guard failure.code == .wouldBlock else { return .unusable(path: path, failure) }
    let octets = try? FileDescriptor.open(path, .reading).readAll(limit: limit)
    return .taken(path: path, by: octets.flatMap { Owner($0) })
  }

  /// A locked file to which the path leads: who held it before may have removed it just now.
  private static func locked(_ path: String) throws(SystemCallFailure) -> FileDescriptor {
    for _ in 0..<attempts {
      let file = try FileDescriptor.open(path, .readingAndWriting, .create, mode: 0o644)
      try file.lock()
      if try file.isFile(at: path) { return file }
    }
    throw SystemCallFailure("flock", .wouldBlock)
  }

  deinit { release() }

  /// Gives the bench back and removes the file.
  package func release() {
    guard file.isOpen else { return }
    // Removed while it is still locked, so that nobody else's is.
    try? FileSystem.remove(path)
    file.close()
  }
}

extension BenchLock.Owner {
  /// What the file says.
  fileprivate var text: String {
    let date = CivilTime(secondsSince2000: since - CivilTime.secondsTo2000)
    return "user: \(user)\nprocess: \(process)\nhost: \(host)\nsince: \(since)\n# \(date) UTC, by dictobench\n"
  }

  /// Reads what a file says; `nil` for what no run wrote.
  fileprivate init?(_ octets: [UInt8]) {
    var values: [String: String] = [:]
    for line in String(decoding: octets, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map(\.trimmingBlanks)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    guard let user = values["user"], let host = values["host"], let process = values["process"].flatMap({ Int32($0) }),
      let since = values["since"].flatMap({ Int64($0) }), (0...Int64(UInt32.max)).contains(since)
    else { return nil }
    self.init(user: user, process: process, host: host, since: since)
  }

  /// Who it is, and for how long the bench was held by then: `anna (process 17 on lab1), for 3 min 05 s`. It may hold
  /// any text.
  package func words(at now: Int64) -> String {
    "\(user) (process \(process) on \(host)), for \(DurationText.text(.seconds(max(0, now - since))))"
  }
}

extension BenchLock.Failure {
  /// One sentence without its full stop, at an instant in seconds since 1970.
  package func sentence(at now: Int64) -> String {
    switch self {
    case .taken(let path, let owner):
      let who = owner.map { $0.words(at: now) } ?? "somebody whose name cannot be read"
      return "the bench is in use by \(who); wait for the end of that run, or remove \(path) if that machine is gone"
    case .unusable(let path, let failure): return "cannot lock the bench at \(path): \(failure.code)"
    case .foreign(let path):
      return "cannot lock the bench at \(path): the file exists and was not written by a run; "
        + "correct `lock` in the bench file, or remove that file"
    }
  }
}
