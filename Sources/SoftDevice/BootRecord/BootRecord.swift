import Processor

/// The master boot record, which every start of a chip goes through: where the first program begins, and commands that
/// outlive a reset because they stand in a page of their own (`nrf_mbr.h`).
package enum BootRecord {
  /// Places of the bootloader's address: in the boot record's own page, which comes first, and in the user registers.
  private static let bootloaderPlaces: [UInt32] = [0xFF8, 0x1000_1014]
  /// Places of the address of the page for commands, likewise.
  private static let parameterPlaces: [UInt32] = [0xFFC, 0x1000_1018]
  private static let pageSize: UInt32 = 4096

  /// What a stored command begins with. How the boot record lays a command out in its page is told nowhere, so this
  /// layout is ours: mark, command, two parameters, and all of them combined with exclusive or.
  private static let mark: UInt32 = 0x5245_434D
  private static let copyBootloader: UInt32 = 0
  private static let setStart: UInt32 = 4

  /// The bootloader's address; `nil` where neither place holds one.
  package static func bootloader(_ memory: Memory) -> UInt32? { firstWord(of: bootloaderPlaces, memory) }

  /// The page for commands; `nil` where neither place holds its address.
  package static func parameterPage(_ memory: Memory) -> UInt32? { firstWord(of: parameterPlaces, memory) }

  private static func firstWord(of places: [UInt32], _ memory: Memory) -> UInt32? {
    places.lazy.compactMap { try? memory.readWord($0) }.first { $0 != .max }
  }

  /// Where the first program after a reset begins: the bootloader or, without one, the application that the SoftDevice
  /// starts; else what a command has set.
  package static func start(_ memory: Memory, application: UInt32) -> UInt32 {
    if let command = storedCommand(memory), command[0] == setStart, command[1] != 0 { return command[1] }
    return bootloader(memory) ?? application
  }

  /// The copy of a bootloader that a power cut interrupted; `nil` for none, and for one that does not fit into a flash of
  /// `flashSize` octets: a guest can write the page itself.
  package static func interruptedCopy(_ memory: Memory, flashSize: UInt32) -> BootRecordWork? {
    guard let command = storedCommand(memory), command[0] == copyBootloader, let page = parameterPage(memory),
      let target = bootloader(memory), fits(from: command[1], to: target, words: command[2], flashSize: flashSize)
    else { return nil }
    return copy(from: command[1], to: target, words: command[2], then: page)
  }

  /// Copying a bootloader from the beginning, with the command stored first so that a reset goes on with it.
  static func copyingBootloader(
    from source: UInt32, to target: UInt32, words: UInt32, page: UInt32
  ) -> BootRecordWork {
    var work = storing([copyBootloader, source, words], page)
    work.steps += copy(from: source, to: target, words: words, then: page).steps
    return work
  }

  /// Storing where the first program begins after every further reset.
  static func settingStart(_ address: UInt32, page: UInt32) -> BootRecordWork { storing([setStart, address, 0], page) }

  /// Whether words that are copied stand in a flash of `flashSize` octets before and after.
  static func fits(from source: UInt32, to target: UInt32, words: UInt32, flashSize: UInt32) -> Bool {
    words <= flashSize / 4 && source <= flashSize - words * 4 && target <= flashSize - words * 4
  }

  /// Copying words that fit into the flash, whole pages of the target erased first.
  static func copying(from source: UInt32, to target: UInt32, words: UInt32) -> [BootRecordWork.Step] {
    guard words > 0 else { return [] }
    let first = target & ~(pageSize - 1)
    let last = (target + words * 4 - 1) & ~(pageSize - 1)
    return stride(from: first, through: last, by: Int(pageSize)).map { .erase($0) } + [
      .copy(from: source, to: target, words: words)
    ]
  }

  private static func copy(from source: UInt32, to target: UInt32, words: UInt32, then page: UInt32) -> BootRecordWork {
    BootRecordWork(steps: copying(from: source, to: target, words: words) + [.erase(page)], resets: true)
  }

  private static func storing(_ command: [UInt32], _ page: UInt32) -> BootRecordWork {
    let words = [mark] + command
    return BootRecordWork(steps: [.erase(page), .write(words + [words.reduce(0, ^)], to: page)], resets: true)
  }

  private static func storedCommand(_ memory: Memory) -> [UInt32]? {
    guard let page = parameterPage(memory) else { return nil }
    let words = (0..<UInt32(5)).compactMap { try? memory.readWord(page &+ $0 * 4) }
    guard words.count == 5, words[0] == mark, words[..<4].reduce(0, ^) == words[4] else { return nil }
    return Array(words[1..<4])
  }
}

/// What the master boot record does to flash while the processor stands still.
package struct BootRecordWork: Hashable, Sendable {
  /// One step.
  package enum Step: Hashable, Sendable {
    /// The page that begins at an address is erased.
    case erase(UInt32)
    /// Words are written from an address on.
    case write([UInt32], to: UInt32)
    /// Words are copied, as they are when this step begins.
    case copy(from: UInt32, to: UInt32, words: UInt32)
  }

  /// The steps, in order.
  package var steps: [Step]
  /// Whether the chip is reset after them.
  package var resets: Bool
}
