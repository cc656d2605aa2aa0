import Board
import Bytes
import DictofunProtocol
import Processor
import Recorder
import Timeline

/// What a scenario does to the recorder, and what it can see of it.
extension ExecutedRecorder {
  /// The published firmware reckons with a full scale of 3.3 V where the converter has 3.6 V, so what it calls a voltage
  /// is eleven twelfths of the true one.
  private static let trueVolts = (numerator: 12, denominator: 11)

  /// Puts the image, the mode of operation and what the recorder owns in place.
  mutating func prepare() {
    if let flash = configuration.chipFlash {
      loadChanged(flash)
    } else {
      try? processor.memory.load(Self.fieldMode, at: program.board.modeRecord)
      eraseBonds()
    }
    prepareBootloader()
    RecordFileSystem.format(&board.storage, with: configuration.records)
    board.batteryMillivolts = Self.terminalMillivolts(configuration.batteryMillivolts)
    board.setClock(seconds: configuration.clock.secondsSince2000, at: 0)
    setClockError(configuration.clockErrorPartsPerBillion, at: .zero)
  }

  /// Fills the flash, and leaves alone the pages that hold the same already: other recorders share them.
  private mutating func loadChanged(_ flash: [UInt8]) {
    for start in stride(from: 0, to: flash.count, by: Memory.pageSize) {
      let page = Array(flash[start..<min(start + Memory.pageSize, flash.count)])
      let address = UInt32(start)
      if (try? processor.memory.read(address, count: page.count)) == page { continue }
      try? processor.memory.load(page, at: address)
    }
  }

  /// The record by which the firmware knows that it is in the field: marker, mode 2, CRC-32 (firmware, `nvconfig.h`).
  private static let fieldMode: [UInt8] = [
    0x3A, 0x9B, 0xDF, 0xCB, 0x02, 0x00, 0x00, 0x00, 0xA1, 0x0D, 0x44, 0x4B,
  ]

  /// The first words of pages that the firmware's flash storage has prepared (nRF5 SDK, `fds`): a swap page and two for
  /// data. A recorder that was switched on before has them; on blank pages the published firmware faults at its first start.
  private static let bondPageMagic: [UInt8] = [0xDE, 0xC0, 0xAD, 0xDE]
  private static let bondPageTags: [[UInt8]] = [
    [0xFF, 0x01, 0x1E, 0xF1], [0xFE, 0x01, 0x1E, 0xF1], [0xFE, 0x01, 0x1E, 0xF1],
  ]

  /// Leaves the pages for bonds as the firmware prepares them, without any bond.
  private mutating func eraseBonds() {
    let pageSize: UInt32 = 4096
    for (page, tag) in Self.bondPageTags.enumerated() {
      let address = program.bondPages + UInt32(page) * pageSize
      // Below a bootloader the last of the pages may be the one with the mode of operation.
      if (address..<address + pageSize).contains(program.board.modeRecord) { continue }
      let words = Self.bondPageMagic + tag
      let rest = [UInt8](repeating: 0xFF, count: Int(pageSize) - words.count)
      try? processor.memory.load(words + rest, at: address)
    }
  }

  private static func terminalMillivolts(_ shown: Int) -> Int {
    (shown * trueVolts.numerator + trueVolts.denominator / 2) / trueVolts.denominator
  }

  /// The clock chip counts cycles of the processor's crystal, so its error is told relative to that one's.
  private mutating func setClockError(_ error: Int64, at instant: Instant) {
    board.setClockError(
      partsPerBillion: error - configuration.tickErrorPartsPerBillion, at: clock.cycle(at: instant))
  }

  mutating func perform(_ control: RecorderControl, at instant: Instant) {
    switch control {
    case .holdRail:
      board.isRailHeld = true
      if !isOn { switchOn(.rail, at: instant) }
    case .releaseRail:
      board.isRailHeld = false
      checkPower()
    case .cutPower:
      board.isRailHeld = false
      switchOff(.cut)
    case .cutPowerAtFlashOperation(let skipping): failPower(atFlashOperation: flashOperationCount + skipping)
    case .pressButton:
      board.isButtonPressed = true
      if !isOn { switchOn(.button, at: instant) }
      // An image does not tell that it has no room for a record; its flash does.
      if !RecordFileSystem.hasRoom(board.storage) { output.events.append(.memoryFull) }
    case .releaseButton:
      board.isButtonPressed = false
      checkPower()
    case .setBattery(let millivolts): board.batteryMillivolts = Self.terminalMillivolts(millivolts)
    case .setMicrophone(let microphone): hear(microphone, at: instant)
    case .setClock(let time): board.setClock(seconds: time.secondsSince2000, at: clock.cycle(at: instant))
    case .setClockError(let error): setClockError(error, at: instant)
    case .setTickError(let error): clock.setError(partsPerBillion: error, at: instant)
    case .forgetBonds: eraseBonds()
    case .eraseRecords: RecordFileSystem.format(&board.storage, with: [])
    case .placeRecord(let record): _ = RecordFileSystem.place(record, on: &board.storage)
    case .breakLink:
      guard let link = softDevice.link else { break }
      output.requests.append(.disconnect(link, .remoteUserTerminatedConnection))
    // Its clock chip counts with the processor. An image behaves as it was built.
    case .countTime, .setProfile, .writeFirmware: break
    }
  }

  /// A board that nothing keeps on goes off.
  private mutating func checkPower() {
    if isOn, !board.holdsPower { switchOff(.switchedOff) }
  }

  private mutating func hear(_ microphone: Microphone, at instant: Instant) {
    let begin: Instant =
      switch microphone.beginning {
      case .withRecord: instant
      case .at(let start): start
      }
    board.hear(microphone.samples, repeats: microphone.repeats, from: clock.cycle(at: begin))
  }

  // MARK: Seen from outside

  /// Octets of the console that are kept as they came.
  private static let consoleLimit = 1 << 20

  mutating func take(console octets: [UInt8]) {
    if console.count < Self.consoleLimit { console += octets }
    for line in consoleLog.take(octets) { output.events.append(.consoleWritten(line)) }
  }

  mutating func endConsoleLine() {
    if let line = consoleLog.takeRest() { output.events.append(.consoleWritten(line)) }
  }

  /// Compares the directory with what it was, and tells what began and what ended.
  mutating func observeStorage() {
    let entries = RecordFileSystem.entries(board.storage)
    defer { knownEntries = entries }
    for entry in entries {
      let known = knownEntries.first { $0.start == entry.start && $0.identifier == entry.identifier }
      if known == nil, entry.size == nil { output.events.append(.recordBegan(entry.identifier)) }
      if let size = entry.size, known != nil, known?.size == nil {
        output.events.append(.recordFinished(entry.identifier, size: size))
      }
    }
  }

  /// Its records, read from the flash as a programmer would.
  package func inspect(at instant: Instant) -> RecorderInspection {
    var inspection = RecorderInspection(isOn: isOn)
    inspection.records = RecordFileSystem.records(board.storage)
    // Without a bootloader nothing asks whether an update leaves the bonds alone.
    if program.bootloader != nil {
      inspection.bondCount = BondStorage.count(processor.memory, from: program.bondPages)
    }
    // On its way to the application it is not said to run.
    let isBusy = stage.isWaiting || bootloaderSettings.map { $0.waitingSize > 0 } ?? false
    inspection.isBootloaderRunning = isOn && stage.isBootloader && isBusy
    inspection.firmwareVersion = bootloaderSettings?.applicationVersion
    return inspection
  }

  /// How long its processor executed and waited, and its flash for records wrote.
  package func use(at instant: Instant) -> RecorderUse? {
    let chip: RecorderUse.Chip
    switch program.board.chip.part {
    case 0x52840: chip = .nRF52840
    case 0x52832: chip = .nRF52832
    default: return nil
    }
    let (powered, slept) = cycles(until: instant)
    let asleep = Self.time(of: slept)
    return RecorderUse(
      chip, awake: Self.time(of: powered) - asleep, asleep: asleep, writing: Self.time(of: board.storage.busyCycles))
  }

  /// The time that cycles take, 64 million a second.
  private static func time(of cycles: UInt64) -> Duration {
    .nanoseconds(Int64(clamping: cycles / 8 * 125 + cycles % 8 * 125 / 8))
  }

  /// What the clock chip shows.
  package func clock(at instant: Instant) -> CivilTime? {
    CivilTime(secondsSince2000: board.clockSeconds(at: clock.cycle(at: instant)))
  }

  /// Operations on the flash for records and on the chip's own, since the recorder was made.
  package var flashOperationCount: Int { board.storage.operationCount + chipOperationCount }

  /// Everything in the chip's flash.
  package var chipFlash: [UInt8]? { try? processor.memory.read(0, count: program.board.chip.flashSize) }
}
