/// A packet between host and controller, as it crosses the host controller interface
/// (Core Specification Vol 4, Part E, 5.4; the kinds are the H4 indicators of Vol 4, Part A, 2).
public struct HCIPacket: Hashable, Sendable {
  /// What kind of packet this is.
  public enum Kind: UInt8, Hashable, Sendable {
    /// From the host: asks the controller for something.
    case command = 1
    /// Either way: data of a connection.
    case acl = 2
    /// Either way: voice; not used by this house, passed over where it comes in.
    case synchronous = 3
    /// From the controller: something happened.
    case event = 4
    /// Either way: isochronous data; not used by this house, passed over where it comes in.
    case isochronous = 5
  }

  /// What kind of packet this is.
  public var kind: Kind
  /// The packet without its H4 indicator.
  public var bytes: [UInt8]

  /// A packet of `kind` with the octets that follow the H4 indicator.
  public init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }
}
