import Bytes
import Foundation
import ScenarioLanguage
import Testing
import Trace
import Verdicts
import World
import YAML

@testable import Runner

/// Scenarios from text, and what comes of them.
enum Playing {
  static let vocabulary = DictofunVocabulary.vocabulary(requirements: ["APP-1.1", "APP-1.3.1.1"])

  static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The cells of one file whose body, from `given:` or `steps:` on, is `body`.
  static func scenarios(
    _ body: String, id: String = "try", vocabulary: Vocabulary = Playing.vocabulary
  ) throws -> [Scenario] {
    let text = "scenario: tried by a test\nid: \(id)\nverifies: [APP-1.1]\n\(body)\n"
    let library = ScenarioLibrary(files: [SourceFile(path: "try.yaml", text: text)], vocabulary: vocabulary)
    try #require(library.diagnostics.isEmpty, "\(library.report.text())")
    return library.scenarios
  }

  static func run(
    _ body: String, seed: UInt64 = 1, faults: [PlantedFault] = [], sinks: [any TraceSink] = []
  ) throws -> ScenarioReport {
    var settings = RunSettings()
    settings.seed = seed
    settings.faults = faults
    return ScenarioRun(try scenarios(body)[0], settings, sounds: Silence(), firmware: NoFirmware()).run(sinks: sinks)
  }
}

/// A library of sounds in which every sound is silence.
struct Silence: SoundLibrary {
  func samples(_ name: String) throws(ControlFailure) -> [Int16] { [0] }
}
