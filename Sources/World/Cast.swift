import Bytes
import Requirements
import SecureDFU

/// Which recorders the phones of a world may meet. On a real air there may be any number of others.
public enum Cast: Hashable, Sendable {
  /// All there are.
  case everybody
  /// These. Others in sight are noted and never judged; a link to one is trouble.
  case only([BluetoothAddress])
  /// Whichever is in sight, as long as it is alone there.
  case onlyOneInSight
}

/// Tells the recorders that are meant from others.
struct Casting {
  /// Who an event is about.
  enum Role: Hashable {
    /// Somebody who is meant, or nobody.
    case member
    /// Another recorder; the first time with words about it.
    case stranger(String?)
    /// One that must not be there; the words say what to do.
    case intruder(String)
  }

  let cast: Cast
  /// The only one in sight.
  private var first: BluetoothAddress?
  private var strangers: [BluetoothAddress] = []
  /// Strangers that are noted one by one; a hostile air can show any number.
  private static let strangerLimit = 32

  init(_ cast: Cast) { self.cast = cast }

  /// Says whom an event is about.
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
      return .stranger("another recorder is in sight, which is not judged: \(address)")
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
      return .intruder("the phone connected to \(peer), which is not the recorder that is meant: move it out of range")
    case .onlyOneInSight:
      guard let first else {
        first = peer
        return .member
      }
      return Self.contains([first], peer) ? .member : .intruder(Self.several(first, peer))
    }
  }

  private static func several(_ first: BluetoothAddress, _ second: BluetoothAddress) -> String {
    "several recorders are in sight, \(first) and \(second): say with --device which one is meant"
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
