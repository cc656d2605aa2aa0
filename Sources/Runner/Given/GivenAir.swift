import ScenarioLanguage

/// `given: {air: {loss: 10 %}}`
enum GivenAir {
  static let loss = Field<Share>("loss", "Share of packets lost either way.", default: Share(percent: 0))
    .limited(to: Share(percent: 0)...Share(percent: 90))
  static let distance = Field<Distance>(
    "distance", "How far phone and recorder are apart.", default: Distance(millimetres: 1_000))

  static let declaration = GivenDeclaration(
    "air", "The medium between phones and recorders.", fields: [loss, distance], example: "air: {loss: 10 %}")
}
