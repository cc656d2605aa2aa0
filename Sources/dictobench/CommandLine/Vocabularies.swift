import Runner
import ScenarioLanguage

/// The vocabulary with the requirements that `scenarios/requirements.yaml` names.
enum Vocabularies {
  static func current() throws(UsageFailure) -> Vocabulary {
    DictofunVocabulary.vocabulary(requirements: [])
  }
}
