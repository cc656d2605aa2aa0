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
    /// The command had no effect.
    case refused(command: UInt8, Refusal)
  }

  /// Why a command had no effect.
  package enum Refusal: Hashable, Sendable {
    /// The chip has no such command.
    case unknown
    /// An operation was going on.
    case busy
    /// The chip was powered down, and only a release wakes it.
    case poweredDown
    /// Writing was not enabled before.
    case writingDisabled
    /// It had too few octets, or too many.
    case badLength
    /// The chip has the command, but here it does nothing.
    case notModelled
  }

  /// Octets it holds.
  package static let size = 1 << 24
  private static let sectorSize = 4096
  private static let halfBlockSize = 1 << 15
  private static let blockSize = 1 << 16
  /// Manufacturer, type and capacity, as the chip states them.
  private static let identification: [UInt8] = [0xEF, 0x60, 0x18]
  /// What it answers to a release from power-down, and behind the manufacturer to the older identification.
  private static let device: UInt8 = 0x17
  /// The number that the factory gives to each chip; no two have the same, and this one is nobody's.
  private static let uniqueNumber: [UInt8] = [0xD1, 0xC7, 0x0F, 0x00, 0x00, 0x00, 0x00, 0x01]
  /// The second and third status register as delivered: quad mode possible, outputs driven at a quarter of their strength.
  private static let secondStatus: UInt8 = 0x02
  private static let thirdStatus: UInt8 = 0x60

  /// Instructions (data sheet, "Instruction Set").
  private enum Command {
    static let program: UInt8 = 0x02
    static let read: UInt8 = 0x03
    static let disableWriting: UInt8 = 0x04
    static let readStatus: UInt8 = 0x05
    static let enableWriting: UInt8 = 0x06
    static let fastRead: UInt8 = 0x0B
    static let readThirdStatus: UInt8 = 0x15
    static let eraseSector: UInt8 = 0x20
    static let readSecondStatus: UInt8 = 0x35
    static let readUniqueNumber: UInt8 = 0x4B
    static let eraseHalfBlock: UInt8 = 0x52
    static let eraseChipToo: UInt8 = 0x60
    static let enableReset: UInt8 = 0x66
    static let identifyDevice: UInt8 = 0x90
    static let reset: UInt8 = 0x99
    static let identify: UInt8 = 0x9F
    static let release: UInt8 = 0xAB
    static let powerDown: UInt8 = 0xB9
    static let eraseChip: UInt8 = 0xC7
    static let eraseBlock: UInt8 = 0xD8

    /// What only tells something, and cannot while an operation goes on.
    static let reads = [read, fastRead, readUniqueNumber, identifyDevice, identify]
    /// The status registers, which answer at any time.
    static let statusReads = [readStatus, readSecondStatus, readThirdStatus]
    /// What the chip or its siblings can do besides: writing status registers, suspending, security registers, locks,
    /// several wires, and leaving modes for them.
    static let others: [UInt8] = [
      0x01, 0x11, 0x31, 0x32, 0x36, 0x38, 0x39, 0x3B, 0x3D, 0x42, 0x44, 0x48, 0x50, 0x5A, 0x6B, 0x75, 0x77, 0x7A, 0x7E,
      0x92, 0x94, 0x98, 0xBB, 0xEB, 0xFF,
    ]
  }

  /// Sectors that are not erased.
  private var sectors: [[UInt8]?] = Array(repeating: nil, count: size / sectorSize)
  private var command: [UInt8] = []
  /// Octets of the command that were exchanged; what is read may be long, so it is counted and not kept.
  private var position = 0
  private var isSelected = false
  /// Whether an operation was going on when the command began, which decides whether it is taken.
  private var cameWhileBusy = false
  private var isPoweredDown = false
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
  private static let halfBlockTime: UInt64 = 7_680_000
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
    if command.isEmpty { cameWhileBusy = cycle < busyUntil }
    let answer = answer(at: cycle)
    if command.count < Self.longestCommand { command.append(octet) }
    position += 1
    return answer
  }

  /// What it puts on the wire while the octet at `position` of a command comes.
  private func answer(at cycle: UInt64) -> UInt8 {
    guard position > 0, !isPoweredDown || command[0] == Command.release else { return 0 }
    switch command[0] {
    case Command.readStatus: return (cycle < busyUntil ? 1 : 0) | (isWriteEnabled ? 2 : 0)
    case Command.readSecondStatus: return Self.secondStatus
    case Command.readThirdStatus: return Self.thirdStatus
    default: return cameWhileBusy ? 0 : answer(to: command[0])
    }
  }

  /// What it answers to a command that it takes only while nothing goes on.
  private func answer(to code: UInt8) -> UInt8 {
    switch code {
    case Command.identify:
      Self.identification.indices.contains(position - 1) ? Self.identification[position - 1] : 0
    case Command.read where position >= 4: octet(at: address + position - 4)
    // A clock's worth of eight bits passes between the address and what stands there.
    case Command.fastRead where position >= 5: octet(at: address + position - 5)
    case Command.readUniqueNumber where (5..<13).contains(position): Self.uniqueNumber[position - 5]
    case Command.identifyDevice where position >= 4:
      (address + position) % 2 == 0 ? Self.identification[0] : Self.device
    case Command.release where position >= 4: Self.device
    default: 0
    }
  }

  private var address: Int {
    command.count < 4 ? 0 : Int(command[1]) << 16 | Int(command[2]) << 8 | Int(command[3])
  }

  private mutating func finish(at cycle: UInt64) -> Effect? {
    let code = command[0]
    if let reason = refusal(of: code) { return .refused(command: code, reason) }
    switch code {
    case Command.enableWriting: isWriteEnabled = true
    case Command.disableWriting: isWriteEnabled = false
    case Command.powerDown: isPoweredDown = true
    case Command.release: isPoweredDown = false
    case Command.program: return program(at: cycle)
    case Command.eraseSector: return erase(Self.sectorSize, Self.sectorTime, at: cycle)
    case Command.eraseHalfBlock: return erase(Self.halfBlockSize, Self.halfBlockTime, at: cycle)
    case Command.eraseBlock: return erase(Self.blockSize, Self.blockTime, at: cycle)
    case Command.eraseChip, Command.eraseChipToo: return erase(Self.size, Self.chipTime, at: cycle)
    // A reset during an operation is ignored here; the chip would break the operation off.
    default: break
    }
    return nil
  }

  /// Why a command that has ended has no effect; `nil` for one that has.
  private func refusal(of code: UInt8) -> Refusal? {
    let isOperation: Bool
    switch code {
    case _ where isPoweredDown && code != Command.release: return .poweredDown
    case _ where Command.statusReads.contains(code), Command.enableReset, Command.reset: return nil
    case _ where Command.reads.contains(code): isOperation = false
    case Command.enableWriting, Command.disableWriting, Command.powerDown, Command.release: isOperation = false
    case Command.program, Command.eraseSector, Command.eraseHalfBlock, Command.eraseBlock, Command.eraseChip,
      Command.eraseChipToo:
      isOperation = true
    default: return Command.others.contains(code) ? .notModelled : .unknown
    }
    if cameWhileBusy { return .busy }
    guard isOperation else { return nil }
    if !isWriteEnabled { return .writingDisabled }
    return hasGoodLength(code) ? nil : .badLength
  }

  /// Whether an operation has the octets that it needs.
  private func hasGoodLength(_ code: UInt8) -> Bool {
    switch code {
    case Command.program: command.count > 4
    case Command.eraseChip, Command.eraseChipToo: true
    default: command.count == 4
    }
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
    isPoweredDown = false
    isWriteEnabled = false
    busyUntil = 0
    hasPowerFailed = false
    operationsBeforePowerFails = nil
  }
}
