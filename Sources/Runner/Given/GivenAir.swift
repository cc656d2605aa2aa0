import ScenarioLanguage

/// `given: {air: {loss: 10 %}}`
enum GivenAir {
  static let loss = Field<Share>("loss", "Share of packets lost either way.", default: Share(percent: 0))
    .limited(to: Share(percent: 0)...Share(percent: 90))
  static let distance = Field<Distance>(
    "distance", "How far phone and recorder are apart.", default: Distance(millimetres: 1_000))
  static let bursts = Field<BurstPlan?>("bursts", "Loss that comes in bursts, either way.")
  static let interference = Field<InterferencePlan?>(
    "interference", "Something that spoils packets at a steady pace, as a microwave oven does.")
  static let blackouts = Field<[BlackoutPlan]>("blackouts", "Times in which nothing gets through.", default: [])

  static let declaration = GivenDeclaration(
    "air", "The medium between phones and recorders.", fields: [loss, distance, bursts, interference, blackouts],
    example: "air: {loss: 10 %, interference: {every: 20 ms, for: 10 ms}, blackouts: [{after: 5 s, for: 2 s}]}")
}
