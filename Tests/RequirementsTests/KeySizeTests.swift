import HCI
import Requirements
import Testing

/// What the interpreter learns of a new key.
@Suite struct KeySizes {
  /// A Pairing Response, and the size of the key that a phone with keys of up to 16 octets then has.
  @Test(
    arguments: [([2, 3, 0, 1, 16, 3, 3], 16), ([2, 3, 0, 1, 7, 3, 3], 7), ([2, 3, 0, 1], nil)] as [([UInt8], UInt8?)])
  func aPairingTellsHowLongItsKeyIs(response: [UInt8], size: UInt8?) {
    var script = PacketScript()
    script.connect()
    script.send(.acl, PacketScript.data(6, [1, 3, 0, 1, 16, 3, 3], isFromHost: true))
    script.get(.acl, PacketScript.data(6, response, isFromHost: false))
    script.encrypt()
    let paired = script.events.compactMap { event in
      if case .paired(let sizes) = event.happening { [sizes?.agreed] } else { nil }
    }
    #expect(paired == [[size]])
  }
}
