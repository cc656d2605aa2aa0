/// Addition and subtraction of two halves or four octets at once (Armv7-M Architecture Reference Manual, A5.3.13, A5.3.14).
extension Encoding {
  func parallel() -> Operation {
    guard let kind = ParallelKind(rawValue: bits(20, 3)), let way = ParallelWay(rawValue: bits(4, 3)) else {
      return undefined
    }
    if isBad(d, n, m) { return unpredictable }
    return Operation(d: d, n: n, m: m, a: kind.rawValue, value: way.rawValue, Handlers.parallel)
  }
}

/// What is added to and subtracted from what.
enum ParallelKind: UInt32 {
  case add8 = 0
  case add16 = 1
  case addSubtractExchange = 2
  case subtract8 = 4
  case subtract16 = 5
  case subtractAddExchange = 6
}

/// What becomes of a sum that does not fit.
enum ParallelWay: UInt32 {
  case signed = 0
  case saturating = 1
  case halving = 2
  case unsigned = 4
  case unsignedSaturating = 5
  case unsignedHalving = 6

  var isSigned: Bool { rawValue < 4 }
}

/// One parallel operation in the making: lanes come in, the result and GE grow.
private struct ParallelSum {
  let way: ParallelWay
  let width: UInt32
  var result: UInt32 = 0
  var greaterEqual: UInt32 = 0

  /// The lane of a word, extended as the operation asks.
  func lane(_ word: UInt32, _ index: UInt32) -> Int32 {
    let bits = (word >> (index * width)) << (32 - width)
    return way.isSigned ? Int32(bitPattern: bits) >> Int32(32 - width) : Int32(bits >> (32 - width))
  }

  mutating func put(_ sum: Int32, at index: UInt32, isSubtraction: Bool) {
    let mask: UInt32 = (1 << width) - 1
    let value: Int32 =
      switch way {
      case .signed, .unsigned: sum
      case .saturating: min(max(sum, -(1 << Int32(width - 1))), (1 << Int32(width - 1)) - 1)
      case .unsignedSaturating: min(max(sum, 0), Int32(mask))
      case .halving, .unsignedHalving: sum >> 1
      }
    result |= (UInt32(bitPattern: value) & mask) << (index * width)
    let isSet = way.isSigned || isSubtraction ? sum >= 0 : sum > Int32(mask)
    if isSet { greaterEqual |= (width == 8 ? 1 : 3) << (index * width / 8) }
  }
}

extension Handlers {
  static let parallel: Handler = {
    let (c, o) = at($0, $1)
    guard let kind = ParallelKind(rawValue: UInt32(o.a)), let way = ParallelWay(rawValue: o.value) else {
      return c.next(o)
    }
    let (a, b) = (c[o.n], c[o.m])
    let isOctets = kind == .add8 || kind == .subtract8
    let isExchanging = kind == .addSubtractExchange || kind == .subtractAddExchange
    var sum = ParallelSum(way: way, width: isOctets ? 8 : 16)
    for index in 0..<(isOctets ? UInt32(4) : 2) {
      let isSubtraction =
        switch kind {
        case .add8, .add16: false
        case .subtract8, .subtract16: true
        case .addSubtractExchange: index == 0
        case .subtractAddExchange: index == 1
        }
      let (x, y) = (sum.lane(a, index), sum.lane(b, isExchanging ? 1 - index : index))
      sum.put(isSubtraction ? x - y : x + y, at: index, isSubtraction: isSubtraction)
    }
    c[o.d] = sum.result
    if way == .signed || way == .unsigned { c.context.pointee.state.greaterEqual = sum.greaterEqual }
    return c.next(o)
  }
}
