import FirmwareImages
import Processor

/// The functions that led to where a processor is, read from its stack as a debugger without unwind tables does.
///
/// A word on the stack is a caller if a branch with link stands before the address it holds, and that branch leads to the
/// function found last. What is left over from earlier calls rarely passes that. Calls through pointers have no target that
/// could be compared; they count. Without symbols there are no callers.
struct CallTrace {
  /// How far up the stack is looked, in words.
  private static let reach: UInt32 = 256
  /// Callers that are told.
  private static let limit = 6

  private let processor: CortexM4
  private let symbols: SymbolTable

  init(_ processor: CortexM4, _ symbols: SymbolTable) {
    self.processor = processor
    self.symbols = symbols
  }

  /// The addresses from which calls were made, the innermost first.
  var callers: [UInt32] {
    guard var function = symbols.function(at: processor.programCounter)?.address else { return [] }
    var callers: [UInt32] = []
    // A function that calls nothing keeps its return address in the link register.
    let stack = processor[register: 13]
    for candidate in [processor[register: 14]] + (0..<Self.reach).compactMap(word(of: stack)) {
      guard callers.count < Self.limit else { break }
      guard let call = call(returningTo: candidate, into: function),
        let caller = symbols.function(at: call)?.address, caller != function || callers.isEmpty
      else { continue }
      callers.append(call)
      function = caller
    }
    return callers
  }

  /// The same in words that follow a sentence; nothing where no caller is known.
  var text: String {
    let names = callers.map(symbols.place)
    return names.isEmpty ? "" : "; called by " + names.joined(separator: " ← ")
  }

  private func word(of stack: UInt32) -> (UInt32) -> UInt32? {
    { try? processor.memory.readWord(stack &+ $0 * 4) }
  }

  /// The address of the call that returns to `address`, if there is one that leads to the function that begins at `target`.
  private func call(returningTo address: UInt32, into target: UInt32) -> UInt32? {
    guard address & 1 == 1, symbols.isCode(address & ~1) else { return nil }
    let next = address & ~1
    if let long = branchTarget(at: next &- 4) { return long == target ? next &- 4 : nil }
    guard let short = try? processor.memory.readHalfword(next &- 2), short & 0xFF87 == 0x4780 else { return nil }
    return next &- 2
  }

  /// Where the BL at an address leads (ARMv7-M, A7.7.18); `nil` where none stands.
  private func branchTarget(at address: UInt32) -> UInt32? {
    guard let high = try? processor.memory.readHalfword(address), high & 0xF800 == 0xF000,
      let low = try? processor.memory.readHalfword(address &+ 2), low & 0xD000 == 0xD000
    else { return nil }
    let sign = UInt32(high >> 10 & 1)
    let first = ~(UInt32(low >> 13 & 1) ^ sign) & 1
    let second = ~(UInt32(low >> 11 & 1) ^ sign) & 1
    let offset =
      (sign == 1 ? 0xFF00_0000 : 0) | first << 23 | second << 22 | UInt32(high & 0x3FF) << 12 | UInt32(low & 0x7FF) << 1
    return address &+ 4 &+ offset
  }
}
