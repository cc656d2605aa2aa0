import Bytes
import HCI
import Synchronization

/// What a controller tells of itself while a host sets it up, and why it was lost, if it was.
package final class ControllerIdentity: Sendable {
  private struct Known {
    var address: BluetoothAddress?
    var version: LocalVersion?
    var loss: String?
  }

  private let known = Mutex(Known())

  /// Knows nothing until the controller answers.
  package init() {}

  /// What identifies the controller, as far as it has told.
  package var traits: [BenchTrait] {
    let known = known.withLock { $0 }
    var traits: [BenchTrait] = []
    if let address = known.address { traits.append(BenchTrait("controller's address", address.description)) }
    if let version = known.version {
      traits.append(
        BenchTrait(
          "controller's version",
          "company \(version.company), HCI \(version.hciVersion).\(version.hciSubversion), "
            + "link layer \(version.linkVersion).\(version.linkSubversion)"))
    }
    return traits
  }

  /// Whether it has answered anything.
  package var hasSpoken: Bool { known.withLock { $0.address != nil || $0.version != nil } }

  /// Why the way to it ended; `nil` while it has not.
  var loss: String? { known.withLock { $0.loss } }

  /// A pipe like this one, on which what is told here is heard.
  package func listening(to pipe: any PacketPipe) -> any PacketPipe { IdentityPipe(pipe, self) }

  fileprivate func take(_ packet: HCIPacket) {
    guard packet.kind == .event, packet.bytes.first == Self.commandComplete,
      case .commandComplete(_, _, let answer)? = try? Event(decoding: packet.bytes)
    else { return }
    switch answer {
    case .deviceAddress(let address): known.withLock { $0.address = address }
    case .localVersion(let version): known.withLock { $0.version = version }
    default: break
    }
  }

  fileprivate func take(_ closure: PipeClosure) {
    known.withLock { $0.loss = $0.loss ?? closure.reason }
  }

  /// The code of Command_Complete (Core Specification Vol 4, Part E, 7.7.14).
  private static let commandComplete: UInt8 = 0x0E
}

/// A pipe like the one that it stands before.
private final class IdentityPipe: PacketPipe, PacketReceiver {
  weak var receiver: (any PacketReceiver)? {
    // Nothing is read before somebody listens.
    didSet { pipe.receiver = receiver.map { _ in self } }
  }

  private let pipe: any PacketPipe
  private let identity: ControllerIdentity

  init(_ pipe: any PacketPipe, _ identity: ControllerIdentity) {
    self.pipe = pipe
    self.identity = identity
  }

  func send(_ packet: HCIPacket) { pipe.send(packet) }
  func close() { pipe.close() }

  func receive(_ packet: HCIPacket) {
    identity.take(packet)
    receiver?.receive(packet)
  }

  func pipeClosed(_ reason: PipeClosure) {
    identity.take(reason)
    receiver?.pipeClosed(reason)
  }
}
