import Bytes
import HCI
import HostStack
import Packets

extension HostPair {
  /// SMP commands that a side's host has sent, in order; only whole frames are seen.
  func securityCommands(_ side: Int) -> [SMPCommand] {
    sent[side].compactMap { Self.securityCommand($0) }
  }

  /// The SMP command that a packet carries whole.
  static func securityCommand(_ packet: HCIPacket) -> SMPCommand? {
    guard packet.kind == .acl, let data = try? ACLPacket(decoding: packet.bytes),
      let frame = try? L2CAPFrame(decoding: data.payload), frame.channel == .securityManager
    else { return nil }
    return try? SMPCommand(decoding: frame.payload)
  }

  /// Replaces the first SMP command of a side for which `change` gives another; an empty answer drops it.
  mutating func tamper(_ side: Int, _ change: @escaping (SMPCommand) -> [UInt8]?) {
    intercept = { sender, packet in
      guard sender == side, let command = Self.securityCommand(packet), let octets = change(command) else {
        return packet
      }
      guard !octets.isEmpty else { return nil }
      return ACLPacket(Self.handle, .firstFromHost, L2CAPFrame(.securityManager, octets).encoded).packet
    }
  }

  /// The bonds a side made, in order.
  func bondsMade(_ side: Int) -> [Bond] {
    all(side) { if case .bondCreated(_, let bond) = $0 { bond } else { nil } }
  }

  /// Failures of pairing at a side.
  func pairingFailures(_ side: Int) -> [PairingOutcome] {
    all(side) {
      if case .pairingFailed(_, let reason, let byPeer) = $0 {
        PairingOutcome(reason: reason, byPeer: byPeer)
      } else {
        nil
      }
    }
  }

  /// Sizes of the keys with which a side's link became secure, in order.
  func secured(_ side: Int) -> [UInt8] {
    all(side) { if case .secured(_, _, let size) = $0 { size } else { nil } }
  }

  /// Failures of encryption at a side.
  func securityFailures(_ side: Int) -> [ErrorCode] {
    all(side) { if case .securityFailed(_, let code) = $0 { code } else { nil } }
  }

  /// Disconnects and connects again, the peripheral advertising as before.
  mutating func reconnect() {
    ask(0, .disconnect(Self.handle, .remoteUserTerminatedConnection))
    connect()
  }

  /// Two connected hosts whose controllers take whole public keys at once.
  static func pairable(
    seed: UInt64 = 1, secure: Bool = false, _ change: (Int, inout HostConfiguration) -> Void = { _, _ in }
  ) -> HostPair {
    var quirks = ControllerPair.Quirks()
    quirks.buffers = LEBufferSize(octets: 251, count: 4)
    quirks.upwardFragment = nil
    return connected(seed: seed, quirks: [quirks, quirks]) { side, configuration in
      configuration.security.secureConnections = secure
      change(side, &configuration)
    }
  }
}

/// How pairing failed.
struct PairingOutcome: Equatable {
  var reason: PairingFailureReason
  var byPeer: Bool
}
