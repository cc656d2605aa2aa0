import SecureDFU

/// What was sent of one object on one link, so that it can be compared with what a bootloader says it has.
struct SentObject {
  typealias State = ControlPointReply.ObjectState

  /// States that are remembered; an object of 4,096 octets has 205 packets of 20.
  static let checkpointLimit = 512
  /// States, each of which may be the one that was sent.
  static let stateLimit = 4

  /// What was sent; empty where the object was begun on another link, or from a place that is not known.
  private var states: [State] = []
  /// What the bootloader told to have when the end was missing: the phone may send that again, or go on.
  private var told: [State] = []
  /// Whether that is a place where a packet ended. It need not be: of octets that are alike some may be lost unseen.
  private var isToldKnown = true
  /// Whether more was sent behind a place that is not known here, so that nothing can be said of the object any more.
  private var isDoubtful = false
  /// What was there after each packet.
  private var checkpoints: [State] = []
  /// Where an object that is created begins; `nil` where that is not known.
  private var base: State?
  /// Whether the object was created, and nothing was sent of it since.
  private var hasJustBegun = false

  init(base: State? = nil) { self.base = base }

  /// Octets that were sent, with what was there before; `nil` where that is not known.
  var sentOctets: UInt32? { states.count == 1 ? states[0].offset : nil }

  /// An object was created, which takes the place of one that was not executed.
  mutating func begin() {
    checkpoints = []
    states = base.map { [$0] } ?? []
    told = []
    isDoubtful = false
    hasJustBegun = true
  }

  /// The object was executed: the next one begins where it ends.
  mutating func executed() {
    checkpoints = []
    base = states.count == 1 && !isDoubtful ? states[0] : nil
    told = []
    isDoubtful = false
  }

  /// A packet was sent.
  mutating func append(_ packet: [UInt8]) {
    hasJustBegun = false
    if !told.isEmpty, !isToldKnown || states.count >= Self.stateLimit { isDoubtful = true }
    states += told.filter { !states.contains($0) }.prefix(max(0, Self.stateLimit - states.count))
    told = []
    for index in states.indices {
      let state = states[index]
      states[index] = State(
        offset: state.offset &+ UInt32(truncatingIfNeeded: packet.count),
        checksum: CRC32.checksum(packet, continuing: state.checksum))
      if checkpoints.count == Self.checkpointLimit { checkpoints.removeFirst() }
      checkpoints.append(states[index])
    }
  }

  /// The bootloader told, asked by a selection, where the object stands. That counts, whatever was sent.
  mutating func selected(_ state: State) -> Bool? {
    let state = Self.normal(state)
    let isAsSent = compare(state)
    if state.offset == 0 { base = state }
    if let base, base.offset > state.offset { self.base = nil }
    if isAsSent != true { checkpoints = [] }
    states = [state]
    told = []
    isDoubtful = false
    return isAsSent
  }

  /// The bootloader told, asked for the checksum, where the object stands. It may be wrong and be asked again, and
  /// where only the end is missing that may be sent again.
  mutating func checked(_ state: State) -> Bool? {
    let state = Self.normal(state)
    let isAsSent = compare(state)
    switch isAsSent {
    case nil:
      guard !isDoubtful else { break }
      if hasJustBegun { base = state }
      states = [state]
    case true?:
      states = [state]
      told = []
    case false?:
      told = [state]
      isToldKnown = state == base || checkpoints.contains(state)
    }
    return isAsSent
  }

  /// The bootloader told by itself where the object stands, which may be behind what is on its way.
  mutating func received(_ state: State) -> Bool? {
    let state = Self.normal(state)
    let isAsSent = compare(state)
    if isAsSent == true { states = [state] }
    return isAsSent == false && checkpoints.contains(state) ? nil : isAsSent
  }

  /// Whether octets were sent up to this offset, of which none can be missing, and have another checksum.
  func contradicts(_ state: State) -> Bool {
    guard state.offset > 0, compare(state) == false else { return false }
    return states.allSatisfy { $0.offset == state.offset }
  }

  /// The checksum of nothing may be left over from another update.
  private static func normal(_ state: State) -> State { state.offset == 0 ? State(offset: 0, checksum: 0) : state }

  private func compare(_ state: State) -> Bool? {
    states.isEmpty || isDoubtful ? nil : states.contains(state)
  }
}
