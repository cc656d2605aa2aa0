import Bench
import ScenarioLanguage
import World

extension ProductState {
  /// The records on a recorder.
  public static let records = ProductState("records")
  /// The exact length of each record, which is unknown for records made with the button.
  public static let recordLengths = ProductState("record lengths")
  /// Which firmware and bootloader a recorder runs.
  public static let firmware = ProductState("firmware")
  /// What a recorder's bootloader says and does.
  public static let bootloader = ProductState("bootloader")
}

extension Actuation {
  /// Something that the programs, instruments or the operator of a bench do to a recorder.
  static func recorder(_ purpose: CommandPlan.Purpose) -> Actuation { Actuation(of: .device, purpose.rawValue) }

  /// Something that a hook or an operator does with somebody else's phone.
  static func phone(_ action: ApplicationAction) -> Actuation { Actuation(of: .phone, action.rawValue) }

  /// The same in the words of a bench; `nil` where it is done to a phone.
  var purpose: CommandPlan.Purpose? { actor == .device ? CommandPlan.Purpose(rawValue: name) : nil }

  /// The same in the words of a phone's hooks; `nil` where it is done to a recorder.
  var action: ApplicationAction? { actor == .phone ? ApplicationAction(rawValue: name) : nil }
}

extension Step {
  /// All steps, those inside of bans too.
  static func flat(_ steps: [Step]) -> [Step] {
    steps.flatMap { step in
      if case .never(_, .during(let inner)) = step.action { [step] + flat(inner) } else { [step] }
    }
  }

  /// The verb that the step performs; `nil` for a wait or an assertion.
  var call: VerbCall? { if case .perform(let call) = action { call } else { nil } }

  /// The events that the step waits for or forbids.
  var patterns: [EventPattern] {
    switch action {
    case .eventually(let pattern, _), .never(let pattern, .duration), .never(let pattern, .during): [pattern]
    case .either(let patterns, _): patterns
    case .never(let pattern, .until(let end, _)): [pattern, end]
    case .perform, .wait, .ask: []
    }
  }

  /// Whether the step waits for an event or forbids it.
  func meets(_ event: ObservationDeclaration) -> Bool { patterns.contains { $0.declaration == event } }
}

extension Step.NeverSpan {
  /// The event that ends it; `nil` for another end.
  var end: EventPattern? { if case .until(let end, _) = self { end } else { nil } }
}
