import Foundation

/// The files that come with the program: scenarios with their sounds and requirements, firmware releases, benches.
///
/// They lie in `../share/dictobench` beside an installed program. A program that was built in a checkout finds them at
/// the checkout's top.
enum ProgramData {
  /// What every folder with the program's data holds.
  private static let mark = "scenarios/requirements.yaml"
  /// Where a package keeps them, seen from the folder of the program.
  private static let packaged = "../share/dictobench"

  /// The folder with the program's data; `nil` where it is missing.
  static let folder: String? = find(from: program)

  /// The folder of a package; `nil` for a program that was not installed from one.
  static var packageFolder: String? { folder.flatMap { $0 == shared(program) ? $0 : nil } }

  /// Where a file is read: at its path, as everything that a user names. A relative path that leads nowhere from the
  /// working directory is looked up in the program's data.
  static func place(_ path: String) -> String {
    guard !path.isEmpty, !path.hasPrefix("/"), !FileManager.default.fileExists(atPath: path), let folder
    else { return path }
    let place = folder + "/" + path
    return FileManager.default.fileExists(atPath: place) ? place : path
  }

  /// Why a file that belongs to the program cannot be read.
  static func missing(_ path: String) -> UsageFailure {
    UsageFailure(
      folder == nil
        ? "cannot find \(path): the program's data are neither in the working directory, nor in \(shared(program)), nor "
          + "in a checkout around \(program); install the package again, or start the program in a checkout"
        : "cannot find \(path), neither in the working directory nor in \(folder ?? ""); install the package again")
  }

  /// The folder with the data of the program at a path: the package's, else the nearest above the program.
  static func find(from program: String) -> String? {
    var place = URL(filePath: program).deletingLastPathComponent()
    var folders = [shared(program)]
    while place.path != "/" {
      folders.append(place.path)
      place = place.deletingLastPathComponent()
    }
    return folders.first { FileManager.default.fileExists(atPath: "\($0)/\(mark)") }
  }

  private static func shared(_ program: String) -> String {
    URL(filePath: program).deletingLastPathComponent().appending(path: packaged).standardizedFileURL.path
  }

  /// The program itself, without links that lead to it.
  private static var program: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments.first ?? "."
  }
}
