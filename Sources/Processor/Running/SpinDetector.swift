/// Finds loops that can change nothing, and skips them.
///
/// The processor is deterministic. If it comes twice to the same place with the same registers, flags, exceptions and
/// memory, and has not touched anything outside in between, it will come there again and again, always after the same
/// number of cycles, until something from outside happens: not before the horizon of the run. So whole rounds can be
/// skipped up to there.
///
/// Comparing costs time, so it happens at backward branches only, against one remembered visit. Which visit is
/// remembered is decided as in Brent's algorithm: after the first, second, fourth, eighth, ... since the outside was touched.
/// When everything but memory agrees, one more round is made with a log of all stores, to compare memory too. Where a loop
/// was found before, both are done in the first round.
struct SpinDetector {
  /// Backward branches between two remembered visits do not grow beyond this.
  private static let longest = 1 << 14

  private var visits = 0
  private var next = 1
  private var touches: UInt64 = 0
  private var anchor = CoreState()
  /// Whether `anchor` holds a visit that later ones are compared with.
  private var isArmed = false
  private var isProbing = false
  /// Whether a place where a loop was found before was tried in vain since the outside was touched.
  private var hasTried = false

  /// To be called after a backward branch.
  @inline(__always) mutating func visit(_ core: Core) {
    visits += 1
    if core.context.pointee.touches != touches { return restart(core) }
    if isArmed, hasSameRegisters(core) { return compare(core) }
    if !hasTried, core.context.pointee.spinHeads.contains(core[15]) { return tryAgain(core) }
    if visits >= next { remember(core) }
  }

  /// Compares word by word: the registers were just written so, and wider loads would wait for these stores.
  @inline(__always) private func hasSameRegisters(_ core: Core) -> Bool {
    for register in 0..<UInt8(16) where core[register] != anchor.registers[Int(register)] { return false }
    return true
  }

  @inline(never) private mutating func restart(_ core: Core) {
    touches = core.context.pointee.touches
    visits = 0
    next = 1
    isArmed = false
    hasTried = false
    endProbe(core)
  }

  /// Begins to compare and to log at once: this place has been a loop's.
  @inline(never) private mutating func tryAgain(_ core: Core) {
    hasTried = true
    remember(core)
    probe(core)
  }

  /// Compares later visits with this one.
  @inline(never) private mutating func remember(_ core: Core) {
    endProbe(core)
    anchor = core.context.pointee.state
    isArmed = true
    visits = 0
    next = min(next * 2, Self.longest)
  }

  /// The registers agree with the remembered visit: looks at everything else.
  @inline(never) private mutating func compare(_ core: Core) {
    let cycles = core.context.pointee.state.cycles
    let period = cycles &- anchor.cycles
    anchor.cycles = cycles
    if !hasSameState(core) {
      // Something else changes in every round: this is looked at ever less often.
      isArmed = false
      endProbe(core)
    } else if isProbing {
      finishProbe(core, period)
    } else {
      probe(core)
    }
  }

  private mutating func probe(_ core: Core) {
    isProbing = true
    core.context.pointee.storage.disown()
    core.context.pointee.storeLog.start()
  }

  /// Compares octets first, which is fast; octets between the fields may differ in equal states.
  private func hasSameState(_ core: Core) -> Bool {
    let theirs = UnsafeRawPointer(core.context)
    let hasSameOctets = withUnsafeBytes(of: anchor) { mine in
      stride(from: 0, to: mine.count & ~7, by: 8).allSatisfy { offset in
        mine.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          == theirs.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      }
        && mine.indices.suffix(mine.count & 7).allSatisfy {
          mine[$0] == theirs.load(fromByteOffset: $0, as: UInt8.self)
        }
    }
    return hasSameOctets || anchor == core.context.pointee.state
  }

  private mutating func finishProbe(_ core: Core, _ period: UInt64) {
    let log = core.context.pointee.storeLog
    let isUnchanged = !log.hasOverflowed && log.words.allSatisfy { core.memoryWord($0.address) == $0.value }
    if isUnchanged, period > 0 {
      let horizon = core.context.pointee.horizon
      let now = core.context.pointee.state.cycles
      if horizon > now {
        let skipped = (horizon - now) / period * period
        core.context.pointee.state.cycles = now + skipped
        core.context.pointee.skipped += skipped
      }
      core.context.pointee.isSpinning = true
      core.context.pointee.spinHeads.insert(core[15])
    }
    isArmed = false
    endProbe(core)
  }

  private mutating func endProbe(_ core: Core) {
    guard isProbing else { return }
    isProbing = false
    core.context.pointee.storeLog.end()
  }
}
