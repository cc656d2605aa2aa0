import Requirements
import ScenarioLanguage
import Timeline

/// The parameters of a link.
extension Observations {
  static let interval = Field<Duration>("interval", "The connection interval.")
  static let latency = Field<Int>("latency", "Connection events that the recorder may leave out.")
  static let supervision = Field<Duration>("supervision", "The supervision time-out.")
  static let linkParameters = ObservableEvent(
    ObservationDeclaration(
      "link.parameters", "The parameters of a connection change after it was made.",
      fields: [interval, latency, supervision],
      example: "- eventually: {link.parameters: {interval: {at-most: 25 ms}}}\n  within: 5 s")
  ) { heard in
    guard case .parametersChanged(let parameters)? = heard.happening else { return nil }
    return .one(interval, .microseconds(Int64(parameters.intervalUnits) * 1_250))
      .with(latency, Int(parameters.latency)).with(supervision, parameters.supervision)
  }
}
