import ScenarioLanguage
import World

/// One thing that a step can do: what the language knows of it, and how it is done.
///
/// A type that conforms to this in a file of the folder `Verbs` is a verb; nothing else has to be touched, since the
/// list of verbs is made from the folder when the package is built. Another package gives its verbs to ``RunSettings``
/// and to ``DictofunVocabulary``.
public protocol Verb: Sendable {
  /// Name, fields, outcome and failures; parser, lint, schema, help and reference come from it.
  static var declaration: VerbDeclaration { get }
  /// Performs the verb and returns its outcome.
  ///
  /// - Throws: ``VerbFailure`` with one of the declared failures, or what a control threw; anything else is a bug.
  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings
}

/// The reason why a verb failed.
public enum VerbFailure: Error, Hashable, Sendable {
  /// The other side refused or failed; the failure is one that the verb declares, the text says more. The code is the
  /// one that came with it, where it has one.
  case refused(FailureDeclaration, String, code: UInt8? = nil)
  /// The bench, the target or the scenario is to blame, or the time was up.
  case control(ControlFailure)
}

extension VerbFailure: CustomStringConvertible {
  public var description: String {
    switch self {
    case .refused(let failure, let text, _): "\(failure.name): \(text)"
    case .control(let failure): "\(failure)"
    }
  }
}
