import Packets

/// Packets of the host: what is accepted has to come out of the encoder as it went in.
enum PacketTargets {
  static func advertisingData(_ octets: [UInt8]) -> Bool {
    guard let data = try? AdvertisingData(decoding: octets) else { return false }
    // Zero padding after the last structure is dropped, so the octets themselves may differ.
    let again = try? AdvertisingData(decoding: data.encoded)
    precondition(again == data, "advertising data changes on its way through the encoder")
    return true
  }

  static func att(_ octets: [UInt8]) -> Bool {
    guard let pdu = try? ATTPDU(decoding: octets) else { return false }
    precondition(pdu.encoded == octets, "an ATT PDU changes on its way through the decoder")
    return true
  }

  static func l2cap(_ octets: [UInt8]) -> Bool {
    guard let frame = try? L2CAPFrame(decoding: octets) else { return false }
    precondition(frame.encoded == octets, "an L2CAP frame changes on its way through the decoder")
    if frame.channel == .signalling, let command = try? SignallingCommand(decoding: frame.payload) {
      let again = try? SignallingCommand(decoding: command.encoded)
      precondition(again == command, "a signalling command changes on its way through the encoder")
    }
    return true
  }

  static func smp(_ octets: [UInt8]) -> Bool {
    guard let command = try? SMPCommand(decoding: octets) else { return false }
    let again = try? SMPCommand(decoding: command.encoded)
    precondition(again == command, "an SMP command changes on its way through the encoder")
    return true
  }
}
