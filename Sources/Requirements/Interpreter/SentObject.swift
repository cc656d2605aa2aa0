import SecureDFU

/// What was sent of one object on one link, so that it can be compared with what a bootloader says it has.
struct SentObject {
  typealias State = ControlPointReply.ObjectState

  /// States that are remembered; an object of 4,096 octets has 205 packets of 20.
  static let checkpointLimit = 512

  private enum Knowledge {
    /// Nothing: the object was begun on another link, or from a place that is not known.
    case unknown(hasJustBegun: Bool)
    /// Everything that was sent.
    case sent(State)
    /// Something was lost in the middle; only a new object or a selection tells where it stands.
    case diverged
  }

  private var knowledge = Knowledge.unknown(hasJustBegun: false)
  /// What was there after each packet.
  private var checkpoints: [State] = []
  /// Where an object that is created begins; `nil` where that is not known.
  private var base: State?

  init(base: State? = nil) { self.base = base }

  /// Octets that were sent, with what was there before; `nil` where that is not known.
  var sentOctets: UInt32? { if case .sent(let state) = knowledge { state.offset } else { nil } }

  /// An object was created, which takes the place of one that was not executed.
  mutating func begin() {
    checkpoints = []
    knowledge = base.map(Knowledge.sent) ?? .unknown(hasJustBegun: true)
  }

  /// The object was executed: the next one begins where it ends.
  mutating func executed() {
    checkpoints = []
    if case .sent(let state) = knowledge { base = state } else { base = nil }
  }

  /// A packet was sent.
  mutating func append(_ packet: [UInt8]) {
    guard case .sent(let state) = knowledge else {
      if case .unknown = knowledge { knowledge = .unknown(hasJustBegun: false) }
      return
    }
    let next = State(
      offset: state.offset &+ UInt32(truncatingIfNeeded: packet.count),
      checksum: CRC32.checksum(packet, continuing: state.checksum))
    if checkpoints.count == Self.checkpointLimit { checkpoints.removeFirst() }
    checkpoints.append(next)
    knowledge = .sent(next)
  }

  /// The bootloader told, asked by a selection, where the object stands. That counts, whatever was sent.
  mutating func selected(_ state: State) -> Bool? {
    let isAsSent = compare(state)
    // The checksum of nothing may be left over from another update.
    let counted = state.offset == 0 ? State(offset: 0, checksum: 0) : state
    if counted.offset == 0 { base = counted }
    if let base, base.offset > counted.offset { self.base = nil }
    if isAsSent != true { checkpoints = [] }
    knowledge = .sent(counted)
    return isAsSent
  }

  /// The bootloader told, asked for the checksum, where the object stands. Where only the end is missing, that is sent
  /// again, and the rest is still what was sent.
  mutating func checked(_ state: State) -> Bool? {
    let isAsSent = compare(state)
    switch isAsSent {
    case nil:
      if case .unknown(hasJustBegun: true) = knowledge { base = state }
      knowledge = .sent(state)
    case false?:
      if let index = checkpoints.lastIndex(of: state) {
        checkpoints.removeSubrange((index + 1)...)
        knowledge = .sent(state)
      } else if state == base {
        begin()
      } else {
        knowledge = .diverged
      }
    case true?: break
    }
    return isAsSent
  }

  /// The bootloader told by itself where the object stands, which may be behind what is on its way.
  func received(_ state: State) -> Bool? {
    let isAsSent = compare(state)
    return isAsSent == false && checkpoints.contains(state) ? nil : isAsSent
  }

  private func compare(_ state: State) -> Bool? {
    switch knowledge {
    case .unknown: nil
    case .sent(let sent): sent.offset == state.offset && (sent.offset == 0 || sent.checksum == state.checksum)
    case .diverged: false
    }
  }
}
