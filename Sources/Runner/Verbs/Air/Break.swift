import ScenarioLanguage
import World

/// `- air: break`
enum Break: Verb {
  static let span = Field<Duration?>(
    "for", "How long it lasts, after which the air is as before; until `mend` unless stated.")
  static let window = Field<Duration?>(
    "sometime-within", "Waits for a random time up to this one first; the seed of the run decides how long.")

  static let declaration = VerbDeclaration(
    "break", of: .air, "Lets no packet through.", fields: [window], shorthand: span, lasts: span,
    needs: [Capabilities.medium], deadline: .seconds(86_400),
    example: "- air: break\n- air: mend\n- air: {break: 10 s, sometime-within: 5 s}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let air = try stage.air()
    if let window = call.arguments[Self.window] {
      let moment = stage.loop.choices.stream("air.break").below(UInt64(window.baseUnits) + 1)
      try await stage.pass(.nanoseconds(Int64(moment)))
    }
    let wasInterrupted = air.isInterrupted
    try air.interrupt()
    guard let span = call.arguments[Self.span] else { return Findings() }
    // Whoever gives the step up must not leave the air interrupted.
    defer { if !wasInterrupted { try? air.resume() } }
    try await stage.pass(span)
    return Findings()
  }
}
