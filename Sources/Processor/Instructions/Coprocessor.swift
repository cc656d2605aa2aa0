/// Decoding of floating point (Armv7-M Architecture Reference Manual, A6.4 to A6.7).
extension Encoding {
  func coprocessor() -> Operation {
    if bits(28, 4) == 15 || bits(24, 2) == 3 { return undefined }
    guard bits(9, 3) == 5 else { return Operation(value: word, Handlers.noCoprocessor) }
    if bits(25, 1) == 0 { return floatTransfer() }
    return bit(4) ? floatRegisterTransfer() : bit(8) ? undefined : floatDataProcessing()
  }

  /// The single-precision registers: four bits of the number, and its lowest bit elsewhere.
  private var singleD: UInt32 { bits(12, 4) << 1 | bits(22, 1) }
  private var singleN: UInt32 { bits(16, 4) << 1 | bits(7, 1) }
  private var singleM: UInt32 { bits(0, 4) << 1 | bits(5, 1) }
  /// The first single-precision register of a double-precision one; 32 and more do not exist.
  private var doubleD: UInt32 { (bits(22, 1) << 4 | bits(12, 4)) * 2 }

  private func three(_ handler: @escaping Handler) -> Operation {
    Operation(d: singleD, n: singleN, m: singleM, a: bits(6, 1), handler)
  }

  private func floatDataProcessing() -> Operation {
    switch bits(23, 1) << 2 | bits(20, 2) {
    case 0: return three(Handlers.floatMultiplyAdd)
    case 1: return three(Handlers.floatNegatedMultiplyAdd)
    case 2: return three(Handlers.floatMultiply)
    case 3: return three(bit(6) ? Handlers.floatSubtract : Handlers.floatAdd)
    case 4: return bit(6) ? undefined : three(Handlers.floatDivide)
    case 5: return three(Handlers.floatFusedNegated)
    case 6: return three(Handlers.floatFused)
    default: return bit(6) ? floatOther() : floatImmediate()
    }
  }

  /// VMOV of a constant.
  private func floatImmediate() -> Operation {
    if bit(5) || bit(7) { return unpredictable }
    let code = bits(16, 4) << 4 | bits(0, 4)
    let value = (code & 0x80) << 24 | (code & 0x40 != 0 ? 0x3E00_0000 : 0x4000_0000) | (code & 0x3F) << 19
    return Operation(d: singleD, value: value, Handlers.floatSetImmediate)
  }

  private func floatOther() -> Operation {
    let (d, m) = (singleD, singleM)
    switch (bits(16, 4), bit(7)) {
    case (0, false): return Operation(d: d, m: m, Handlers.floatMove)
    case (0, true): return Operation(d: d, m: m, Handlers.floatAbsolute)
    case (1, false): return Operation(d: d, m: m, Handlers.floatNegate)
    case (1, true): return Operation(d: d, m: m, Handlers.floatSquareRoot)
    case (2, let isTop): return Operation(d: d, m: m, a: isTop ? 16 : 0, Handlers.floatFromHalf)
    case (3, let isTop): return Operation(d: d, m: m, a: isTop ? 16 : 0, Handlers.floatToHalf)
    case (4, let isStrict): return Operation(d: d, m: m, a: isStrict ? 1 : 0, Handlers.floatCompare)
    case (5, let isStrict):
      if bits(0, 4) != 0 || bit(5) { return unpredictable }
      return Operation(d: d, a: isStrict ? 1 : 0, Handlers.floatCompareZero)
    case (8, let isSigned): return Operation(d: d, m: m, a: isSigned ? 1 : 0, Handlers.floatFromInteger)
    case (10, _), (11, _), (14, _), (15, _): return floatFixed()
    case (12, let isToZero), (13, let isToZero):
      return Operation(d: d, m: m, a: bits(16, 1) | (isToZero ? 2 : 0), Handlers.floatToInteger)
    default: return undefined
    }
  }

  private func floatFixed() -> Operation {
    let width: UInt32 = bit(7) ? 32 : 16
    let places = bits(0, 4) << 1 | bits(5, 1)
    if places > width { return unpredictable }
    return Operation(
      d: singleD, n: width, a: bits(16, 1), value: width - places,
      bit(18) ? Handlers.floatToFixed : Handlers.floatFromFixed)
  }

  /// VMOV between core and floating-point registers, VMRS and VMSR.
  private func floatRegisterTransfer() -> Operation {
    let t = t
    if bit(8) {
      if bits(22, 2) != 0 || bits(5, 2) != 0 { return undefined }
      if isBad(t) { return unpredictable }
      let register = (bits(7, 1) << 4 | bits(16, 4)) * 2 + bits(21, 1)
      if register > 31 { return undefined }
      return Operation(d: t, n: register, bit(20) ? Handlers.floatToCore : Handlers.floatFromCore)
    }
    switch bits(21, 3) {
    case 0:
      if isBad(t) { return unpredictable }
      return Operation(d: t, n: singleN, bit(20) ? Handlers.floatToCore : Handlers.floatFromCore)
    case 7:
      if bits(16, 4) != 1 { return undefined }
      if bit(20) {
        return t == 13 ? unpredictable : Operation(d: t, t == 15 ? Handlers.floatFlags : Handlers.floatReadStatus)
      }
      return isBad(t) ? unpredictable : Operation(d: t, Handlers.floatWriteStatus)
    default: return undefined
    }
  }

  /// VLDR, VSTR, VLDM, VSTM, and VMOV of two registers.
  private func floatTransfer() -> Operation {
    let (isBefore, isAdded, writesBack) = (bit(24), bit(23), bit(21))
    if !isBefore, !isAdded, !writesBack { return floatPair() }
    let first = bit(8) ? doubleD : singleD
    let offset = bits(0, 8) * 4
    if isBefore, !writesBack {
      if first > 31 { return undefined }
      if n == 15, !bit(20) { return unpredictable }
      let base = isAdded ? offset : 0 &- offset
      return Operation(
        d: first, n: n, m: bit(8) ? 2 : 1, value: n == 15 ? alignedProgramCounter &+ base : base,
        bit(20) ? Handlers.floatLoad : Handlers.floatStore)
    }
    if isBefore == isAdded { return undefined }
    let count = bits(0, 8)
    let isOdd = bit(8) && count & 1 != 0
    if count == 0 || first + count > 32 || isOdd || n == 15 { return unpredictable }
    return Operation(
      d: first, n: n, m: count, a: (isBefore ? 1 : 0) | (writesBack ? 2 : 0),
      bit(20) ? Handlers.floatLoadMultiple : Handlers.floatStoreMultiple)
  }

  private func floatPair() -> Operation {
    if !bit(22) || bits(6, 2) != 0 || !bit(4) { return undefined }
    let second = bits(16, 4)
    if isBad(t, second) || bit(20) && t == second { return unpredictable }
    let register = bit(8) ? (bits(5, 1) << 4 | bits(0, 4)) * 2 : singleM
    if register > 30 { return bit(8) ? undefined : unpredictable }
    return Operation(
      d: t, n: register, m: second, bit(20) ? Handlers.floatPairToCore : Handlers.floatPairFromCore)
  }
}
