import Foundation
import Runner
import ScenarioLanguage
import Verdicts

/// The vocabulary with the requirements that `scenarios/requirements.yaml` names.
enum Vocabularies {
  /// Where the catalogue of requirements lies.
  static let cataloguePath = "scenarios/requirements.yaml"

  /// The catalogue of requirements beside the scenarios.
  static func catalogue() throws(UsageFailure) -> RequirementCatalogue {
    let octets = try catalogueOctets()
    do { return try RequirementCatalogue(octets) } catch { throw UsageFailure("\(cataloguePath): \(error)") }
  }

  /// The octets of the catalogue.
  static func catalogueOctets() throws(UsageFailure) -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: ProgramData.place(cataloguePath)) else {
      throw ProgramData.missing(cataloguePath)
    }
    return Array(data)
  }

  static func current() throws(UsageFailure) -> Vocabulary {
    vocabulary(of: try catalogue(), SoundFiles(), FirmwareFiles())
  }

  /// The vocabulary with these requirements, sounds and packages.
  static func vocabulary(
    of catalogue: RequirementCatalogue, _ sounds: any SoundLibrary, _ firmware: any FirmwareLibrary
  ) -> Vocabulary {
    DictofunVocabulary.vocabulary(of: catalogue, sounds: sounds, firmware: firmware)
  }
}
