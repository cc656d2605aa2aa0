import HCI

/// The command that brings a controller to the state that it has after power-on (Core Specification Vol 4, Part E, 7.3.2),
/// for those who have no host stack.
package enum HCIReset {
  /// The octets of the command.
  package static let command: [UInt8] = [0x03, 0x0C, 0x00]

  /// Whether a packet is the Command Complete of a reset (Vol 4, Part E, 7.7.14).
  package static func isDone(_ packet: HCIPacket) -> Bool {
    packet.kind == .event && packet.bytes.count >= 5 && packet.bytes[0] == 0x0E && packet.bytes[3] == command[0]
      && packet.bytes[4] == command[1]
  }
}
