import HostStack

// What tools do that look at a recorder attribute by attribute, beneath everything that the application knows of it.
extension PhoneApplication {
  /// Runs a procedure of the GATT client because it was asked for.
  mutating func beginProcedure(_ procedure: ClientProcedure, _ effects: inout ApplicationEffects) {
    guard let link, link.isReady, !link.isClosing else { return fail(.notConnected, &effects) }
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
