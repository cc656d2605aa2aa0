import Foundation
import Synchronization
import World

/// Where the sounds and packages are read that scenarios name.
struct NamedFiles: Sendable {
  /// The octets of a file by its path below a folder; `nil` where there is none. Throws for one that the system does not let
  /// read, with its reason, and for one outside of the folder.
  let octets: @Sendable (_ name: String, _ folder: String) throws(ControlFailure) -> [UInt8]?

  /// The files of the user, and those of the program's data.
  static let onDisk = NamedFiles { name, folder throws(ControlFailure) in
    let found = ProgramData.place("\(folder)/\(name)")
    // A link must not lead out of the folder either.
    let place = absolute(found)
    guard place.hasPrefix(absolute(String(found.dropLast(name.utf8.count + 1))) + "/") else {
      throw .impossible("\(folder)/\(name) leads out of \(folder)")
    }
    do throws(UsageFailure) { return try LimitedFile.octets(place, named: "\(folder)/\(name)") } catch {
      throw .impossible(error.message)
    }
  }

  /// The files on the disk, each of which is noted.
  static func noted(in ledger: ReadFiles) -> NamedFiles {
    NamedFiles { name, folder throws(ControlFailure) in
      guard let octets = try onDisk.octets(name, folder) else { return nil }
      ledger.note("\(folder)/\(name)", octets)
      return octets
    }
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }
}

/// The files that were read, each once.
final class ReadFiles: Sendable {
  private let files = Mutex<[String: [UInt8]]>([:])

  /// Notes a file that was read.
  func note(_ path: String, _ octets: [UInt8]) { files.withLock { $0[path] = octets } }

  /// Paths and octets, in the order of the paths.
  var all: [(path: String, octets: [UInt8])] {
    files.withLock { files in files.keys.sorted().map { ($0, files[$0] ?? []) } }
  }
}
