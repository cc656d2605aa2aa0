import Crypto
import Foundation
import Recorder
import ScenarioLanguage
import SecureDFU
import Testing
import Timeline
import Trace
import World
import YAML

@testable import Runner

@Suite struct GivenBootloaderTests {
  private func device(_ text: String) throws -> Arguments {
    let body = "given:\n  device: \(text)\nsteps:\n  - device: power-on"
    return try #require(Playing.scenarios(body)[0].given.sections(of: GivenDevice.declaration).first).arguments
  }

  @Test func everythingAboutABootloaderCanBeStated() throws {
    let arguments = try device(
      """
      {bootloader: {build: s132-release, version: 7, debug: true, erase: 1 ms, word: 2 us, queue: 9,
        saves-progress: true, reduced: false, same-version: false, leaks: false, inactivity: 5 s}}
      """)
    let plan = try #require(arguments[GivenDevice.bootloader])
    #expect(plan.version == 7)
    #expect(plan.timing == FlashTiming(erase: 1000, word: 2))
    var build = BootloaderBuild.s132Release
    build.isDebug = true
    build.flashQueueLimit = 9
    build.savesProgress = true
    build.isReduced = false
    build.acceptsSameVersion = false
    build.leaksBuffers = false
    build.inactivityTimeout = 5000
    #expect(plan.build == build)
  }

  @Test func whatIsNotStatedIsNordics() throws {
    #expect(try device("{battery: 84 %}")[GivenDevice.bootloader] == nil)
    let plan = try #require(try device("{bootloader: s140-debug}")[GivenDevice.bootloader])
    #expect(plan.build == .s140Debug)
    #expect(plan.timing == .nRF52840)
    #expect(plan.release == nil)
    #expect(plan.version == nil)
    #expect(try device("{bootloader: s132-debug}")[GivenDevice.bootloader]?.timing == .nRF52832)
    let faults = try #require(try device("{bootloader-faults: {mute: false}}")[GivenDevice.bootloaderFaults])
    #expect(faults.faults == BootloaderFaults())
  }

  @Test func everyFaultCanBeStated() throws {
    let arguments = try device(
      """
      {bootloader-faults: {drop: 3, drop-every: 40, receipt: late, receipt-number: 2, receipt-delay: 4 s,
        answer: result, answer-to: 4, answers: 1, result: 11, extended-error: 5, answer-delay: 200 ms, mute: true,
        break: silent, break-at: 6, advertising-delay: 7 s, unheard: true, same-address: true, no-name: true,
        no-service: true, mtu: 185, set-name: 4, no-time-out: true}}
      """)
    var faults = BootloaderFaults()
    faults.droppedPacket = 3
    faults.droppedPacketInterval = 40
    faults.receipt = BootloaderFaults.ReceiptFault(.late(.seconds(4)), number: 2)
    faults.answer = BootloaderFaults.AnswerFault(.result([11, 5]), to: 4, count: 1)
    faults.answerDelay = .milliseconds(200)
    faults.isMute = true
    faults.linkBreak = BootloaderFaults.LinkBreak(exchange: 6, isSilent: true)
    faults.advertisingDelay = .seconds(7)
    faults.neverAdvertises = true
    faults.keepsAddress = true
    faults.hidesName = true
    faults.hidesService = true
    faults.maximumTransmissionUnit = 185
    faults.name = .result(4)
    faults.neverTimesOut = true
    #expect(arguments[GivenDevice.bootloaderFaults]?.faults == faults)
    let name = try device("{bootloader-faults: {set-name-disconnects: true}}")[GivenDevice.bootloaderFaults]
    #expect(name?.faults.name == .disconnects)
    for (word, kind) in [
      ("missing", BootloaderFaults.AnswerFault.Kind.missing), ("wrong-request", .wrongOpCode),
      ("wrong-checksum", .wrongChecksum), ("wrong-offset", .wrongOffset),
    ] {
      let plan = try device("{bootloader-faults: {answer: \(word)}}")[GivenDevice.bootloaderFaults]
      #expect(plan?.faults.answer == BootloaderFaults.AnswerFault(kind))
    }
    for (word, kind) in [
      ("lost", BootloaderFaults.ReceiptFault.Kind.lost), ("duplicated", .duplicated), ("wrong-offset", .wrongOffset),
    ] {
      let plan = try device("{bootloader-faults: {receipt: \(word)}}")[GivenDevice.bootloaderFaults]
      #expect(plan?.faults.receipt == BootloaderFaults.ReceiptFault(kind))
    }
  }

  @Test func wordsThatNobodyKnowsAreRefused() {
    let text = """
      scenario: tried by a test
      id: try
      verifies: [APP-1.1]
      given:
        device: {bootloader: {biuld: s140-debug}, bootloader-faults: {answer: wrong-checksums}}
      steps:
        - device: power-on

      """
    let library = ScenarioLibrary(
      files: [SourceFile(path: "try.yaml", text: text)], vocabulary: Playing.vocabulary)
    let report = library.report.text()
    #expect(report.contains("build"), "\(report)")
    #expect(report.contains("wrong-checksum"), "\(report)")
  }

  @Test func profilesAreNamedWithTheirFaults() throws {
    let late = try #require(RecorderFault("records-late"))
    #expect(RecorderProfile.named("reference+records-late") == RecorderProfile.reference.with(late))
    #expect(RecorderProfile.named("reference+") == nil)
    #expect(RecorderProfile.named("reference+nothing") == nil)
    #expect(RecorderProfile.named("") == nil)
  }

  /// The releases of the repository.
  private struct Releases: FirmwareLibrary {
    private func octets(_ file: String) -> [UInt8]? {
      FileManager.default.contents(atPath: Playing.repository.appending(path: "firmware-images/\(file)").path)
        .map(Array.init)
    }

    func catalogue() throws(ControlFailure) -> FirmwareCatalogue {
      guard let json = octets(FirmwareCatalogue.fileName),
        let catalogue = try? FirmwareCatalogue(decoding: json, package: octets)
      else { throw .impossible("no catalogue") }
      return catalogue
    }

    func package(_ name: String) throws(ControlFailure) -> [UInt8] {
      guard let octets = octets(try catalogue().release(named: name)?.file ?? name) else {
        throw .impossible("no package")
      }
      return octets
    }
  }

  private func builder(
    _ firmware: any FirmwareLibrary, faults: [PlantedFault] = []
  ) throws -> SetBuilder {
    var settings = RunSettings()
    settings.faults = faults
    return SetBuilder(
      scenario: try Playing.scenarios("steps:\n  - device: power-on")[0], settings: settings,
      world: BluetoothWorld(loop: EventLoop(), trace: TraceRecorder()), sounds: Silence(), firmware: firmware,
      observer: nil)
  }

  @Test func aReleaseIsInstalledWithItsBehaviour() throws {
    let plan = try device("{bootloader: {firmware: 1.5.1}}")[GivenDevice.bootloader]
    let builder = try builder(Releases(), faults: [try #require(PlantedFault("recorder:never-sleeps"))])
    let firmware = try builder.firmware(plan, nil)
    let release = try #require(try Releases().catalogue().release(named: "1.5.1"))
    #expect(firmware.version == release.version)
    #expect(SHA256.digest(try #require(firmware.image)) == release.imageDigest)
    // What is planted stays, whatever is installed.
    #expect(builder.installedProfile(plan, firmware).name == "reference+records-late+never-sleeps")
    #expect(firmware.known.first { $0.name == "1.5.0" }?.profile.name == "reference+never-sleeps")
    #expect(firmware.known.count == (try Releases().catalogue().releases.count))
  }

  @Test func withoutFirmwareAtHandNothingNeedsAny() throws {
    struct Broken: FirmwareLibrary {
      func catalogue() throws(ControlFailure) -> FirmwareCatalogue { throw .impossible("unreadable") }
      func package(_ name: String) throws(ControlFailure) -> [UInt8] { throw .impossible("unreadable") }
    }
    #expect(try builder(Broken()).firmware(nil, nil) == RecorderFirmware())
    let plan = try device("{bootloader: {firmware: 1.5.0}}")[GivenDevice.bootloader]
    #expect(throws: ControlFailure.self) { try builder(Broken()).firmware(plan, nil) }
    let unknown = try device("{bootloader: {firmware: 9.9.9}}")[GivenDevice.bootloader]
    #expect(throws: ControlFailure.self) { try builder(Releases()).firmware(unknown, nil) }
  }
}
