import HostStack

/// What can be wrong with the connection parameters that it asks for.
package struct LinkFaults: Hashable, Sendable {
  /// Longest interval that it asks for, in units of 1.25 ms; `nil` for its profile's.
  package var intervalUnits: UInt16?
  /// Supervision time-out that it asks for, in units of 10 ms; `nil` for its profile's.
  package var supervisionUnits: UInt16?
  /// Connection events that it asks to leave out.
  package var latency: UInt16 = 0
  /// Whether it never asks.
  package var neverAsks = false
  /// Whether it asks in the first connection of a power session only.
  package var asksOnce = false
  /// Whether it asks as soon as it is connected.
  package var asksAtOnce = false

  /// Whether it ends the link of a phone that refuses what it asks for.
  package var dropsWhenRefused = false

  /// Whether it forgets what the stack reported while it recorded.
  package var losesWaitingEvents = false
  /// Whether a new link begins with the ATT_MTU of the one before.
  package var keepsTransmissionUnit = false

  /// No fault.
  package init() {}

  /// The parameters that it asks for instead of `parameters`.
  func asked(_ parameters: ConnectionParameters) -> ConnectionParameters {
    var parameters = parameters
    if let intervalUnits {
      parameters.minimumIntervalUnits = min(parameters.minimumIntervalUnits, intervalUnits)
      parameters.maximumIntervalUnits = intervalUnits
    }
    if let supervisionUnits { parameters.supervisionTimeoutUnits = supervisionUnits }
    parameters.latency = latency
    return parameters
  }
}

extension RecorderFault {
  /// 200 ms, in units of 10 ms.
  private static let shortSupervision: UInt16 = 20

  static let ofLinks = [
    RecorderFault("asks-for-short-supervision", "It asks for a supervision time-out of 0.2 s.") {
      $0.link.supervisionUnits = shortSupervision
    },
    RecorderFault("asks-for-parameters-once", "It asks for a quick interval in its first connection only.") {
      $0.link.asksOnce = true
    },
    RecorderFault("never-asks-for-parameters", "It never asks for a quick interval.") { $0.link.neverAsks = true },
    RecorderFault("drops-refused-parameters", "It ends the link of a phone that refuses its parameters.") {
      $0.link.dropsWhenRefused = true
    },
    RecorderFault("loses-waiting-events", "It forgets what a phone did while it recorded.") {
      $0.link.losesWaitingEvents = true
    },
    RecorderFault("keeps-transmission-unit", "A new link begins with the ATT_MTU of the one before.") {
      $0.link.keepsTransmissionUnit = true
    },
    RecorderFault("asks-for-parameters-at-once", "It asks for a quick interval although it has no request.") {
      $0.link.asksAtOnce = true
    },
  ]
}
