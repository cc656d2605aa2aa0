import Requirements
import ScenarioLanguage
import Timeline

/// The parameters of a link.
extension Observations {
  static let interval = Field<Duration>("interval", "The connection interval.")
  static let latency = Field<Int>("latency", "Connection events that the recorder may leave out.")
    .limited(to: 0...65_535)
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

  enum Radio: String, FieldChoice {
    case le1M = "1M"
    case le2M = "2M"
    case coded
  }

  static let transmitPHY = Field<Radio>("transmit", "PHY on which the phone sends.")
  static let receivePHY = Field<Radio>("receive", "PHY on which it receives.")
  static let physicalLayers = ObservableEvent(
    ObservationDeclaration(
      "link.phy", "The link changes to other PHYs.", fields: [transmitPHY, receivePHY],
      example: "- eventually: {link.phy: {receive: 2M}}\n  within: 5 s")
  ) { heard in
    guard case .physicalLayers(let sent, let received)? = heard.happening,
      let transmit = Radio(rawValue: sent.words), let receive = Radio(rawValue: received.words)
    else { return nil }
    return .one(transmitPHY, transmit).with(receivePHY, receive)
  }

  static let transmitLength = Field<ByteCount>("transmit", "Longest packet that the phone sends.")
  static let receiveLength = Field<ByteCount>("receive", "Longest packet that it receives.")
  static let dataLength = ObservableEvent(
    ObservationDeclaration(
      "link.data-length", "The longest packets of the link layer change.", fields: [transmitLength, receiveLength],
      example: "- eventually: {link.data-length: {receive: 251 B}}\n  within: 5 s")
  ) { heard in
    guard case .dataLength(let transmit, let receive)? = heard.happening else { return nil }
    return .one(transmitLength, ByteCount(bytes: Int(transmit))).with(receiveLength, ByteCount(bytes: Int(receive)))
  }
}
