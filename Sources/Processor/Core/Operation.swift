/// What executes one operation and those behind it. It takes the ``RunContext`` and the ``Operation``, and returns when the
/// block is left.
typealias Handler = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

/// One decoded instruction: who executes it, and on what. It is small, because what a firmware executes between two ticks
/// has to stay in the cache of the machine.
struct Operation {
  var handler: Handler
  var address: UInt32 = 0
  /// An immediate value, an offset, or a branch's target.
  var value: UInt32 = 0
  /// Registers: destination, first and second operand, and whatever else the instruction needs.
  var d: UInt8 = 0
  var n: UInt8 = 0
  var m: UInt8 = 0
  var a: UInt8 = 0
  /// Its place in the block.
  var index: UInt8 = 0
  /// The condition in the four lower bits, bit 6 for four octets, and in the highest one whether the block ends here.
  private var flags: UInt8 = 14
  /// ITSTATE before and behind this instruction.
  var itBefore: UInt8 = 0
  var itAfter: UInt8 = 0

  /// The condition inside an IT block; 14 is always.
  var condition: UInt8 {
    get { flags & 0xF }
    set { flags = flags & 0xF0 | newValue & 0xF }
  }

  /// Octets.
  var length: UInt32 {
    get { flags & 0x40 != 0 ? 4 : 2 }
    set { flags = newValue == 4 ? flags | 0x40 : flags & 0xBF }
  }

  /// Whether nothing behind this instruction is reached by going straight on.
  var endsBlock: Bool {
    get { flags & 0x80 != 0 }
    set { flags = newValue ? flags | 0x80 : flags & 0x7F }
  }

  init(
    d: UInt32 = 0, n: UInt32 = 0, m: UInt32 = 0, a: UInt32 = 0, value: UInt32 = 0, _ handler: @escaping Handler
  ) {
    self.handler = handler
    self.d = UInt8(truncatingIfNeeded: d)
    self.n = UInt8(truncatingIfNeeded: n)
    self.m = UInt8(truncatingIfNeeded: m)
    self.a = UInt8(truncatingIfNeeded: a)
    self.value = value
  }
}

/// The operation being executed, as its handler sees it.
struct Step {
  let pointer: UnsafePointer<Operation>

  @inline(__always) init(_ raw: UnsafeRawPointer) { pointer = raw.assumingMemoryBound(to: Operation.self) }

  @inline(__always) var d: UInt8 { pointer.pointee.d }
  @inline(__always) var n: UInt8 { pointer.pointee.n }
  @inline(__always) var m: UInt8 { pointer.pointee.m }
  @inline(__always) var a: UInt8 { pointer.pointee.a }
  @inline(__always) var value: UInt32 { pointer.pointee.value }
  /// Its place in the block.
  @inline(__always) var index: Int { Int(pointer.pointee.index) }
  @inline(__always) var address: UInt32 { pointer.pointee.address }
  /// The address of the instruction behind this one.
  @inline(__always) var following: UInt32 { pointer.pointee.address &+ pointer.pointee.length }
}
