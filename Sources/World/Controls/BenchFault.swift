/// Something of a bench that failed: what happened, and what to do about it.
public struct BenchFault: Hashable, Sendable {
  /// What failed, as far as somebody has to tell faults apart.
  public enum Cause: Hashable, Sendable {
    /// Nothing that anybody tells apart.
    case other
    /// An instrument's line is open, but nobody answered.
    case silence
    /// A debug probe is there, but does not reach a chip.
    case chipUnreachable
  }

  /// What happened, without its end.
  public let problem: String
  /// What to do, in one sentence without its end; `nil` where nobody knows.
  public let advice: String?
  /// What failed.
  public let cause: Cause

  /// A fault with what to do about it.
  public init(_ problem: String, advice: String? = nil, cause: Cause = .other) {
    self.problem = problem
    self.advice = advice
    self.cause = cause
  }
}

extension BenchFault: CustomStringConvertible {
  /// One sentence: what happened, and after its last colon what to do.
  public var description: String { problem + (advice.map { ": \($0)" } ?? "") }
}

extension BenchFault: ExpressibleByStringInterpolation {
  /// A fault about which nobody knows what to do.
  public init(stringLiteral text: String) { self.init(text) }
}

extension ControlFailure: CustomStringConvertible {
  /// One sentence without its full stop.
  public var description: String {
    switch self {
    case .lacking(let capability): "the target lacks \(capability)"
    case .bench(let fault): fault.description
    case .impossible(let text): text
    case .ended(.deadline): "it timed out"
    case .ended(.interrupted): "it was interrupted"
    case .ended(.forbidden): "it was ended by what must not happen"
    case .ended(let end): end.sentence
    }
  }
}

extension ControlFailure {
  /// The bench failed; what happened, and what to do about it.
  public static func bench(_ problem: String, advice: String, cause: BenchFault.Cause = .other) -> ControlFailure {
    .bench(BenchFault(problem, advice: advice, cause: cause))
  }
}
