import Charts

/// How far the phone's link to a recorder has come.
enum LinkState: UInt8, ChartSymbol {
  /// There is none.
  case absent
  /// The host was asked to make one.
  case connecting
  /// MTU, services, security and battery are being seen to.
  case preparing
  /// Operations can use it.
  case ready
  /// It was told to end before it was ready.
  case abandoning
  /// It was told to end.
  case closing
}

/// What moves the link.
enum LinkEvent: UInt8, ChartSymbol {
  case attempted, made, failed, prepared, ended, closed, lost, givenUp, hostReset
}

/// The chart of the phone's link.
///
/// One link at a time; it is made and ended by the commands and events of the Core Specification (Vol 4, Part E, 7.1.6,
/// 7.7.1, 7.7.5, 7.8.12). `lost` is an end that the phone did not ask for, `closed` one that it did, and `givenUp` one
/// that nobody reported in time.
package enum PhoneLink {
  /// The chart in words.
  package static let outline = chart.outline

  static let chart = StateChart<LinkState, LinkEvent>(
    "link", "The phone's link to a recorder, from the attempt to the end.", initial: .absent,
    [
      (.absent, .attempted, .connecting),
      (.absent, .hostReset, .absent),
      (.connecting, .made, .preparing),
      (.connecting, .failed, .absent),
      (.connecting, .givenUp, .absent),
      (.connecting, .hostReset, .absent),
      (.preparing, .prepared, .ready),
      (.preparing, .ended, .abandoning),
      (.preparing, .lost, .absent),
      (.preparing, .givenUp, .absent),
      (.preparing, .hostReset, .absent),
      (.abandoning, .closed, .absent),
      (.abandoning, .givenUp, .absent),
      (.abandoning, .hostReset, .absent),
      (.ready, .ended, .closing),
      (.ready, .lost, .absent),
      (.ready, .givenUp, .absent),
      (.ready, .hostReset, .absent),
      (.closing, .closed, .absent),
      (.closing, .givenUp, .absent),
      (.closing, .hostReset, .absent),
    ])
}

extension PhoneApplication {
  /// Whether MTU, discovery, security and battery are done, also while the link is ending.
  var isLinkReady: Bool { linkState.state == .ready || linkState.state == .closing }

  /// Whether the link was told to end.
  @inline(__always) var isLinkClosing: Bool { linkState.state == .closing || linkState.state == .abandoning }
}
