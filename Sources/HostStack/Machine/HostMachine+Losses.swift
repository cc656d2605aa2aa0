import HCI

/// Controllers that lose an event. Each loss is found by a consequence that needs the event, so that the peer is not
/// blamed for it. The links of such a controller cannot be trusted.
extension HostMachine {
  // MARK: Connections

  /// Data of a link that was not reported yet: its event may still come, because events and data take separate paths.
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

  /// The controller is about to be told to encrypt, or to be given the key for it, and will tell when it does. A link
  /// whose peer is gone ends before. A peripheral whose host never gives the key is not the controller's fault: the link
  /// layer ends such a link after 40 s (Vol 6, Part B, 5.2), so a central waits longer. No host is waited for once the
  /// peripheral's has given the key.
  mutating func expectEncryption(_ attempt: Link.Attempt, _ index: Int, _ effects: inout Effects) {
    links[index].security.attempt = attempt
    let times = links[index].isCentral ? 3 : 1
    start(.encryption, index, times: times, extra: links[index].supervisionTimeout, &effects)
  }

  /// Keeps a key that the peripheral has sent before its central was told of the encryption that protects it; `false`
  /// where none is to be kept. By the first of them the peripheral has given the key of the link, and only the event is
  /// left to come.
  mutating func keepEarlyKey(_ octets: [UInt8], _ index: Int, _ effects: inout Effects) -> Bool {
    let link = links[index]
    guard link.isCentral, link.pairing.pendingKey != nil, link.security.attempt != nil,
      link.security.earlyKeys.count < Self.earlyKeyLimit
    else { return false }
    if link.security.earlyKeys.isEmpty { start(.encryption, index, extra: link.supervisionTimeout, &effects) }
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
