import ScenarioLanguage

/// Everything that Dictofun's scenarios may speak of.
public enum DictofunVocabulary {
  /// The vocabulary; `requirements` are the ids that `verifies:` may name. With libraries at hand, lint looks up the
  /// sounds, releases and packages that scenarios name; without, any name is taken.
  ///
  /// `additionalVerbs` are those that another package adds; none may have the name of a verb of the same actor.
  public static func vocabulary(
    requirements: [String], additionalVerbs: [any Verb.Type] = [], sounds: (any SoundLibrary)? = nil,
    firmware: (any FirmwareLibrary)? = nil
  ) -> Vocabulary {
    Vocabulary(
      verbs: (VerbCatalogue.all + additionalVerbs).map { $0.declaration },
      given: [GivenDevice.declaration, GivenPhone.declaration, GivenAir.declaration],
      observations: Observations.all.map(\.declaration),
      capabilities: Capabilities.all, requirements: requirements,
      names: LibraryNames(sounds: sounds, firmware: firmware),
      check: { scenario in firmware.map { InstalledFirmwareCheck(firmware: $0).problems(of: scenario) } ?? [] })
  }
}
