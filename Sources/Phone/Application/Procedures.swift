import HostStack

// Single procedures for tools that inspect a recorder attribute by attribute.
extension PhoneApplication {
  /// Runs a procedure of the GATT client on request.
  mutating func beginProcedure(_ procedure: ClientProcedure, _ effects: inout ApplicationEffects) {
    guard let link, isLinkReady, !isLinkClosing else { return fail(.notConnected, &effects) }
    let token = run(procedure, on: link, &effects)
    running?.stage = .runningProcedure(token)
    allow(configuration.timeouts.attribute, &effects)
  }

  /// A value was notified or indicated on a plain connection.
  func valueReceived(
    _ attribute: AttributeHandle, _ value: [UInt8], isIndication: Bool, _ effects: inout ApplicationEffects
  ) {
    effects.append(.event(.valueReceived(attribute, value, isIndication: isIndication)))
  }
}
