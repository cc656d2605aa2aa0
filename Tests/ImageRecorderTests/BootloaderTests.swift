import Board
import Bytes
import Crypto
import FirmwareImages
import Processor
import Recorder
import Testing
import Timeline

@testable import ImageRecorder
@testable import SecureDFU
@testable import SoftDevice

/// A chip with a bootloader of our own, and what its variants with one mistake do.
@Suite struct ExecutedBootloaders {
  private static let address = BluetoothAddress(0xD1C7_0F00_0001, .random)
  /// Where the guest bootloader keeps an image of at most a page that waits.
  private static let waitingPlace: UInt32 = 0xEC000
  private static let applicationPlace: UInt32 = 0x27000

  private static func recorder(
    _ bootloader: String = "bootloader", starting application: String = "recorder-updatable",
    _ change: (inout RecorderConfiguration) -> Void = { _ in }
  ) throws -> ExecutedRecorder {
    var configuration = RecorderConfiguration(address: address)
    change(&configuration)
    let program = try ImageProgram(
      try Guests.image("\(application).elf"), with: try Guests.image("\(bootloader).elf"), on: .s140)
    return ExecutedRecorder(program, configuration)
  }

  private static func at(_ milliseconds: UInt64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  /// A recorder whose bootloader has taken version 2 of its application, which waits to be put in place.
  private static func waiting(
    _ bootloader: String = "bootloader", withOld: Bool = true
  ) throws -> (recorder: ExecutedRecorder, new: [UInt8]) {
    var old = try recorder(bootloader, starting: "spin")
    let new = old.program.applicationOctets + Array("another version.".utf8)
    old = try recorder(bootloader, starting: "spin") { configuration in
      configuration.firmware.known = [
        KnownFirmware(digest: SHA256.digest(new), name: "2", profile: configuration.profile)
      ]
    }
    var settings = SettingsRecord(application: old.program.applicationOctets, version: 2).octets
    func put(_ value: UInt32, _ offset: Int) {
      for index in 0..<4 { settings[offset + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    }
    if !withOld { put(0, 32) }
    put(UInt32(new.count), 36)
    put(CRC32.checksum(new), 40)
    put(1, 44)
    put(waitingPlace, 72)
    put(CRC32.checksum(Array(settings[4..<92])), 0)
    for page in [old.program.settingsPage, old.program.backupPage] { try old.processor.memory.load(settings, at: page) }
    try old.processor.memory.load(new, at: waitingPlace)
    return (old, new)
  }

  /// Whether the application runs and is these octets.
  private static func runs(_ octets: [UInt8], _ recorder: ExecutedRecorder) -> Bool {
    !recorder.stage.isBootloader
      && (try? recorder.processor.memory.read(applicationPlace, count: octets.count)) == octets
  }

  @Test func startsTheApplicationAtOnce() throws {
    var recorder = try Self.recorder()
    recorder.start()
    let output = recorder.wait(until: 800)
    #expect(!recorder.stage.isBootloader)
    #expect(recorder.inspect(at: Self.at(800)).firmwareVersion == 1)
    #expect(!output.events.contains(.bootloaderStarted))
    #expect(!output.events.contains { if case .applicationStarted = $0 { true } else { false } })
    let isAdvertising = output.requests.contains { if case .setAdvertising(let set) = $0 { set != nil } else { false } }
    #expect(isAdvertising)
    #expect(recorder.findings.isEmpty, "\(recorder.findings)")
  }

  @Test(arguments: [[SettingsPage.primary], [.backup], [.primary, .backup]])
  func settingsThatCannotBeReadAreTakenFromTheirCopy(_ damaged: [SettingsPage]) throws {
    var recorder = try Self.recorder { $0.firmware.damagedSettings = damaged }
    recorder.start()
    let output = recorder.wait(until: 800)
    let waits = damaged.count == 2
    #expect(recorder.stage.isBootloader == waits)
    #expect(output.events.contains(.bootloaderStarted) == waits)
    #expect(recorder.inspect(at: Self.at(800)).isBootloaderRunning == waits)
  }

  @Test(arguments: [("bootloader", false), ("bootloader-keeps-request", true)])
  func entersOnRequestAndOnlyOnce(bootloader: String, staysForEver: Bool) throws {
    var recorder = try Self.recorder(bootloader)
    recorder.start()
    _ = recorder.wait(until: 800)
    _ = recorder.board.write(0x4000_051C, .word, 0xB1, at: recorder.processor.cycles)
    recorder.reset(.software)
    #expect(recorder.wait(until: 1_600).events.contains(.bootloaderStarted))
    #expect(recorder.stage.isBootloader)
    recorder.reset(.software)
    let output = recorder.wait(until: 2_400)
    #expect(recorder.stage.isBootloader == staysForEver)
    #expect(output.events.contains(.applicationStarted(version: 1, isWhole: true)) != staysForEver)
  }

  @Test func putsAWaitingImageInPlace() throws {
    var (recorder, new) = try Self.waiting()
    recorder.start()
    let output = recorder.wait(until: 3_000)
    #expect(Self.runs(new, recorder))
    #expect(recorder.bootloaderSettings?.waitingSize == 0)
    #expect(recorder.bootloaderSettings?.applicationSize == UInt32(new.count))
    #expect(output.events.contains(.executionBegan))
    #expect(recorder.findings.isEmpty, "\(recorder.findings)")
  }

  /// Power fails at every operation of the chip's flash: each page that is erased and each word that is written.
  @Test(
    arguments: [
      ("bootloader", 0), ("bootloader-breaks-both-pages", 2), ("bootloader-forgets-before-copying", 100),
    ])
  func powerMayFailAtEveryOperation(bootloader: String, harmful: Int) throws {
    let (recorder, new) = try Self.waiting(bootloader)
    var losses: [Int] = []
    var number = 0
    while true {
      var copy = recorder
      copy.take(.cutPowerAtFlashOperation(skipping: number), at: .zero)
      copy.start()
      copy.timerFired(0, at: Self.at(2_000))
      // Power that never failed: there are no more operations.
      if copy.isOn { break }
      copy.take(.holdRail, at: Self.at(2_100))
      copy.timerFired(0, at: Self.at(4_000))
      if !Self.runs(new, copy) { losses.append(number) }
      number += 1
    }
    #expect(number > 500)
    let told = "\(losses.count) of \(number): \(losses.prefix(5))"
    #expect(harmful == 0 ? losses.isEmpty : losses.count >= harmful, "\(told)")
  }

  /// The same in copies, while the settings are written after an image was put in place. A bootloader that has erased both
  /// pages of settings has nothing that says there is an application, and yet loses one; also the one that only waits.
  @Test(arguments: [("bootloader", false), ("bootloader-breaks-both-pages", true)], [true, false])
  func powerCutsInCopiesShowApplicationsThatAreLost(bootloader: (name: String, isBroken: Bool), withOld: Bool) throws {
    let losesApplication = bootloader.isBroken
    var (recorder, new) = try Self.waiting(bootloader.name, withOld: withOld)
    let ledger = PowerCutLedger()
    recorder.sweep = PowerCutSweep(
      Self.at(200)..<Self.at(1_000), of: "an update", telling: ledger, future: .milliseconds(800))
    recorder.start()
    _ = recorder.wait(until: 3_000)
    #expect(Self.runs(new, recorder))
    let sweep = try #require(ledger.sweep(of: "an update"))
    #expect(sweep.stretches > 20)
    // It writes the settings before it puts the image in place, and again behind that.
    let early = sweep.harmful.count { $0.instant < Self.at(500) }
    #expect(losesApplication == (early > 0))
    #expect(losesApplication == (sweep.harmfulCount > early), "\(sweep.harmful.prefix(3))")
    #expect(sweep.harmful.allSatisfy { $0.losesApplication })
  }

  /// A copy that was interrupted begins anew with the next start, until the new bootloader is whole.
  @Test func aBootloaderIsCopiedWholeWheneverPowerFails() throws {
    var recorder = try Self.recorder(starting: "spin")
    let new = Array(try Guests.image("bootloader-skips-digest.elf").segments[0].octets)
    let words = UInt32(new.count / 4)
    try recorder.processor.memory.load(new, at: 0x5_0000)
    recorder.start()
    _ = recorder.wait(until: 800)
    let work = BootRecord.copyingBootloader(from: 0x5_0000, to: 0xF_0000, words: words, page: 0xFE000)
    let count = recorder.flashOperationCount
    // The first three store the command: before they are done the old bootloader stays.
    for number in [0, 3, 6, 8, 9, 300, Int(words)] {
      var copy = recorder
      copy.take(.cutPowerAtFlashOperation(skipping: number), at: Self.at(800))
      copy.begin(work)
      copy.timerFired(0, at: Self.at(2_500))
      #expect(copy.flashOperationCount > count)
      #expect(!copy.isOn)
      copy.take(.holdRail, at: Self.at(2_600))
      copy.timerFired(0, at: Self.at(6_000))
      let isNew = try copy.processor.memory.read(0xF_0000, count: new.count) == new
      #expect(isNew == (number >= 6), "\(number)")
      #expect(!copy.stage.isBootloader, "\(number)")
    }
  }

  @Test func theBootRecordStartsWhereItIsTold() throws {
    var recorder = try Self.recorder(starting: "spin")
    recorder.start()
    _ = recorder.wait(until: 800)
    recorder.begin(BootRecord.settingStart(0x27000, page: 0xFE000))
    _ = recorder.wait(until: 1_600)
    #expect(BootRecord.start(recorder.processor.memory, application: 1) == 0x27000)
    #expect(recorder.processor.vectorTable == 0x27000)
    #expect(!recorder.stage.isBootloader)
  }

  @Test func aBootloaderThatDoesNothingIsFound() throws {
    var spinning = try Self.recorder("bootloader-spins")
    spinning.start()
    _ = spinning.wait(until: 12_000)
    #expect(spinning.findings.contains { if case .stuck = $0 { true } else { false } }, "\(spinning.findings)")
    var resetting = try Self.recorder("bootloader-resets")
    resetting.start()
    _ = resetting.wait(until: 100)
    #expect(resetting.findings.contains(.resetsForEver), "\(resetting.findings)")
  }

  @Test func whatTheBootloaderProtectsIsRefused() throws {
    var recorder = try Self.recorder(starting: "spin")
    recorder.start()
    _ = recorder.wait(until: 800)
    #expect(recorder.board.isFlashProtected(0x27000))
    #expect(recorder.board.isFlashProtected(0xF0000))
    #expect(!recorder.board.isFlashProtected(0xFF000))
    recorder.shareProtection()
    #expect(recorder.softDevice.protectedPages.contains(0x27))
    #expect(!recorder.softDevice.protectedPages.contains(0xFF))
  }
}
