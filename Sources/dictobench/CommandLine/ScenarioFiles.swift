import Foundation
import ScenarioLanguage
import System
import Text
import Verdicts
import YAML

/// Finds and reads scenario files.
enum ScenarioFiles {
  /// Files beside the scenarios that are not scenarios.
  private static let others = ["requirements.yaml", "faults.yaml"]

  /// The files that operands name: files themselves, folders with everything in them, `scenarios/` without operands.
  /// Fragments are always included, so that a single file can use them: those of the nearest folder `fragments` beside or
  /// above each operand, else of `scenarios/fragments`. A relative path is looked up in the program's data too.
  static func read(_ operands: [String]) throws(UsageFailure) -> [SourceFile] {
    let (named, lent) = try readApart(operands)
    return named + lent
  }

  /// The files that operands name, and the fragments that are included although no operand names them. A file that was
  /// named twice is read once, under its first name.
  static func readApart(_ operands: [String]) throws(UsageFailure) -> (named: [SourceFile], lent: [SourceFile]) {
    let roots = operands.isEmpty ? ["scenarios"] : operands
    if operands.isEmpty, !FileManager.default.fileExists(atPath: ProgramData.place(roots[0])) {
      throw ProgramData.missing("\(roots[0])/")
    }
    // The same file may be named by several paths.
    var known: Set<String> = []
    var named: [String] = []
    for root in roots { named += try expand(root).filter { known.insert(absolute($0)).inserted } }
    let folders = roots.compactMap { fragments(near: $0) }
    var lent: [String] = []
    for folder in folders.isEmpty ? ["scenarios/fragments"] : folders {
      lent += ((try? expand(folder)) ?? []).filter { known.insert(absolute($0)).inserted }
    }
    return (try named.map(readFile), try lent.map(readFile))
  }

  private static func readFile(_ path: String) throws(UsageFailure) -> SourceFile {
    do { return try SourceFile.read(at: path) } catch { throw UsageFailure("\(error)") }
  }

  /// Says that there is no scenario where operands told to look.
  static func nothing(in operands: [String]) -> String {
    "there is no scenario in \(PlainText.escaped(Wording.list(operands.isEmpty ? ["scenarios/"] : operands)))"
  }

  /// The scenarios of the files that operands name; `nil` after printing their errors.
  static func library(_ operands: [String], _ console: Console) throws(UsageFailure) -> ScenarioLibrary? {
    let library = ScenarioLibrary(files: try read(operands), vocabulary: try Vocabularies.current())
    if library.hasErrors {
      console.note(library.report.text(colour: console.isColoured))
      return nil
    }
    return library
  }

  /// The scenario files that a recorded run names, each once. What a summary names may be anything, so only regular
  /// files are read.
  static func recorded(_ scenarios: [ScenarioReport]) throws(UsageFailure) -> [String] {
    let files = Array(Set(scenarios.map(\.file))).sorted()
    for file in files {
      let attributes = try? FileManager.default.attributesOfItem(
        atPath: URL(filePath: ProgramData.place(file)).resolvingSymlinksInPath().path)
      let isRegular = attributes?[.type] as? FileAttributeType == .typeRegular
      guard isRegular, file == PlainText.escaped(file) else {
        throw UsageFailure("the recorded run names \"\(PlainText.escaped(file, limit: 200))\", which is not a file")
      }
    }
    return files
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: ProgramData.place(path)).standardizedFileURL.resolvingSymlinksInPath().path
  }

  /// The nearest folder `fragments` in an operand that is a folder, or above it.
  private static func fragments(near root: String) -> String? {
    let tops = ([FileManager.default.currentDirectoryPath] + (ProgramData.folder.map { [$0] } ?? []))
      .map { absolute($0) + "/" }
    var place = absolute(root)
    while true {
      let folder = (place == "/" ? "" : place) + "/fragments"
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue {
        // Reports name files as they are reached from where the run was started, or from the program's data.
        return tops.first { folder.hasPrefix($0) }.map { String(folder.dropFirst($0.count)) } ?? folder
      }
      guard place != "/", let slash = place.lastIndex(of: "/") else { return nil }
      place = slash == place.startIndex ? "/" : String(place[..<slash])
    }
  }

  private static func expand(_ root: String) throws(UsageFailure) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: ProgramData.place(root), isDirectory: &isFolder) else {
      throw UsageFailure("no such file or folder: \(root)")
    }
    guard isFolder.boolValue else { return [root] }
    let base = root.hasSuffix("/") ? String(root.dropLast()) : root
    return try names(below: base).sorted().filter { name in
      let file = name.split(separator: "/").last.map(String.init) ?? name
      return (name.hasSuffix(".yaml") || name.hasSuffix(".yml")) && !others.contains(file)
    }.map { base + "/" + $0 }
  }

  /// The names of everything below a folder that is not a folder, seen from there. Links to folders are not followed: they
  /// may lead in circles.
  private static func names(below folder: String) throws(UsageFailure) -> [String] {
    let place = ProgramData.place(folder)
    var (found, folders): ([String], [String]) = ([], [])
    do throws(SystemCallFailure) {
      for name in try FileSystem.names(in: place) where name != "." && name != ".." {
        if try FileSystem.kind(of: place + "/" + name) == .folder { folders.append(name) } else { found.append(name) }
      }
    } catch {
      throw UsageFailure("cannot read the folder \(folder): \(error.code)")
    }
    for name in folders { found += try names(below: folder + "/" + name).map { name + "/" + $0 } }
    return found
  }
}

extension SourceFile {
  /// Reads a file that a user named, or one of the program's data, under the name by which it was asked for.
  static func read(at path: String) throws(SourceFileFailure) -> SourceFile {
    SourceFile(path: path, bytes: try readRegular(ProgramData.place(path)).bytes)
  }

  /// Reads a regular file. Anything else, such as a pipe that nobody writes into, may never end, and whoever interrupts
  /// that wants no reports.
  static func readRegular(_ path: String) throws(SourceFileFailure) -> SourceFile {
    let kind = try? FileSystem.kind(of: FileSystem.canonical(path))
    guard kind != .other, kind != .socket else {
      throw SourceFileFailure(description: "cannot read \(path): it is not a regular file")
    }
    return try read(path)
  }
}
