/// One end of the way between a host and a controller.
///
/// Virtual controllers, sockets, dongles and the kernel all offer this, so whoever stands on a pipe cannot tell
/// which one it is. Everything happens on the thread of one event loop.
public protocol PacketPipe: AnyObject {
  /// Who gets what the other end sends; set it before the first ``send(_:)``. Held weakly, unless it may be kept.
  var receiver: (any PacketReceiver)? { get set }
  /// Sends a packet to the other end; after the pipe has closed it is dropped.
  func send(_ packet: consuming HCIPacket)
  /// Closes the pipe and gives back what it held; the receiver is not told.
  func close()
}

/// Who stands at an end of a ``PacketPipe``.
public protocol PacketReceiver: AnyObject {
  /// Whether a pipe may hold it strongly, because it holds no pipe. Loading a weak reference is expensive, and it is loaded
  /// for every packet. `false` unless stated.
  var mayBeKept: Bool { get }
  /// A packet came from the other end.
  func receive(_ packet: consuming HCIPacket)
  /// The other end is gone, or the way to it broke; nothing follows.
  func pipeClosed(_ reason: PipeClosure)
}

extension PacketReceiver {
  /// `false`.
  public var mayBeKept: Bool { false }
}

/// Why a pipe closed.
public enum PipeClosure: Error, Hashable, Sendable {
  /// The other end closed it in order.
  case closedByPeer
  /// The device or connection below failed; the text says how.
  case failed(String)

  /// What happened, in words that go on from `was lost`.
  public var reason: String {
    switch self {
    case .closedByPeer: "the other end closed the connection"
    case .failed(let text): text
    }
  }
}

/// Number by which host and controller name a connection, 0x0000 to 0x0EFF (Vol 4, Part E, 5.3.1).
public struct ConnectionHandle: Hashable, Sendable, Comparable, RawRepresentable, CustomStringConvertible {
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  public init(_ rawValue: UInt16) { self.rawValue = rawValue }
  public var description: String { String(rawValue) }
  public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
