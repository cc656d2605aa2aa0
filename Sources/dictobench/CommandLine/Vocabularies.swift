import Foundation
import Runner
import ScenarioLanguage
import Verdicts

/// The vocabulary with the requirements that `scenarios/requirements.yaml` names.
enum Vocabularies {
  /// The catalogue of requirements beside the scenarios.
  static func catalogue() throws(UsageFailure) -> RequirementCatalogue {
    let path = "scenarios/requirements.yaml"
    guard let data = FileManager.default.contents(atPath: ProgramData.place(path)) else {
      throw ProgramData.missing(path)
    }
    do { return try RequirementCatalogue(Array(data)) } catch { throw UsageFailure("\(path): \(error)") }
  }

  static func current() throws(UsageFailure) -> Vocabulary {
    DictofunVocabulary.vocabulary(of: try catalogue(), sounds: SoundFiles(), firmware: FirmwareFiles())
  }
}
