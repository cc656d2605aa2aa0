/// Multiplication with a result of 32 bits (Armv7-M Architecture Reference Manual, A5.3.16).
extension Encoding {
  func wideMultiply() -> Operation {
    if bits(6, 2) != 0 { return undefined }
    if isBad(d, n, m) || t == 13 { return unpredictable }
    let code = bits(4, 2)
    let hasAddend = t != 15
    func with(_ handler: @escaping Handler) -> Operation {
      Operation(d: d, n: n, m: m, a: t, value: code, handler)
    }
    switch bits(20, 3) {
    case 0:
      switch code {
      case 0: return hasAddend ? with(Handlers.multiplyAdd) : with(Handlers.multiply)
      case 1: return hasAddend ? with(Handlers.multiplySubtract) : unpredictable
      default: return undefined
      }
    case 1: return with(Handlers.multiplyHalves)
    case 2: return code < 2 ? with(Handlers.multiplyDualAdd) : undefined
    case 3: return code < 2 ? with(Handlers.multiplyWordByHalf) : undefined
    case 4: return code < 2 ? with(Handlers.multiplyDualSubtract) : undefined
    case 5: return code < 2 ? with(Handlers.multiplyTop) : undefined
    case 6: return code > 1 ? undefined : hasAddend ? with(Handlers.multiplyTopSubtract) : unpredictable
    default: return code == 0 ? with(Handlers.sumOfDifferences) : undefined
    }
  }
}

extension Core {
  /// The addend of a multiplication; nothing where the field says PC.
  @inline(__always) fileprivate func addend(_ o: Step) -> UInt32 { o.a == 15 ? 0 : self[o.a] }

  /// Stores a sum of a product and an addend, and notes in Q when it did not fit.
  @inline(__always) fileprivate func setSum(_ o: Step, _ sum: Int64) {
    if Int64(Int32(truncatingIfNeeded: sum)) != sum { setSaturated() }
    self[o.d] = UInt32(truncatingIfNeeded: sum)
  }
}

/// The half of a word that a bit chooses, as a signed number.
@inline(__always) func half(_ word: UInt32, _ isTop: Bool) -> Int64 {
  Int64(isTop ? Halfwords.high(word) : Halfwords.low(word))
}

/// The products of both halves of two words, the second one exchanged if asked.
@inline(__always) func products(_ a: UInt32, _ b: UInt32, _ isExchanged: Bool) -> (Int64, Int64) {
  (half(a, false) &* half(b, isExchanged), half(a, true) &* half(b, !isExchanged))
}

extension Handlers {
  static let multiply: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.n] &* c[o.m]
    return c.next(o)
  }
  static let multiplyAdd: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.a] &+ c[o.n] &* c[o.m]
    return c.next(o)
  }
  static let multiplySubtract: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.a] &- c[o.n] &* c[o.m]
    return c.next(o)
  }
  /// SMULxy and SMLAxy.
  static let multiplyHalves: Handler = {
    let (c, o) = at($0, $1)
    let product = half(c[o.n], o.value & 2 != 0) &* half(c[o.m], o.value & 1 != 0)
    c.setSum(o, product &+ signed(c.addend(o)))
    return c.next(o)
  }
  /// SMUAD and SMLAD.
  static let multiplyDualAdd: Handler = {
    let (c, o) = at($0, $1)
    let (low, high) = products(c[o.n], c[o.m], o.value & 1 != 0)
    c.setSum(o, low &+ high &+ signed(c.addend(o)))
    return c.next(o)
  }
  /// SMUSD and SMLSD.
  static let multiplyDualSubtract: Handler = {
    let (c, o) = at($0, $1)
    let (low, high) = products(c[o.n], c[o.m], o.value & 1 != 0)
    c.setSum(o, low &- high &+ signed(c.addend(o)))
    return c.next(o)
  }
  /// SMULWy and SMLAWy.
  static let multiplyWordByHalf: Handler = {
    let (c, o) = at($0, $1)
    let product = (signed(c[o.n]) &* half(c[o.m], o.value & 1 != 0)) >> 16
    c.setSum(o, product &+ signed(c.addend(o)))
    return c.next(o)
  }
  /// SMMUL and SMMLA, rounded if asked.
  static let multiplyTop: Handler = {
    let (c, o) = at($0, $1)
    let product = signed(c[o.n]) &* signed(c[o.m])
    let sum = product &+ signed(c.addend(o)) << 32 &+ (o.value & 1 != 0 ? 0x8000_0000 : 0)
    c[o.d] = UInt32(truncatingIfNeeded: sum >> 32)
    return c.next(o)
  }
  /// SMMLS, rounded if asked.
  static let multiplyTopSubtract: Handler = {
    let (c, o) = at($0, $1)
    let product = signed(c[o.n]) &* signed(c[o.m])
    let sum = signed(c.addend(o)) << 32 &- product &+ (o.value & 1 != 0 ? 0x8000_0000 : 0)
    c[o.d] = UInt32(truncatingIfNeeded: sum >> 32)
    return c.next(o)
  }
  /// USAD8 and USADA8.
  static let sumOfDifferences: Handler = {
    let (c, o) = at($0, $1)
    var sum = c.addend(o)
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      let (x, y) = (c[o.n] >> shift & 0xFF, c[o.m] >> shift & 0xFF)
      sum &+= x > y ? x &- y : y &- x
    }
    c[o.d] = sum
    return c.next(o)
  }
}
