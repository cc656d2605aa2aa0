/// What an ``H4Decoder`` found in its stream.
public enum H4Outcome: Hashable, Sendable {
  /// A whole packet.
  case packet(HCIPacket)
  /// The stream lost its framing here; everything is passed over until a reset shows where packets begin.
  case violation(H4Violation)
  /// Framing was found again after this many octets were skipped.
  case resynchronised(octetsSkipped: Int)
}

/// How a stream broke the rules of H4 (Core Specification Vol 4, Part A, 2 and 4).
public enum H4Violation: Error, Hashable, Sendable {
  /// No kind of packet has this indicator.
  case unknownIndicator(UInt8)
  /// The packet's header announces more octets than this end accepts.
  case tooLong(HCIPacket.Kind, length: Int, limit: Int)
}

/// Cuts a stream of octets into HCI packets by the UART transport's framing (Core Specification Vol 4, Part A).
///
/// The stream may come in pieces of any size: the same octets give the same outcomes however they are cut. After a
/// violation the stream has no marks to find a packet's beginning, so the decoder waits, as Part A 4 has it, for a
/// Reset command on the controller's side and for its Command_Complete on the host's side.
public struct H4Decoder: Sendable {
  /// Which end of the transport this is.
  public enum Side: Hashable, Sendable {
    /// Packets come from a host.
    case controller
    /// Packets come from a controller.
    case host
  }

  /// Most octets of data in an ACL or isochronous packet that are accepted unless said otherwise.
  public static let defaultDataLimit = 4096

  private let side: Side
  private let dataLimit: Int
  private var state = State.indicator
  private var kind = HCIPacket.Kind.command
  private var collected: [UInt8] = []
  private var needed = 0
  private var skipped = 0

  private enum State: Sendable {
    case indicator
    case header
    case body
    case lost
  }

  /// A decoder at the beginning of a stream.
  public init(side: Side, dataLimit: Int = H4Decoder.defaultDataLimit) {
    self.side = side
    self.dataLimit = dataLimit
  }

  /// Whether nothing of a packet is waiting for its end, so that the stream may end here.
  public var isBetweenPackets: Bool { state == .indicator }

  /// Takes the next octets of the stream and appends what they complete.
  public mutating func feed(_ octets: some Collection<UInt8>, _ outcomes: inout [H4Outcome]) {
    for octet in octets { take(octet, &outcomes) }
  }

  private mutating func take(_ octet: UInt8, _ outcomes: inout [H4Outcome]) {
    switch state {
    case .indicator: begin(octet, &outcomes)
    case .header:
      collected.append(octet)
      if collected.count == Self.headerLength(kind) { measure(&outcomes) }
    case .body:
      collected.append(octet)
      if collected.count == needed { finish(&outcomes) }
    case .lost: search(octet, &outcomes)
    }
  }

  private mutating func begin(_ octet: UInt8, _ outcomes: inout [H4Outcome]) {
    guard let kind = HCIPacket.Kind(rawValue: octet) else {
      return lose(.unknownIndicator(octet), &outcomes)
    }
    self.kind = kind
    collected.removeAll(keepingCapacity: true)
    state = .header
  }

  /// The header is complete: finds out how long the packet is.
  private mutating func measure(_ outcomes: inout [H4Outcome]) {
    let length: Int
    switch kind {
    case .command, .synchronous: length = Int(collected[2])
    case .event: length = Int(collected[1])
    case .acl: length = Int(collected[2]) | Int(collected[3]) << 8
    case .isochronous: length = Int(collected[2]) | Int(collected[3] & 0x3F) << 8
    }
    let isData = kind == .acl || kind == .isochronous
    guard !isData || length <= dataLimit else {
      return lose(.tooLong(kind, length: length, limit: dataLimit), &outcomes)
    }
    needed = collected.count + length
    collected.reserveCapacity(needed)
    state = .body
    if length == 0 { finish(&outcomes) }
  }

  private mutating func finish(_ outcomes: inout [H4Outcome]) {
    outcomes.append(.packet(HCIPacket(kind, collected)))
    collected = []
    state = .indicator
  }

  private mutating func lose(_ violation: H4Violation, _ outcomes: inout [H4Outcome]) {
    outcomes.append(.violation(violation))
    collected.removeAll(keepingCapacity: true)
    skipped = 0
    state = .lost
  }

  /// Slides over the stream until the last octets are those of a reset.
  private mutating func search(_ octet: UInt8, _ outcomes: inout [H4Outcome]) {
    let pattern = side == .controller ? Self.resetCommand : Self.resetComplete
    collected.append(octet)
    skipped += 1
    if collected.count > pattern.count { collected.removeFirst() }
    guard collected.count == pattern.count, zip(collected, pattern).allSatisfy({ $1 == nil || $0 == $1 }) else {
      return
    }
    outcomes.append(.resynchronised(octetsSkipped: skipped - pattern.count))
    kind = side == .controller ? .command : .event
    collected.removeFirst()
    finish(&outcomes)
  }

  private static let resetCommand: [UInt8?] = [0x01, 0x03, 0x0C, 0x00]
  /// The third octet is the number of credits, the last one the status; both may be anything.
  private static let resetComplete: [UInt8?] = [0x04, 0x0E, 0x04, nil, 0x03, 0x0C, nil]

  private static func headerLength(_ kind: HCIPacket.Kind) -> Int {
    switch kind {
    case .command: Command.headerLength
    case .event: Event.headerLength
    case .acl: ACLPacket.headerLength
    case .synchronous: 3
    case .isochronous: 4
    }
  }
}

extension HCIPacket {
  /// The packet with its H4 indicator in front.
  public var framed: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(bytes.count + 1)
    octets.append(kind.rawValue)
    octets.append(contentsOf: bytes)
    return octets
  }
}
