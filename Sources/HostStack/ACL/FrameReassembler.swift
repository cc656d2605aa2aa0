import Bytes
import HCI
import Packets

/// Puts the L2CAP frames of one link together again from ACL packets (Core Specification Vol 3, Part A, 7.2.1).
///
/// Fragments may end anywhere, also inside the frame's header; a frame may be longer than the buffers that either side
/// announced. A start while a frame is unfinished, a continuation without a start, and octets beyond a frame's end are
/// the controller's or the peer's mistake: the broken frame is dropped and reported.
struct FrameReassembler: Sendable {
  /// Longest payload that is kept; more than any fixed channel takes. Longer frames are dropped whole.
  static let payloadLimit = 1_024

  private var octets: [UInt8] = []
  /// Octets of a dropped frame that are still to come.
  private var skipping = 0

  /// Whether a frame has begun and not ended.
  var isUnfinished: Bool { !octets.isEmpty || skipping > 0 }

  /// The result of a fragment.
  enum Outcome: Sendable {
    /// More is needed.
    case incomplete
    /// A frame is complete: header and payload.
    case frame([UInt8])
    /// A rule was broken, and a frame was dropped.
    case violation(ProtocolViolation)
  }

  /// Takes the data of an ACL packet. A frame that fits in one packet does not pass here.
  mutating func take(_ fragment: [UInt8], isFirst: Bool) -> Outcome {
    if isFirst {
      let wasUnfinished = !octets.isEmpty
      octets = fragment
      skipping = 0
      if wasUnfinished { return finish().orElse(Self.violation("frame begins before the last one ended")) }
      return finish()
    }
    if skipping > 0 {
      skipping = max(0, skipping - fragment.count)
      return .incomplete
    }
    guard !octets.isEmpty else { return Self.violation("continuation without a beginning") }
    octets += fragment
    return finish()
  }

  private mutating func finish() -> Outcome {
    guard octets.count >= L2CAPHeader.length else { return .incomplete }
    let payload = Int(octets[0]) | Int(octets[1]) << 8
    let length = L2CAPHeader.length + payload
    if payload > Self.payloadLimit {
      skipping = max(0, length - octets.count)
      octets = []
      return Self.violation("frame of \(payload) octets")
    }
    guard octets.count >= length else { return .incomplete }
    defer { octets = [] }
    return octets.count == length ? .frame(octets) : Self.violation("octets beyond the end of a frame")
  }

  private static func violation(_ text: String) -> Outcome {
    .violation(ProtocolViolation(text, reference: "Vol 3, Part A, 7.2.1"))
  }
}

extension FrameReassembler.Outcome {
  /// Returns this result, or `other` where this one has no frame; a complete frame matters more than a lost one.
  fileprivate func orElse(_ other: Self) -> Self {
    if case .incomplete = self { return other }
    return self
  }
}
