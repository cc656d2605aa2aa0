import Foundation
import ScenarioLanguage
import Testing
import YAML

/// The files beside these tests.
enum Vectors {
  /// The YAML files of a folder, by name.
  static func names(in folder: String) -> [String] {
    let found = try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
    return (found ?? []).filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// A file under the name that its messages shall carry.
  static func file(_ folder: String, _ name: String) throws -> SourceFile {
    let data = try Data(contentsOf: root.appending(path: "\(folder)/\(name).yaml"))
    return SourceFile(path: "scenarios/\(name).yaml", bytes: Array(data))
  }

  /// The golden text at `path`.
  static func text(_ path: String) -> String? {
    (try? Data(contentsOf: root.appending(path: path))).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Compares a text with its golden file. `RECORD_GOLDEN=1` writes the file instead, to be read before commit.
  static func expect(_ text: String, matches path: String) throws {
    if ProcessInfo.processInfo.environment["RECORD_GOLDEN"] == "1" {
      try Data(text.utf8).write(to: source.appending(path: path))
    } else {
      #expect(text == self.text(path), "\(path) says otherwise; RECORD_GOLDEN=1 records what is said now")
    }
  }

  private static let root = Bundle.module.bundleURL.appending(path: "Vectors")
  private static let source = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Vectors")
}
