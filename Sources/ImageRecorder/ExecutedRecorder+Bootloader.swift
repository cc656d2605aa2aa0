import Board
import Crypto
import FirmwareImages
import Processor
import Recorder
import SecureDFU
import SoftDevice
import Timeline

/// Which program a chip with a bootloader executes, and what others are told of it.
struct ChipStage: Sendable {
  /// Whether the bootloader runs; otherwise the application.
  var isBootloader = false
  /// Whether the bootloader has been found waiting for an update since the last reset.
  var isWaiting = false
  /// Whether the bootloader had something to do since the application ran last.
  var wasBusy = false
  /// What the master boot record still has to do to flash.
  var bootRecordWork: BootRecordWork?
  /// Digests of the images that init packets have announced.
  var announced: [[UInt8]] = []
}

/// A bootloader on the chip: where it starts, what it is given to start with, and when it hands the chip over.
extension ExecutedRecorder {
  /// Puts the bootloader, the settings for the application, and what stands in the SoftDevice's place into flash.
  mutating func prepareBootloader() {
    guard program.bootloader != nil else { return }
    for (address, words) in SoftDevicePlace.words(of: program.board) {
      let octets = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32($0 * 8)) } }
      try? processor.memory.load(octets, at: address)
    }
    let application = installedOctets
    if application != program.applicationOctets {
      let erased = [UInt8](repeating: 0xFF, count: max(0, program.applicationOctets.count - application.count))
      try? processor.memory.load(application + erased, at: program.application.vectorTable)
    }
    let record = SettingsRecord(application: application, version: configuration.firmware.version)
    let damaged = configuration.firmware.damagedSettings
    let erased = [UInt8](repeating: 0xFF, count: SettingsRecord.size)
    for (page, address) in [(SettingsPage.primary, program.settingsPage), (.backup, program.backupPage)] {
      try? processor.memory.load(damaged.contains(page) ? erased : record.octets, at: address)
    }
  }

  /// The application with which the chip begins: that of a release where one is installed, otherwise the one that was
  /// given.
  private var installedOctets: [UInt8] {
    guard let image = configuration.firmware.image, image != RecorderFirmware.syntheticImage else {
      return program.applicationOctets
    }
    return image
  }

  /// The bootloader's settings in flash, the first page's or else the copy's; `nil` where both are erased or damaged, or
  /// where there is no bootloader.
  var bootloaderSettings: SettingsRecord? {
    guard program.bootloader != nil else { return nil }
    return [program.settingsPage, program.backupPage].lazy.compactMap { page in
      (try? self.processor.memory.read(page, count: SettingsRecord.size)).flatMap { SettingsRecord(decoding: $0) }
    }.first
  }

  /// Starts the processor where the master boot record starts it, and goes on with a copy that was interrupted.
  mutating func startProcessor() {
    let application = program.application.vectorTable
    let start = BootRecord.start(processor.memory, application: application)
    stage.isBootloader = program.bootloader != nil && start != application
    stage.isWaiting = false
    stage.bootRecordWork = BootRecord.interruptedCopy(
      processor.memory, flashSize: softDevice.settings.variant.flashSize)
    processor.reset(vectorTable: start)
    continueBootRecord()
  }

  /// Begins what the master boot record was told to do; the image goes on when all of it is done.
  mutating func begin(_ work: BootRecordWork) {
    stage.bootRecordWork = work
    continueBootRecord()
  }

  /// Does the next step of the master boot record's work as soon as flash is idle. Returns whether the chip is to be reset.
  @discardableResult
  mutating func continueBootRecord() -> Bool {
    while var work = stage.bootRecordWork, board.haltedUntil == nil {
      guard !work.steps.isEmpty else {
        stage.bootRecordWork = nil
        return work.resets
      }
      let step = work.steps.removeFirst()
      stage.bootRecordWork = work
      board.perform(flashWork(of: step), at: processor.cycles)
    }
    return false
  }

  private func flashWork(of step: BootRecordWork.Step) -> [FlashWork] {
    switch step {
    case .erase(let page): [.erase(page)]
    case .write(let words, let address): words.enumerated().map { .word($1, at: address &+ UInt32($0) * 4) }
    case .copy(let source, let target, let count):
      (0..<count).compactMap { index in
        (try? processor.memory.readWord(source &+ index * 4)).map { .word($0, at: target &+ index * 4) }
      }
    }
  }

  /// Power is gone: what the chip's flash was doing is not done, except for a page that is erased at once where that is
  /// how interrupted erasures are modelled.
  mutating func loseFlashWork() {
    stage.bootRecordWork = nil
    guard case .erase(let page)? = board.flashWork, softDevice.settings.policies.interruptedErasure == .erased else {
      return
    }
    try? processor.memory.load([UInt8](repeating: 0xFF, count: 4096), at: page)
  }

  /// Looks at which program runs now, and tells what has changed.
  mutating func observeStage() {
    guard stage.isBootloader else { return }
    if processor.vectorTable == program.application.vectorTable {
      stage.isBootloader = false
      if stage.wasBusy { tellApplicationStarted() }
      stage.wasBusy = false
    } else if !stage.isWaiting, softDevice.isEnabled {
      stage.isWaiting = true
      stage.wasBusy = true
      output.events.append(.bootloaderStarted)
    }
  }

  /// Notes what the bootloader is about to install, before its settings forget it.
  mutating func noteAnnounced() {
    guard stage.isBootloader, let settings = bootloaderSettings, !settings.command.isEmpty,
      let hash = (try? InitPacket(decoding: settings.command))?.command.hash
    else { return }
    let digest = Array(hash.digest.reversed())
    if !stage.announced.contains(digest) { stage.announced.append(digest) }
  }

  private mutating func tellApplicationStarted() {
    let settings = bootloaderSettings
    let octets = try? processor.memory.read(
      program.application.vectorTable, count: min(Int(settings?.applicationSize ?? 0), program.board.chip.flashSize))
    let digest = SHA256.digest(octets ?? [])
    let isWhole =
      digest == SHA256.digest(installedOctets) || stage.announced.contains(digest)
      || configuration.firmware.known.contains { $0.digest == digest }
    output.events.append(.applicationStarted(version: settings?.applicationVersion ?? 0, isWhole: isWhole))
  }

  /// Tells the SoftDevice's place what firmware has write-protected.
  mutating func shareProtection() {
    guard program.bootloader != nil else { return }
    let pageSize: UInt32 = 4096
    softDevice.protectedPages = Set(
      (0..<UInt32(program.board.chip.flashSize) / pageSize).filter { board.isFlashProtected($0 * pageSize) })
  }
}

/// What stands in flash where the SoftDevice would: nothing of Nordic's, but what others read there, and a start of our own
/// that hands the chip to the application.
enum SoftDevicePlace {
  /// Where the SoftDevice begins, behind the master boot record.
  private static let start: UInt32 = 0x1000
  /// Where its information begins (`nrf_sdm.h`, `SOFTDEVICE_INFO_STRUCT_OFFSET`).
  private static let information: UInt32 = 0x3000
  private static let code: UInt32 = 0x1100
  private static let vectorTableRegister: UInt32 = 0xE000_ED08

  /// Words and where they stand.
  static func words(of board: BoardDescription) -> [(UInt32, [UInt32])] {
    let application = UInt32(board.softDeviceSize)
    let number: UInt32 = board.chip.part == 0x52832 ? 132 : 140
    return [
      (start, [0x2000_0000 + UInt32(board.chip.ramSize), code | 1]),
      // ldr r0, =application; ldr r1, =VTOR; str r0, [r1]; ldr r1, [r0]; msr msp, r1; ldr r0, [r0, #4]; bx r0
      (code, [0x4904_4803, 0x6801_6008, 0x8808_F381, 0x4700_6840, application, vectorTableRegister]),
      // Size of this structure, magic number, size of the SoftDevice, identifier, which it is, version 7.2.0.
      (
        information,
        [0x14 + 4, 0x51B1_E5DB, application, 0xFFFF_0000 | UInt32(board.softDeviceIdentifier), number, 7_002_000]
      ),
    ]
  }
}
