import ScenarioLanguage

/// Everything that Dictofun's scenarios may speak of.
public enum DictofunVocabulary {
  /// The vocabulary; `requirements` are the ids that `verifies:` may name.
  public static func vocabulary(requirements: [String]) -> Vocabulary {
    Vocabulary(
      verbs: VerbCatalogue.all.map { $0.declaration },
      given: [GivenDevice.declaration, GivenPhone.declaration, GivenAir.declaration], observations: Observations.all,
      capabilities: Capabilities.all, requirements: requirements)
  }
}
