/// The flash for records (W25Q128JV data sheet): 16 MiB behind SPI, in pages of 256 and sectors of 4,096 octets.
/// Programming clears bits, erasing sets them; both take time, in which only the status answers.
package struct NORFlash: Hashable, Sendable {
  /// What changes it.
  package enum Operation: Hashable, Sendable {
    /// Bits of a page were cleared.
    case program
    /// A sector, a block or all of it was erased; octets.
    case erase(Int)
  }

  /// What a command brought about.
  enum Effect: Hashable, Sendable {
    /// An operation began.
    case began(Operation)
    /// The command is unknown, or had to be ignored.
    case refused(command: UInt8)
  }

  /// Octets it holds.
  package static let size = 1 << 24
  private static let sectorSize = 4096
  private static let blockSize = 1 << 16
  /// Manufacturer, type and capacity, as the chip states them.
  private static let identification: [UInt8] = [0xEF, 0x60, 0x18]

  /// Instructions (data sheet, "Instruction Set").
  private enum Command {
    static let program: UInt8 = 0x02
    static let read: UInt8 = 0x03
    static let disableWriting: UInt8 = 0x04
    static let readStatus: UInt8 = 0x05
    static let enableWriting: UInt8 = 0x06
    static let eraseSector: UInt8 = 0x20
    static let eraseChipToo: UInt8 = 0x60
    static let enableReset: UInt8 = 0x66
    static let reset: UInt8 = 0x99
    static let identify: UInt8 = 0x9F
    static let eraseChip: UInt8 = 0xC7
    static let eraseBlock: UInt8 = 0xD8
  }

  /// Sectors that are not erased.
  private var sectors: [[UInt8]?] = Array(repeating: nil, count: size / sectorSize)
  private var command: [UInt8] = []
  /// Octets of the command that were exchanged; what is read may be long, so it is counted and not kept.
  private var position = 0
  private var isSelected = false
  private var isWriteEnabled = false
  private var busyUntil: UInt64 = 0
  /// Operations since it was made.
  package private(set) var operationCount = 0
  /// Cycles that its operations took since it was made; those that a power cut ended count whole.
  package private(set) var busyCycles: UInt64 = 0
  /// Operations that may still be begun before power fails at the next one; `nil` for no end.
  var operationsBeforePowerFails: Int?
  /// Whether power failed at an operation.
  private(set) var hasPowerFailed = false

  /// Cycles that operations take, of 64 million a second.
  private static let programTime: UInt64 = 44_800
  private static let sectorTime: UInt64 = 2_880_000
  private static let blockTime: UInt64 = 9_600_000
  private static let chipTime: UInt64 = 2_560_000_000
  /// A page program takes a command, an address and a page.
  private static let longestCommand = 4 + 256

  /// Octets from an address on, for an observer outside the chip.
  package func octets(at address: Int, count: Int) -> [UInt8] {
    (0..<max(0, count)).map { octet(at: address + $0) }
  }

  /// Whether nothing is stored.
  package var isErased: Bool { !sectors.contains { $0 != nil } }

  /// Stores octets as a programmer does before the board is assembled.
  package mutating func store(_ octets: [UInt8], at address: Int) {
    for (index, octet) in octets.enumerated() { set(octet, at: address + index) }
  }

  /// Erases everything at once.
  package mutating func eraseAll() { sectors = Array(repeating: nil, count: Self.size / Self.sectorSize) }

  private func octet(at address: Int) -> UInt8 {
    let place = address & (Self.size - 1)
    return sectors[place / Self.sectorSize]?[place % Self.sectorSize] ?? 0xFF
  }

  private mutating func set(_ octet: UInt8, at address: Int) {
    let place = address & (Self.size - 1)
    let sector = place / Self.sectorSize
    if sectors[sector] == nil { sectors[sector] = Array(repeating: 0xFF, count: Self.sectorSize) }
    sectors[sector]?[place % Self.sectorSize] = octet
  }

  // MARK: On the wire

  /// Chip select goes active or inactive at a cycle; a command takes effect when it ends.
  mutating func select(_ isActive: Bool, at cycle: UInt64) -> Effect? {
    defer {
      isSelected = isActive
      command = []
      position = 0
    }
    return isSelected && !isActive && !command.isEmpty ? finish(at: cycle) : nil
  }

  /// Exchanges octets while selected; an idle bus reads as 0.
  mutating func exchange(_ sent: [UInt8], at cycle: UInt64) -> [UInt8] {
    guard isSelected else { return [UInt8](repeating: 0, count: sent.count) }
    return sent.map { exchange($0, at: cycle) }
  }

  private mutating func exchange(_ octet: UInt8, at cycle: UInt64) -> UInt8 {
    let answer = answer(at: cycle)
    if command.count < Self.longestCommand { command.append(octet) }
    position += 1
    return answer
  }

  /// What it puts on the wire while the octet at `position` of a command comes.
  private func answer(at cycle: UInt64) -> UInt8 {
    guard position > 0 else { return 0 }
    let isBusy = cycle < busyUntil
    switch command[0] {
    case Command.readStatus: return (isBusy ? 1 : 0) | (isWriteEnabled ? 2 : 0)
    case Command.identify where !isBusy:
      return Self.identification.indices.contains(position - 1) ? Self.identification[position - 1] : 0
    case Command.read where !isBusy && position >= 4: return octet(at: address + position - 4)
    default: return 0
    }
  }

  private var address: Int {
    command.count < 4 ? 0 : Int(command[1]) << 16 | Int(command[2]) << 8 | Int(command[3])
  }

  private mutating func finish(at cycle: UInt64) -> Effect? {
    let code = command[0]
    let isBusy = cycle < busyUntil
    switch code {
    case Command.read, Command.readStatus, Command.identify: return nil
    // A reset during an operation is ignored here; the chip would break the operation off.
    case Command.enableReset, Command.reset: return nil
    case Command.enableWriting where !isBusy: isWriteEnabled = true
    case Command.disableWriting where !isBusy: isWriteEnabled = false
    case Command.program where !isBusy && isWriteEnabled && command.count > 4: return program(at: cycle)
    case Command.eraseSector where !isBusy && isWriteEnabled && command.count == 4:
      return erase(Self.sectorSize, Self.sectorTime, at: cycle)
    case Command.eraseBlock where !isBusy && isWriteEnabled && command.count == 4:
      return erase(Self.blockSize, Self.blockTime, at: cycle)
    case Command.eraseChip where !isBusy && isWriteEnabled, Command.eraseChipToo where !isBusy && isWriteEnabled:
      return erase(Self.size, Self.chipTime, at: cycle)
    default: return .refused(command: code)
    }
    return nil
  }

  private mutating func program(at cycle: UInt64) -> Effect? {
    guard let effect = begin(.program, Self.programTime, at: cycle) else { return nil }
    let page = address & ~0xFF
    for (index, octet) in command[4...].enumerated() {
      // Beyond the end of a page writing goes on at its beginning.
      let place = page | (address + index) & 0xFF
      set(self.octet(at: place) & octet, at: place)
    }
    return effect
  }

  private mutating func erase(_ size: Int, _ time: UInt64, at cycle: UInt64) -> Effect? {
    guard let effect = begin(.erase(size), time, at: cycle) else { return nil }
    let first = (address & ~(size - 1)) / Self.sectorSize
    for sector in first..<(first + size / Self.sectorSize) where sectors.indices.contains(sector) {
      sectors[sector] = nil
    }
    return effect
  }

  /// Counts an operation; power can fail there, and then nothing is done.
  private mutating func begin(_ operation: Operation, _ time: UInt64, at cycle: UInt64) -> Effect? {
    isWriteEnabled = false
    if let left = operationsBeforePowerFails {
      if left == 0 {
        operationsBeforePowerFails = nil
        hasPowerFailed = true
        return nil
      }
      operationsBeforePowerFails = left - 1
    }
    operationCount += 1
    busyCycles += time
    busyUntil = cycle + time
    return .began(operation)
  }

  // MARK: Power

  /// Power is gone: what was being done is over.
  mutating func losePower() {
    command = []
    position = 0
    isSelected = false
    isWriteEnabled = false
    busyUntil = 0
    hasPowerFailed = false
    operationsBeforePowerFails = nil
  }
}
