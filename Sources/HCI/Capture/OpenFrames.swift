/// The frames under way on one connection, one in each direction (Core Specification Vol 3, Part A, 7.2.2).
struct OpenFrames {
  private struct Frame {
    /// Octets that have come.
    var count = 0
    /// Those of its length field, the first two.
    var length: [UInt8] = []

    /// Octets that it lacks; `nil` while its length is not known.
    var rest: Int? {
      length.count == 2 ? OpenFrames.headerLength + Int(OctetOrder.littleEndian.number16(length, 0)) - count : nil
    }

    mutating func take(_ part: ArraySlice<UInt8>) {
      count += part.count
      length += part.prefix(2 - length.count)
    }
  }

  /// Octets of a frame that its length does not count.
  private static let headerLength = 4

  private var sent: Frame?
  private var received: Frame?

  /// Whether no frame is under way.
  var isEmpty: Bool { sent == nil && received == nil }

  /// Takes the first part of a frame. Returns whether a controller sent it, as the part says.
  mutating func begin(_ part: ArraySlice<UInt8>, isReceived: Bool) -> Bool {
    if isReceived { received = Frame() } else { sent = Frame() }
    take(part, isReceived: isReceived)
    return isReceived
  }

  /// Takes a later part of a frame. Returns whether a controller sent it; `nil` where no frame lacks it, or both may.
  mutating func carryOn(_ part: ArraySlice<UInt8>) -> Bool? {
    let isReceived: Bool
    switch (sent, received) {
    case (nil, nil): return nil
    case (_?, nil): isReceived = false
    case (nil, _?): isReceived = true
    case (let sent?, let received?):
      let (fitsSent, fitsReceived) = (sent.rest ?? .max >= part.count, received.rest ?? .max >= part.count)
      guard fitsSent != fitsReceived else {
        // From here on nobody knows how much either lacks.
        self = OpenFrames()
        return nil
      }
      isReceived = fitsReceived
    }
    take(part, isReceived: isReceived)
    return isReceived
  }

  private mutating func take(_ part: ArraySlice<UInt8>, isReceived: Bool) {
    var frame = isReceived ? received : sent
    frame?.take(part)
    if let rest = frame?.rest, rest <= 0 { frame = nil }
    if isReceived { received = frame } else { sent = frame }
  }
}
