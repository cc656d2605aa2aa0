/// The processor while it executes: registers, flags and the ways out of a block, over a pointer to the ``RunContext``.
struct Core {
  let context: UnsafeMutablePointer<RunContext>

  @inline(__always) init(_ raw: UnsafeMutableRawPointer) { context = raw.assumingMemoryBound(to: RunContext.self) }

  @inline(__always) private var registers: UnsafeMutablePointer<UInt32> {
    UnsafeMutableRawPointer(context).assumingMemoryBound(to: UInt32.self)
  }

  /// A core register, 0 to 15, by the number that the decoder made.
  @inline(__always) subscript(_ register: UInt8) -> UInt32 {
    get { registers[Int(register)] }
    nonmutating set { registers[Int(register)] = newValue }
  }

  /// A single-precision register, 0 to 31.
  @inline(__always) func float(_ register: UInt8) -> UInt32 { registers[16 + Int(register)] }

  @inline(__always) func setFloat(_ register: UInt8, _ value: UInt32) { registers[16 + Int(register)] = value }

  @inline(__always) var state: CoreState {
    get { context.pointee.state }
    nonmutating _modify { yield &context.pointee.state }
  }

  // MARK: Flags

  /// The carry flag, 0 or 1.
  @inline(__always) var carry: UInt32 {
    get { context.pointee.state.carry }
    nonmutating set { context.pointee.state.carry = newValue }
  }

  @inline(__always) func setNZ(_ result: UInt32) {
    context.pointee.state.negative = result
    context.pointee.state.notZero = result
  }

  @inline(__always) var isZero: Bool { context.pointee.state.notZero == 0 }
  @inline(__always) var isNegative: Bool { context.pointee.state.negative >> 31 != 0 }
  @inline(__always) var isOverflow: Bool { context.pointee.state.overflow >> 31 != 0 }

  @inline(__always) func setSaturated() { context.pointee.state.saturation = 1 }

  /// Whether a condition holds (Armv7-M Architecture Reference Manual, A7.3).
  @inline(__always) func holds(_ condition: UInt8) -> Bool {
    let base: Bool =
      switch condition >> 1 {
      case 0: isZero
      case 1: carry != 0
      case 2: isNegative
      case 3: isOverflow
      case 4: carry != 0 && !isZero
      case 5: isNegative == isOverflow
      case 6: !isZero && isNegative == isOverflow
      default: true
      }
    return base != (condition & 1 != 0)
  }

  // MARK: Arithmetic

  /// a + b + carry, with all four flags.
  @inline(__always) func addWithFlags(_ a: UInt32, _ b: UInt32, _ carryIn: UInt32) -> UInt32 {
    let sum = UInt64(a) &+ UInt64(b) &+ UInt64(carryIn)
    let result = UInt32(truncatingIfNeeded: sum)
    setNZ(result)
    carry = UInt32(truncatingIfNeeded: sum >> 32)
    context.pointee.state.overflow = (a ^ result) & (b ^ result)
    return result
  }

  // MARK: From operation to operation

  /// Goes on with the operation behind an executed one.
  ///
  /// Every handler ends with a call, which the optimizer makes a jump. Without it the depth is that of a block.
  @inline(__always) func next(_ step: Step) {
    let following = step.pointer + 1
    following.pointee.handler(UnsafeMutableRawPointer(context), UnsafeRawPointer(following))
  }

  // MARK: Ways out of a block

  /// Instructions executed before the one of a step.
  @inline(__always) func cycle(at step: Step) -> UInt64 {
    context.pointee.state.cycles &+ UInt64(truncatingIfNeeded: step.index)
  }

  /// Leaves the block behind an executed operation, to go on at an address.
  @inline(__always) func leave(_ step: Step, to target: UInt32) {
    let executed = step.index &+ 1
    context.pointee.executed = executed
    context.pointee.state.cycles &+= UInt64(truncatingIfNeeded: executed)
    self[15] = target
    context.pointee.wentBackward = target <= step.address
  }

  /// Leaves the block behind an executed operation that may stand in an IT block, to go on behind it.
  func leaveBehind(_ step: Step) {
    context.pointee.state.itState = step.pointer.pointee.itAfter
    leave(step, to: step.following)
    context.pointee.wentBackward = false
  }

  /// Leaves the block in front of an operation, which counts as not executed.
  func leaveBefore(_ step: Step) {
    let executed = step.index
    context.pointee.executed = executed
    context.pointee.state.cycles &+= UInt64(truncatingIfNeeded: executed)
    context.pointee.state.itState = step.pointer.pointee.itBefore
    self[15] = step.address
    context.pointee.wentBackward = false
  }

  /// Ends the run with a fault of an operation.
  @inline(never) func fail(_ kind: ProcessorFault.Kind, _ step: Step, _ address: UInt32? = nil) {
    stop(ProcessorFault(kind, programCounter: step.address, address: address))
    leaveBefore(step)
  }

  /// Ends the run with a fault.
  func stop(_ fault: ProcessorFault) {
    context.pointee.state.fault = fault
    context.pointee.end(with: .fault(fault))
  }

  /// Branches as BX, BLX, POP and loads of PC do: bit 0 must be set, and in handler mode 0xF… returns from the exception.
  @inline(__always) func branchExchange(_ step: Step, to target: UInt32) {
    if target & 1 == 0 || target >= 0xF000_0000 { return branchSpecially(step, to: target) }
    return leave(step, to: target & ~1)
  }

  /// Branches as BLX does: bit 0 must be set, and nothing returns from an exception.
  @inline(__always) func branchInterworking(_ step: Step, to target: UInt32) {
    if target & 1 == 0 {
      context.pointee.state.isThumb = false
      context.pointee.mustLook = true
    }
    return leave(step, to: target & ~1)
  }

  @inline(never) private func branchSpecially(_ step: Step, to target: UInt32) {
    if target >= 0xF000_0000, context.pointee.state.exception != 0 {
      context.pointee.state.pendingReturn = target
      context.pointee.mustLook = true
      return leave(step, to: target & ~1)
    }
    context.pointee.state.isThumb = target & 1 != 0
    return leave(step, to: target & ~1)
  }

  var isPrivileged: Bool { context.pointee.state.control & 1 == 0 || context.pointee.state.exception != 0 }
}

/// Core and step of the two pointers that a handler is given.
@inline(__always) func at(_ core: UnsafeMutableRawPointer, _ step: UnsafeRawPointer) -> (Core, Step) {
  (Core(core), Step(step))
}
