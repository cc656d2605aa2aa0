import ScenarioLanguage

/// Everything that Dictofun's scenarios may speak of.
public enum DictofunVocabulary {
  /// The vocabulary; `requirements` are the ids that `verifies:` may name.
  public static func vocabulary(requirements: [String]) -> Vocabulary {
    vocabulary(requirements: requirements, verbs: VerbCatalogue.all)
  }

  /// The vocabulary with other verbs than those of the folder.
  static func vocabulary(requirements: [String], verbs: [any (Verb & Sendable).Type]) -> Vocabulary {
    Vocabulary(
      verbs: verbs.map { $0.declaration },
      given: [GivenDevice.declaration, GivenPhone.declaration, GivenAir.declaration], observations: Observations.all,
      capabilities: Capabilities.all, requirements: requirements)
  }
}
