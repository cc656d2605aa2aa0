/// Decoding of data processing, narrow and wide (Armv7-M Architecture Reference Manual, A5.2.1 to A5.2.3, A5.3.1 to A5.3.4,
/// A5.3.11).
extension Encoding {
  /// ADD and SUB of three registers, or of two and a small constant.
  func narrowAddSubtract() -> Operation {
    let operation: DataOperation = bit(9) ? .subtract : .add
    let (d, n, m) = (bits(0, 3), bits(3, 3), bits(6, 3))
    return bit(10)
      ? dataImmediate(operation, d: d, n: n, m, setsFlags: setsFlags)
      : dataRegister(operation, d: d, n: n, m: m, setsFlags: setsFlags)
  }

  /// MOV, CMP, ADD and SUB with a constant of eight bits.
  func narrowImmediate() -> Operation {
    let (d, value) = (bits(8, 3), bits(0, 8))
    return switch bits(11, 2) {
    case 0: dataImmediate(.move, d: d, n: 0, value, setsFlags: setsFlags)
    case 1: dataImmediate(.subtract, d: 15, n: d, value, setsFlags: true)
    case 2: dataImmediate(.add, d: d, n: d, value, setsFlags: setsFlags)
    default: dataImmediate(.subtract, d: d, n: d, value, setsFlags: setsFlags)
    }
  }

  /// The sixteen operations on two low registers.
  func narrowDataProcessing() -> Operation {
    let (d, m) = (bits(0, 3), bits(3, 3))
    func on(_ operation: DataOperation) -> Operation {
      dataRegister(operation, d: d, n: d, m: m, setsFlags: setsFlags)
    }
    return switch bits(6, 4) {
    case 0: on(.and)
    case 1: on(.exclusiveOr)
    case 2: shiftByRegister(0, d: d, n: d, m: m, setsFlags: setsFlags)
    case 3: shiftByRegister(1, d: d, n: d, m: m, setsFlags: setsFlags)
    case 4: shiftByRegister(2, d: d, n: d, m: m, setsFlags: setsFlags)
    case 5: on(.addCarry)
    case 6: on(.subtractCarry)
    case 7: shiftByRegister(3, d: d, n: d, m: m, setsFlags: setsFlags)
    case 8: dataRegister(.and, d: 15, n: d, m: m, setsFlags: true)
    case 9: dataImmediate(.reverseSubtract, d: d, n: m, 0, setsFlags: setsFlags)
    case 10: dataRegister(.subtract, d: 15, n: d, m: m, setsFlags: true)
    case 11: dataRegister(.add, d: 15, n: d, m: m, setsFlags: true)
    case 12: on(.or)
    case 13: on(.multiply)
    case 14: on(.bitClear)
    default: on(.moveNot)
    }
  }

  /// ADD, CMP and MOV of any registers, BX and BLX.
  func narrowSpecial() -> Operation {
    let (d, m) = (bits(0, 3) | bits(7, 1) << 3, bits(3, 4))
    switch bits(8, 2) {
    case 0:
      if d == 15 { return m == 15 || isInIT && !isLastInIT ? unpredictable : branchAdding(m) }
      return m == 15
        ? dataImmediate(.add, d: d, n: d, programCounter, setsFlags: false)
        : dataRegister(.add, d: d, n: d, m: m, setsFlags: false)
    case 1:
      if d == 15 || m == 15 || d < 8 && m < 8 { return unpredictable }
      return dataRegister(.subtract, d: 15, n: d, m: m, setsFlags: true)
    case 2:
      if d == 15 { return isInIT && !isLastInIT ? unpredictable : branchTo(m) }
      return m == 15
        ? dataImmediate(.move, d: d, n: 0, programCounter, setsFlags: false)
        : dataRegister(.move, d: d, n: 0, m: m, setsFlags: false)
    default:
      return branchExchange(m)
    }
  }

  /// ADR and ADD to a register of SP and a constant.
  func narrowAddress() -> Operation {
    let (d, value) = (bits(8, 3), bits(0, 8) * 4)
    return bit(11)
      ? dataImmediate(.add, d: d, n: 13, value, setsFlags: false)
      : dataImmediate(.move, d: d, n: 0, alignedProgramCounter &+ value, setsFlags: false)
  }

  /// Data processing with an immediate shift of the second operand.
  func wideShiftedRegister() -> Operation {
    let shift = Shift.decode(bits(4, 2), bits(12, 3) << 2 | bits(6, 2))
    if bits(21, 4) == 6 { return packHalfwords() }
    guard let (operation, d, n) = wideOperation(), !isBad(m) || operation == .move && m == 13 && d != 13 && !bit(20)
    else {
      return unpredictableOrUndefined()
    }
    if operation == .move, shift != (0, 0) {
      return self.shift(shift.type, shift.amount, d: d, m: m, setsFlags: bit(20))
    }
    if d == 13, shift.type != 0 || shift.amount > 3 { return unpredictable }
    return shift == (0, 0)
      ? dataRegister(operation, d: d, n: n, m: m, setsFlags: bit(20))
      : dataShifted(operation, d: d, n: n, m: m, shift, setsFlags: bit(20))
  }

  /// Data processing with an expanded constant (A5.3.2).
  func wideModifiedImmediate() -> Operation {
    guard let (operation, d, n) = wideOperation() else { return unpredictableOrUndefined() }
    let code = bits(26, 1) << 11 | bits(12, 3) << 8 | bits(0, 8)
    let octet = code & 0xFF
    if code >> 10 == 0 {
      if octet == 0, code >> 8 != 0 { return unpredictable }
      let value =
        switch code >> 8 {
        case 0: octet
        case 1: octet << 16 | octet
        case 2: octet << 24 | octet << 8
        default: octet &* 0x0101_0101
        }
      return dataImmediate(operation, d: d, n: n, value, setsFlags: bit(20))
    }
    let value = Shift.rotate(code & 0x7F | 0x80, code >> 7, 0).value
    return dataImmediate(operation, d: d, n: n, value, setsFlags: bit(20), carry: value >> 31)
  }

  /// The operation of wide data processing, with the registers it uses; nil where registers or code are not allowed.
  private func wideOperation() -> (DataOperation, d: UInt32, n: UInt32)? {
    guard let operation = DataOperation(rawValue: bits(21, 4)), ![.move, .moveNot, .multiply].contains(operation) else {
      return nil
    }
    let isTest = d == 15 && bit(20)
    switch operation {
    case .or, .orNot:
      if n == 15 {
        let isStack = d == 13 && operation == .or && isWide && bits(25, 2) == 1 && !bit(20)
        return isBad(d) && !isStack ? nil : (operation == .or ? .move : .moveNot, d, 0)
      }
      return isBad(d, n) ? nil : (operation, d, n)
    case .and, .exclusiveOr:
      return isBad(n) || isBad(d) && !isTest ? nil : (operation, d, n)
    case .add, .subtract:
      if n == 15 || d == 15 && !isTest { return nil }
      return d == 13 && n != 13 ? nil : (operation, d, n)
    default:
      return isBad(d, n) ? nil : (operation, d, n)
    }
  }

  private func unpredictableOrUndefined() -> Operation {
    [5, 6, 7, 9, 12, 15].contains(bits(21, 4)) ? undefined : unpredictable
  }

  /// ADDW, SUBW, ADR, MOVW and MOVT; saturation and bit fields are elsewhere.
  func widePlainImmediate() -> Operation {
    let value = bits(26, 1) << 11 | bits(12, 3) << 8 | bits(0, 8)
    switch bits(20, 5) {
    case 0b00000, 0b01010:
      if d == 15 || d == 13 && n != 13 { return unpredictable }
      let operation: DataOperation = bit(23) ? .subtract : .add
      if n == 15 {
        if d == 13 { return unpredictable }
        let address = bit(23) ? alignedProgramCounter &- value : alignedProgramCounter &+ value
        return dataImmediate(.move, d: d, n: 0, address, setsFlags: false)
      }
      return dataImmediate(operation, d: d, n: n, value, setsFlags: false)
    case 0b00100:
      return isBad(d) ? unpredictable : dataImmediate(.move, d: d, n: 0, value | n << 12, setsFlags: false)
    case 0b01100:
      return isBad(d) ? unpredictable : Operation(d: d, value: (value | n << 12) << 16, Handlers.moveTop)
    case 0b10000, 0b10010, 0b11000, 0b11010: return saturate()
    case 0b10100, 0b11100: return extractField()
    case 0b10110: return insertField()
    default: return undefined
    }
  }
}

extension Handlers {
  static let moveTop: Handler = {
    let (c, o) = at($0, $1)
    c[o.d] = c[o.d] & 0xFFFF | o.value
    return c.next(o)
  }
}
