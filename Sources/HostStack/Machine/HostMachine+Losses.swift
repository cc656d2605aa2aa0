import HCI

/// Controllers that lose an event. Each is found by what cannot be without it, so that nobody takes the peer for the
/// culprit; the links of such a controller are worth nothing.
extension HostMachine {
  // MARK: Connections

  /// Data of a link that nobody was told of: its event may still come, since events and data have ways of their own.
  mutating func receiveStrayData(_ handle: ConnectionHandle, _ effects: inout Effects) {
    guard !endedHandles.contains(handle), strayHandle == nil else { return }
    strayHandle = handle
    start(.strayData, &effects)
  }

  /// A link has been told of.
  mutating func expectData(of handle: ConnectionHandle, _ effects: inout Effects) {
    endedHandles.removeAll { $0 == handle }
    guard strayHandle == handle else { return }
    strayHandle = nil
    stop(.strayData, &effects)
  }

  /// A link is over, or not wanted: its last data may still come for a moment.
  mutating func tolerateData(of handle: ConnectionHandle, _ effects: inout Effects) {
    endedHandles.append(handle)
    start(.farewell, &effects)
  }

  // MARK: Encryption

  /// The controller is about to be told to encrypt, and will tell when it does.
  ///
  /// A peripheral that has given the key waits for its controller and the central's only, of which each packet arrives
  /// within the supervision time-out or ends the link; a central also waits for the peripheral's host.
  mutating func expectEncryption(_ attempt: Link.Attempt, _ index: Int, _ effects: inout Effects) {
    links[index].security.attempt = attempt
    links[index].security.isProbed = false
    let isCentral = attempt.command != nil
    start(.encryption, index, extra: isCentral ? .zero : links[index].supervisionTimeout, &effects)
  }

  /// Encryption was not told of in time. A central asks for it once more: a controller that is still at it refuses that
  /// (Core Specification Vol 6, Part B, 5.1.3.1), and one that has done it refreshes the key.
  mutating func encryptionOverdue(_ index: Int, _ effects: inout Effects) {
    guard let command = links[index].security.attempt?.command else {
      return fail(.eventLost(.encryptionChange), &effects)
    }
    guard !links[index].security.isProbed else { return }
    links[index].security.isProbed = true
    send(.leEnableEncryption(command), &effects)
  }

  /// Encryption_Key_Refresh_Complete, of a link that was encrypted before (Vol 4, Part E, 7.7.39).
  mutating func keyRefreshed(_ index: Int, _ status: ErrorCode, _ effects: inout Effects) {
    guard links[index].security.isProbed else { return encryptionChanged(index, status, true, &effects) }
    links[index].security.isProbed = false
    // Else the event was late, and has come.
    if links[index].security.attempt != nil { fail(.eventLost(.encryptionChange), &effects) }
  }

  /// The controller refuses to encrypt, or to be asked twice.
  mutating func encryptionRefused(_ index: Int, _ status: ErrorCode, _ effects: inout Effects) {
    guard links[index].security.isProbed else { return encryptionFailed(index, status, &effects) }
    links[index].security.isProbed = false
    // The peer sent keys that nothing protects.
    takeEarlyKeys(index, &effects)
  }

  /// Keeps a key that the peripheral has sent before its central was told of the encryption that protects it; `false`
  /// where none is to be kept.
  mutating func keepEarlyKey(_ octets: [UInt8], _ index: Int) -> Bool {
    let link = links[index]
    guard link.isCentral, link.pairing.pendingKey != nil, link.security.attempt != nil,
      link.security.earlyKeys.count < Self.earlyKeyLimit
    else { return false }
    links[index].security.earlyKeys.append(octets)
    return true
  }

  /// Commands by which a peer distributes its keys (Vol 3, Part H, 3.6.1).
  private static let earlyKeyLimit = 5

  /// Takes the keys that were kept.
  mutating func takeEarlyKeys(_ index: Int, _ effects: inout Effects) {
    let kept = links[index].security.earlyKeys
    links[index].security.earlyKeys = []
    for octets in kept { takeSecurityCommand(octets, index, &effects) }
  }
}
