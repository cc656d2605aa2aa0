/// One instruction executed by qemu-arm: what was executed, the seed of the inputs, and the results.
///
/// `Vectors/generator/harness.c` writes the file and makes the inputs of a seed by the same arithmetic as ``VectorInputs``.
struct Vector {
  var seed: UInt32 = 0
  var form = 0
  var hasFloats = false
  var hasMemory = false
  var code: [UInt16] = []
  var overrides: [(register: Int, value: UInt32)] = []
  var registers: [Int: UInt32] = [:]
  var status: UInt32 = 0
  var floatStatus: UInt32 = 0
  var floats: [Int: UInt32] = [:]
  var memory: [Int: UInt32] = [:]
}

/// Reads vectors one after the other.
struct VectorFile {
  private let octets: [UInt8]
  private var position = 4

  /// Vectors in the file.
  let count: Int

  init(_ octets: [UInt8]) {
    self.octets = octets
    count = (0..<4).reduce(0) { $0 | Int(octets[$1]) << (8 * $1) }
  }

  private mutating func number(_ width: Int) -> UInt32 {
    defer { position += width }
    return (0..<width).reduce(0) { $0 | UInt32(octets[position + $1]) << (8 * UInt32($1)) }
  }

  private mutating func changes(_ maskWidth: Int) -> [Int: UInt32] {
    let mask = number(maskWidth)
    var result: [Int: UInt32] = [:]
    for bit in 0..<32 where mask >> UInt32(bit) & 1 != 0 { result[bit] = number(4) }
    return result
  }

  mutating func next() -> Vector {
    var vector = Vector()
    vector.seed = number(4)
    let shape = number(1)
    vector.hasFloats = shape & 0x10 != 0
    vector.hasMemory = shape & 0x20 != 0
    let count = Int(number(1))
    vector.form = Int(number(2))
    vector.code = (0..<Int(shape & 15)).map { _ in UInt16(number(2)) }
    vector.overrides = (0..<count).map { _ in (Int(number(1)), number(4)) }
    vector.registers = changes(2)
    vector.status = number(2) << 16
    if vector.hasFloats {
      vector.floatStatus = number(4)
      vector.floats = changes(4)
    }
    if vector.hasMemory { vector.memory = changes(4) }
    return vector
  }
}

/// The inputs that follow from a seed.
struct VectorInputs {
  var registers: [UInt32] = []
  var status: UInt32 = 0
  var memory: [UInt32] = []
  var floats: [UInt32] = []
  var floatStatus: UInt32 = 0
  private var state: UInt32

  static let window: UInt32 = 0x2000_0100

  init(_ vector: Vector) {
    state = vector.seed
    registers = (0..<15).map { $0 == 13 ? Self.window + 64 : word() }
    status = draw() & 0xF80F_0000
    memory = (0..<32).map { _ in word() }
    floats = (0..<32).map { _ in vector.hasFloats ? number() : 0 }
    let mode = draw()
    if vector.hasFloats {
      floatStatus = mode & 0xF000_009F
      if mode >> 8 & 1 != 0 { floatStatus |= mode & 0x07C0_0000 } else if mode >> 9 & 1 != 0 { floatStatus |= 0x10 }
    }
    for (register, value) in vector.overrides { registers[register] = value }
  }

  private mutating func draw() -> UInt32 {
    state &+= 0x9E37_79B9
    var z = state
    z ^= z >> 16
    z &*= 0x85EB_CA6B
    z ^= z >> 13
    z &*= 0xC2B2_AE35
    return z ^ z >> 16
  }

  private static let words: [UInt32] = [
    0, 1, 2, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFE, 0x8000_0001, 0x8000, 0x7FFF, 0xFFFF, 0x10000,
    0xFFFF_8000, 0x4000_0000, 0x5555_5555, 0xAAAA_AAAA,
  ]
  private static let halves: [UInt32] = [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0xFFFE, 0x4000, 0x8001]
  private static let octets: [UInt32] = [0, 1, 0x7F, 0x80, 0xFF, 0xFE, 0x40, 0x81]
  private static let numbers: [UInt32] = [
    0, 0x8000_0000, 0x7F80_0000, 0xFF80_0000, 0x7FC0_0000, 0x7FA0_0001, 0xFFC1_2345, 0xFF80_0001, 0x3F80_0000,
    0xBF80_0000, 0x7F7F_FFFF, 0xFF7F_FFFF, 1, 0x807F_FFFF, 0x0080_0000, 0x3FC0_0000,
  ]

  private mutating func word() -> UInt32 {
    let kind = draw() & 7
    let v = draw()
    switch kind {
    case 3: return Self.words[Int(v & 15)]
    case 4: return v & 0x3F
    case 5: return Self.halves[Int(v & 7)] << 16 | Self.halves[Int(v >> 3 & 7)]
    case 6:
      return Self.octets[Int(v & 7)] << 24 | Self.octets[Int(v >> 3 & 7)] << 16 | Self.octets[Int(v >> 6 & 7)] << 8
        | Self.octets[Int(v >> 9 & 7)]
    case 7: return ~(v & 0x3F)
    default: return v
    }
  }

  private mutating func number() -> UInt32 {
    let kind = draw() & 7
    let v = draw()
    let step = v >> 23 & 0xFF
    switch kind {
    case 0: return Self.numbers[Int(v & 15)]
    case 1: return v
    case 4: return v & 0x807F_FFFF
    case 5: return v & 0x807F_FFFF | (127 + step % 36) << 23
    case 6: return v & 0x807F_FFFF | (v & 0x80_0000 != 0 ? 254 - (v >> 24 & 3) : 1 + (v >> 24 & 31)) << 23
    case 7: return v & 0x8070_0000 | (120 + step % 14) << 23
    default: return v & 0x807F_FFFF | (110 + step % 34) << 23
    }
  }
}
