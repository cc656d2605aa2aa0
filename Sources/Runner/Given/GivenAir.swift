import ScenarioLanguage
import World

/// `given: {air: {loss: 10 %}}`
enum GivenAir {
  static let loss = Field<Share>("loss", "Share of packets lost in each direction.", default: Share(percent: 0))
    .limited(to: Share(percent: 0)...Share(percent: 90))
  static let distance = Field<Distance>(
    "distance", "Distance between phone and recorder.", default: Distance(millimetres: 1_000))
  static let bursts = Field<BurstPlan?>("bursts", "Loss in bursts, in both directions.")
  static let interference = Field<InterferencePlan?>(
    "interference", "Interference that corrupts packets periodically, as a microwave oven does.")
  static let blackouts = Field<[BlackoutPlan]>("blackouts", "Times in which no packet gets through.", default: [])
  static let collisions = Field<Bool>(
    "collisions", "Whether advertisements that overlap on one channel spoil each other.", default: false)
  static let timing = Field<CentralTiming>(
    "timing", "How the controllers of phones use the time of a connection event.", default: .phone)

  static let declaration = GivenDeclaration(
    "air", "The medium between phones and recorders.",
    fields: [loss, distance, bursts, interference, blackouts, collisions, timing],
    example: "air: {loss: 10 %, interference: {every: 20 ms, for: 10 ms}, blackouts: [{after: 5 s, for: 2 s}]}")
}

extension CentralTiming: FieldChoice {
  /// What the word means, for the reference.
  public var meaning: String {
    switch self {
    case .phone: "At most twelve exchanges, as phones do."
    case .dongle: "At most six exchanges, as a USB dongle under Linux does."
    case .softDevice: "As many as fit into the interval, as Nordic's SoftDevice does with a long event."
    }
  }
}
