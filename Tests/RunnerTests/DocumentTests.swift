import Foundation
import SchemaChecking
import Testing
import Verdicts
import YAML

@testable import Runner
@testable import ScenarioLanguage

@Suite struct Documents {
  @Test func everyExampleOfTheVocabularyLintsClean() {
    let files = Playing.vocabulary.exampleFiles
    let library = ScenarioLibrary(files: files, vocabulary: Playing.vocabulary)
    #expect(library.diagnostics.isEmpty, "\(library.report.text())")
    #expect(files.count > 40)
    #expect(library.scenarios.count >= files.count)
  }

  @Test func theExampleOfEveryWordOfTheLanguageLintsClean() throws {
    let catalogue = try RequirementCatalogue(bytes(of: "scenarios/requirements.yaml"))
    let vocabulary = DictofunVocabulary.vocabulary(of: catalogue)
    let files = vocabulary.keywordExampleFiles
    // `verifies` alone shows nothing, so its example is linted without requirements.
    let shown = ScenarioLibrary(
      files: files.filter { String(decoding: $0.bytes, as: UTF8.self).contains("shows:") }, vocabulary: vocabulary)
    #expect(shown.diagnostics.isEmpty, "\(shown.report.text())")
    let rest = ScenarioLibrary(
      files: files.filter { !String(decoding: $0.bytes, as: UTF8.self).contains("shows:") },
      vocabulary: Playing.vocabulary)
    #expect(rest.diagnostics.isEmpty, "\(rest.report.text())")
    #expect(files.count > 35)
  }

  @Test func theSchemaForEditorsAcceptsEveryScenarioOfTheRepository() throws {
    let catalogue = try RequirementCatalogue(bytes(of: "scenarios/requirements.yaml"))
    let schema = try SchemaCheck(DictofunVocabulary.vocabulary(of: catalogue).jsonSchema)
    let folder = Playing.repository.appending(path: "scenarios").path
    let names = (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []).sorted()
    var count = 0
    for name in names where name.hasSuffix(".yaml") {
      let file = SourceFile(path: name, bytes: try bytes(of: "scenarios/\(name)"))
      let root = try #require(YAMLReader.read(file).root, "\(name)")
      guard root["scenario"] != nil || root["fragment"] != nil else { continue }
      count += 1
      #expect(schema.accepts(root), "\(name)")
    }
    #expect(count > 300)
  }

  @Test(arguments: ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "scenarios/README.md"])
  func everyScenarioInADocumentLintsClean(path: String) throws {
    let catalogue = try RequirementCatalogue(bytes(of: "scenarios/requirements.yaml"))
    let vocabulary = DictofunVocabulary.vocabulary(of: catalogue)
    let text = String(decoding: try bytes(of: path), as: UTF8.self)
    for (number, block) in blocks(of: "yaml", in: text).enumerated() {
      let file = SourceFile(path: "\(path), block \(number + 1)", text: block)
      let library = ScenarioLibrary(files: [file], vocabulary: vocabulary)
      #expect(library.diagnostics.isEmpty, "\(library.report.text())")
      #expect(!library.scenarios.isEmpty, "\(library.report.text())")
    }
  }

  @Test func theGuideToScenariosShowsOne() throws {
    let text = String(decoding: try bytes(of: "scenarios/README.md"), as: UTF8.self)
    #expect(blocks(of: "yaml", in: text).count >= 1)
  }

  private func bytes(of path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: Playing.repository.appending(path: path)))
  }

  /// The fenced blocks of one language, without the blanks that a list puts before them.
  private func blocks(of language: String, in document: String) -> [String] {
    var blocks: [[Substring]] = []
    var indent: Int?
    for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
      let trimmed = line.drop { $0 == " " }
      if let before = indent {
        if trimmed.hasPrefix("```") { indent = nil } else { blocks[blocks.count - 1].append(line.dropFirst(before)) }
      } else if trimmed == "```" + language {
        indent = line.count - trimmed.count
        blocks.append([])
      }
    }
    return blocks.map { $0.joined(separator: "\n") + "\n" }
  }
}
