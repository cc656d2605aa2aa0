/// The tables of Armv7-M Architecture Reference Manual, A5.2 and A5.3: which group an encoding belongs to.
extension Encoding {
  func decode() -> Operation { isWide ? decodeWide() : decodeNarrow() }

  private func decodeNarrow() -> Operation {
    switch bits(10, 6) {
    case 0b000000...0b000101: narrowShift()
    case 0b000110...0b000111: narrowAddSubtract()
    case 0b001000...0b001111: narrowImmediate()
    case 0b010000: narrowDataProcessing()
    case 0b010001: narrowSpecial()
    case 0b010010...0b010011: literalLoad(t: bits(8, 3), offset: bits(0, 8) * 4, kind: .word)
    case 0b010100...0b010111: narrowRegisterOffset()
    case 0b011000...0b100011: narrowImmediateOffset()
    case 0b100100...0b100111: narrowStackOffset()
    case 0b101000...0b101011: narrowAddress()
    case 0b101100...0b101111: narrowMiscellaneous()
    case 0b110000...0b110011: narrowMultiple()
    case 0b110100...0b110111: narrowConditionalBranch()
    case 0b111000...0b111001: narrowBranch()
    default: undefined
    }
  }

  private func decodeWide() -> Operation {
    switch bits(27, 2) {
    case 0b01:
      switch bits(25, 2) {
      case 0b00: bit(22) ? wideDualOrExclusive() : wideMultiple()
      case 0b01: wideShiftedRegister()
      default: coprocessor()
      }
    case 0b10:
      if bit(15) {
        wideBranchOrControl()
      } else if bit(25) {
        widePlainImmediate()
      } else {
        wideModifiedImmediate()
      }
    default:
      if bit(26) {
        coprocessor()
      } else if !bit(25) {
        wideLoadStore()
      } else if !bit(24) {
        wideRegister()
      } else if !bit(23) {
        wideMultiply()
      } else {
        wideLongMultiply()
      }
    }
  }
}
