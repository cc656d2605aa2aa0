import FirmwareImages
import Processor

/// A stack that grew beyond its end.
package struct StackOverrun: Hashable, Sendable {
  /// Whose stack it is: the task's name, or nothing for the main stack.
  package var task: String?
  /// Where the stack ends.
  package var end: UInt32
  /// Where it had grown to; the end itself where only its last word was found changed.
  package var pointer: UInt32
  /// The instruction that was next.
  package var address: UInt32

  func text(_ symbols: SymbolTable) -> String {
    let owner = task.map { "the stack of task `\($0)`" } ?? "the main stack"
    let found =
      pointer < end ? "grew \(end - pointer) octets beyond its end" : "is used up to its last word"
    return "\(owner) \(found), seen at \(symbols.place(address))"
  }
}

/// Looks at the stacks whose limits an image's symbols tell: the main stack, which must stay above the last variable,
/// and those of FreeRTOS' tasks, whose control block says where each stack ends (FreeRTOS, `tasks.c`, `tskTCB`).
struct StackWatch: Sendable {
  /// Where the last variable below the main stack ends; `nil` without symbols.
  private let mainEnd: UInt32?
  private let ram: Range<UInt32>
  /// Where the pointer to the running task's control block stands.
  private let currentTask: UInt32?
  /// The tasks whose last word of stack was seen untouched.
  private var untouched: Set<UInt32> = []
  /// The ends of stacks that were found overrun, each told once.
  private var told: Set<UInt32> = []

  /// What FreeRTOS fills new stacks with.
  private static let filling: UInt32 = 0xA5A5_A5A5
  /// Offsets in a control block without MPU: the end of the stack, and the name.
  private static let endOffset: UInt32 = 48
  private static let nameOffset: UInt32 = 52
  private static let nameLength = 12
  private static let taskLimit = 64

  /// The stacks of an image by its symbols, in a RAM of `ramSize` octets; `top` is where its main stack begins.
  init(_ symbols: SymbolTable, ramSize: Int, top: UInt32) {
    let ram = 0x2000_0000..<(0x2000_0000 + UInt32(ramSize))
    self.ram = ram
    mainEnd = symbols.variables.filter { ram.contains($0.address) && $0.size > 0 && !$0.isStack }
      .map { $0.address &+ $0.size }.filter { $0 < top }.max()
    currentTask = symbols.variables.first { $0.name == "pxCurrentTCB" }?.address
  }

  /// New RAM: nothing was seen yet.
  mutating func reset() {
    untouched.removeAll()
    told.removeAll()
  }

  /// What is wrong with the stacks now; `nil` for nothing.
  mutating func look(at processor: CortexM4) -> StackOverrun? {
    if let mainEnd, processor.mainStack < mainEnd, told.insert(mainEnd).inserted {
      return StackOverrun(task: nil, end: mainEnd, pointer: processor.mainStack, address: processor.programCounter)
    }
    // A handler may be in the middle of changing tasks.
    guard processor.exceptionNumber == 0, processor.control & 2 != 0, let currentTask,
      let block = try? processor.memory.readWord(currentTask), ram.contains(block),
      let end = try? processor.memory.readWord(block &+ Self.endOffset), ram.contains(end),
      let last = try? processor.memory.readWord(end)
    else { return nil }
    if last == Self.filling, untouched.count < Self.taskLimit { untouched.insert(block) }
    let isTouched = last != Self.filling && untouched.contains(block)
    guard processor.processStack < end || isTouched, told.insert(end).inserted else { return nil }
    return StackOverrun(
      task: name(of: block, processor), end: end, pointer: min(processor.processStack, end),
      address: processor.programCounter)
  }

  private func name(of block: UInt32, _ processor: CortexM4) -> String {
    let octets = (try? processor.memory.read(block &+ Self.nameOffset, count: Self.nameLength)) ?? []
    let printable = octets.prefix { (0x20..<0x7F).contains($0) }
    return String(decoding: printable, as: UTF8.self)
  }
}

extension SymbolTable.Symbol {
  /// Whether it is room that linker scripts set aside for the main stack or the heap.
  fileprivate var isStack: Bool { name.lowercased().contains("stack") || name.lowercased().contains("heap") }
}
