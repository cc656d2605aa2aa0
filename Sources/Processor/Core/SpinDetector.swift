/// Finds loops that can change nothing, and skips them.
///
/// The processor is deterministic. If it comes twice to the same place with the same registers, flags, exceptions and
/// memory, and has not touched anything outside in between, it will come there again and again, always after the same
/// number of cycles, until something from outside happens: not before the horizon of the run. So whole rounds can be
/// skipped up to there.
///
/// Comparing costs time, so it happens at backward branches only, against one remembered visit. Which visit is
/// remembered is decided as in Brent's algorithm: the first, second, fourth, eighth, ... since the outside was touched.
/// When the registers agree, one more round is made with a log of all stores, to compare memory too.
struct SpinDetector {
  /// Backward branches between two remembered visits do not grow beyond this.
  private static let longest = 1 << 14

  private var visits = 0
  private var next = 1
  private var touches: UInt64 = 0
  private var anchor: CoreState?
  private var isProbing = false

  /// To be called after a backward branch.
  @inline(__always) mutating func visit(_ core: Core) {
    visits += 1
    if core.context.pointee.touches != touches { return restart(core) }
    guard let place = anchor?.registers[15] else { return remember(core) }
    if core.context.pointee.state.registers[15] == place { compare(core) } else if visits >= next { remember(core) }
  }

  @inline(never) private mutating func restart(_ core: Core) {
    touches = core.context.pointee.touches
    visits = 0
    next = 1
    anchor = nil
    endProbe(core)
  }

  @inline(never) private mutating func remember(_ core: Core) {
    endProbe(core)
    anchor = core.context.pointee.state
    visits = 0
    next = min(next * 2, Self.longest)
  }

  @inline(never) private mutating func compare(_ core: Core) {
    guard var old = anchor, old.registers == core.context.pointee.state.registers else {
      if visits >= next { remember(core) }
      return
    }
    let cycles = core.context.pointee.state.cycles
    let period = cycles - old.cycles
    old.cycles = cycles
    guard period > 0, old == core.context.pointee.state else {
      if visits >= next { remember(core) }
      return
    }
    if isProbing {
      finishProbe(core, period)
    } else {
      isProbing = true
      anchor = core.context.pointee.state
      visits = 0
      core.context.pointee.storage.disown()
      core.context.pointee.storeLog.start()
    }
  }

  private mutating func finishProbe(_ core: Core, _ period: UInt64) {
    let log = core.context.pointee.storeLog
    let isUnchanged = !log.hasOverflowed && log.words.allSatisfy { core.memoryWord($0.address) == $0.value }
    if isUnchanged {
      let horizon = core.context.pointee.horizon
      let now = core.context.pointee.state.cycles
      if horizon > now { core.context.pointee.state.cycles = now + (horizon - now) / period * period }
    }
    // A loop that changes memory in every round is looked at ever less often.
    remember(core)
  }

  private mutating func endProbe(_ core: Core) {
    guard isProbing else { return }
    isProbing = false
    core.context.pointee.storeLog.end()
  }
}
