import Bytes
import Requirements
import SecureDFU

/// Which recorders the phones of a world may meet. On a real air there may be any number of others.
public enum Cast: Hashable, Sendable {
  /// Every recorder in range.
  case everybody
  /// These recorders. Others in range are noted and never judged; a link to one is trouble.
  case only([BluetoothAddress])
  /// The recorder in range; a second one is trouble.
  case onlyOneInSight
}

/// Separates the recorders under test from others.
struct Casting {
  /// Which device an event is about.
  enum Role: Hashable {
    /// A device under test, or none.
    case member
    /// Another recorder; with a note the first time it is seen.
    case stranger(String?)
    /// A recorder that must not be there; the text says what to do.
    case intruder(String)
  }

  let cast: Cast
  /// The only recorder in range so far.
  private var first: BluetoothAddress?
  private var strangers: [BluetoothAddress] = []
  /// How many strangers are noted; a hostile air can show any number.
  private static let strangerLimit = 32

  init(_ cast: Cast) { self.cast = cast }

  /// Returns which device an event is about.
  mutating func role(in event: ProductEvent) -> Role {
    if cast == .everybody { return .member }
    switch event.happening {
    case .advertisementHeard(let address, let isRecorder, _): return heard(address, isRecorder: isRecorder)
    case .linkUp:
      guard event.source.part == .phone, let peer = event.peer else { return .member }
      return linked(to: peer)
    default: return .member
    }
  }

  private mutating func heard(_ address: BluetoothAddress, isRecorder: Bool) -> Role {
    switch cast {
    case .everybody: return .member
    case .only(let addresses):
      if Self.contains(addresses, address) { return .member }
      guard isRecorder, !strangers.contains(address), strangers.count < Self.strangerLimit else {
        return .stranger(nil)
      }
      strangers.append(address)
      return .stranger("another recorder is in range and is ignored: \(address)")
    case .onlyOneInSight:
      guard isRecorder else { return .member }
      guard let first else {
        first = address
        return .member
      }
      return first == address ? .member : .intruder(Self.several(first, address))
    }
  }

  private mutating func linked(to peer: BluetoothAddress) -> Role {
    switch cast {
    case .everybody: return .member
    case .only(let addresses):
      if Self.contains(addresses, peer) { return .member }
      return .intruder("the phone connected to \(peer), which is not the recorder under test: move it out of range")
    case .onlyOneInSight:
      guard let first else {
        first = peer
        return .member
      }
      return Self.contains([first], peer) ? .member : .intruder(Self.several(first, peer))
    }
  }

  private static func several(_ first: BluetoothAddress, _ second: BluetoothAddress) -> String {
    "several recorders are in range, \(first) and \(second): name the one under test with --device"
  }

  /// Whether an address is a recorder's, or its bootloader's.
  private static func contains(_ recorders: [BluetoothAddress], _ address: BluetoothAddress) -> Bool {
    recorders.contains { recorder in
      recorder == address
        || recorder.kind == address.kind
          && Bootloader.address(ofApplication: recorder.littleEndian) == address.littleEndian
    }
  }
}
