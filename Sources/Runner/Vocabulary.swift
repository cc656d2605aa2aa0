import ScenarioLanguage

/// Everything that Dictofun's scenarios may speak of.
public enum DictofunVocabulary {
  /// The vocabulary; `requirements` are the ids that `verifies:` may name. With libraries at hand, lint looks up the
  /// sounds, releases and packages that scenarios name; without, any name is taken.
  public static func vocabulary(
    requirements: [String], sounds: (any SoundLibrary)? = nil, firmware: (any FirmwareLibrary)? = nil
  ) -> Vocabulary {
    vocabulary(requirements: requirements, verbs: VerbCatalogue.all, sounds: sounds, firmware: firmware)
  }

  /// The vocabulary with other verbs than those of the folder.
  static func vocabulary(
    requirements: [String], verbs: [any (Verb & Sendable).Type], sounds: (any SoundLibrary)? = nil,
    firmware: (any FirmwareLibrary)? = nil
  ) -> Vocabulary {
    Vocabulary(
      verbs: verbs.map { $0.declaration },
      given: [GivenDevice.declaration, GivenPhone.declaration, GivenAir.declaration],
      observations: Observations.all.map(\.declaration),
      capabilities: Capabilities.all, requirements: requirements,
      names: LibraryNames(sounds: sounds, firmware: firmware),
      check: { scenario in firmware.map { InstalledFirmwareCheck(firmware: $0).problems(of: scenario) } ?? [] })
  }
}
