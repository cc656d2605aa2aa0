import Requirements
import ScenarioLanguage
import Verdicts

/// Everything that Dictofun's scenarios may speak of.
public enum DictofunVocabulary {
  /// The sections of `given:`.
  static let given = [GivenDevice.declaration, GivenPhone.declaration, GivenAir.declaration]

  /// The vocabulary; `requirements` are the ids that `verifies:` may name. With libraries at hand, lint looks up the
  /// sounds, releases and packages that scenarios name; without, any name is taken.
  ///
  /// `showable` are the same requirements with their clauses, for `shows:`; without them nothing checks that a scenario
  /// can show what it verifies.
  ///
  /// `additionalVerbs` are those that another package adds; none may have the name of a verb of the same actor.
  public static func vocabulary(
    requirements: [String], showable: [RequirementDeclaration] = [], additionalVerbs: [any Verb.Type] = [],
    sounds: (any SoundLibrary)? = nil,
    firmware: (any FirmwareLibrary)? = nil
  ) -> Vocabulary {
    Vocabulary(
      verbs: (VerbCatalogue.all + additionalVerbs).map { $0.declaration },
      given: given,
      observations: Observations.all.map(\.declaration),
      capabilities: Capabilities.all, requirements: requirements, showable: showable,
      names: LibraryNames(sounds: sounds, firmware: firmware),
      check: { scenario in
        RecorderAddressCheck.problems(of: scenario)
          + (firmware.map { InstalledFirmwareCheck(firmware: $0).problems(of: scenario) } ?? [])
      })
  }

  /// The vocabulary with the requirements of a catalogue, their clauses, and what the monitors of the house watch.
  package static func vocabulary(
    of catalogue: RequirementCatalogue, sounds: (any SoundLibrary)? = nil, firmware: (any FirmwareLibrary)? = nil
  ) -> Vocabulary {
    let watched = MonitorSet.everyMonitor.map(\.declaration.requirement)
    return vocabulary(
      requirements: catalogue.requirements.map(\.id),
      showable: catalogue.requirements.map {
        RequirementDeclaration($0.id, references: $0.references, isMonitored: watched.contains($0.id))
      }, sounds: sounds, firmware: firmware)
  }
}
