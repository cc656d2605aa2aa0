import ScenarioLanguage
import World

/// `- air: {lose: 30 %, for: 5 s}`
enum Lose: Verb {
  enum Direction: String, FieldChoice {
    case toRecorder = "to-recorder"
    case toPhone = "to-phone"
    case both

    /// The same in the words of the air.
    var airDirection: AirDirection {
      switch self {
      case .toRecorder: .toRecorder
      case .toPhone: .toPhone
      case .both: .both
      }
    }

    var meaning: String {
      switch self {
      case .toRecorder: "Packets that the phone sends."
      case .toPhone: "Packets that the recorder sends."
      case .both: "Packets in both directions."
      }
    }
  }

  static let share = Field<Share>("share", "Share of packets lost.")
  static let span = Field<Duration?>(
    "for", "How long it lasts, after which losses are as before; until `mend` unless stated.")
  static let direction = Field<Direction>("direction", "Which packets.", default: .both)

  static let declaration = VerbDeclaration(
    "lose", of: .air, "Loses packets at random.", fields: [span, direction], shorthand: share,
    lasts: span, needs: [Capabilities.medium], deadline: .seconds(86_400),
    example: "- air: {lose: 30 %, for: 5 s}\n- air: {lose: 5 %, direction: to-phone}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    let before = air.loss
    let share = UInt32(clamping: call.arguments[Self.share].millionths)
    try air.lose(partsPerMillion: share, call.arguments[Self.direction].airDirection)
    guard let span = call.arguments[Self.span] else { return Findings() }
    // Whoever gives the step up must not leave its losses behind.
    defer {
      try? air.lose(partsPerMillion: before.toRecorder, .toRecorder)
      try? air.lose(partsPerMillion: before.toPhone, .toPhone)
    }
    try await stage.pass(span)
    return Findings()
  }
}
