import Timeline

/// How long the radios of peripherals were on, all of them together.
package struct RadioUse: Hashable, Sendable {
  /// In connection events: from the anchor to the inter-frame space after the last packet.
  package var connected = Duration.zero
  /// Sending advertising PDUs.
  package var advertising = Duration.zero
  /// Listening after advertising PDUs, as long as an answer takes to begin.
  package var listening = Duration.zero

  /// Nothing yet.
  package init() {}
}
