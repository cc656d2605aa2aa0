/// Which block of the chip something is for.
enum BlockIdentifier: UInt8, Hashable, Sendable, CaseIterable {
  case clock, uarte, spim, twi, saadc, watchdog, rtc1, rtc2, software, pwm, pdm, nvmc, gpio, trims
}

/// Something that a block will do at a cycle.
struct ScheduledAction: Hashable, Sendable {
  /// When.
  var cycle: UInt64
  /// Orders what is due in the same cycle as it was scheduled.
  var sequence: UInt64
  /// Whose.
  var block: BlockIdentifier
  /// What; each block numbers its own.
  var action: UInt8
  /// The block's count of plans when this was planned: an older one has been overtaken and does nothing.
  var generation: UInt32
}

/// What is to be done, earliest first. Few things wait at a time, so an ordered list beats a heap.
struct Schedule: Hashable, Sendable {
  private var actions: [ScheduledAction] = []
  private var lastSequence: UInt64 = 0

  /// The cycle of the earliest action.
  var nextDue: UInt64? { actions.last?.cycle }

  /// Plans an action. It replaces the same action of the same block with another generation, which has been overtaken: a
  /// counter that is set a thousand times a second would otherwise leave a thousand plans behind.
  mutating func add(_ block: BlockIdentifier, _ action: UInt8, at cycle: UInt64, generation: UInt32) {
    actions.removeAll { $0.block == block && $0.action == action && $0.generation != generation }
    lastSequence += 1
    let new = ScheduledAction(
      cycle: cycle, sequence: lastSequence, block: block, action: action, generation: generation)
    // Latest first, so that taking one moves nothing.
    let index = actions.lastIndex { $0.cycle > cycle }.map { $0 + 1 } ?? 0
    actions.insert(new, at: index)
  }

  /// Takes the earliest action that is due at `cycle`.
  mutating func takeDue(at cycle: UInt64) -> ScheduledAction? {
    guard let next = actions.last, next.cycle <= cycle else { return nil }
    return actions.removeLast()
  }
}
