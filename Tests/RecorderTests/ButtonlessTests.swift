import Bytes
import DictofunProtocol
import HostStack
import Testing
import Timeline

@testable import Recorder

/// The way from the application into the bootloader (nRF5 SDK 17.1.0, `ble_dfu_unbonded.c`).
@Suite struct ButtonlessTests {
  private static let handle = AttributeHandle(DictofunHandle.buttonlessDFU)

  private static func write(_ value: [UInt8], _ bench: inout RecorderBench) {
    bench.hear(.writeRequested(RecorderBench.link, AccessToken(7), handle, value))
  }

  /// What was answered to the last write, and what has been indicated.
  private static func answers(_ bench: RecorderBench) -> (refusal: ATTErrorCode?, indications: [[UInt8]]) {
    let refusals = bench.requests.compactMap { request -> ATTErrorCode?? in
      if case .answerWrite(_, AccessToken(7), let refusal) = request { .some(refusal) } else { nil }
    }
    let indications = bench.requests.compactMap { request -> [UInt8]? in
      if case .indicate(_, _, handle, let value) = request { value } else { nil }
    }
    return (refusals.last ?? nil, indications)
  }

  private static func confirm(_ bench: inout RecorderBench) {
    guard
      case .indicate(_, let ticket, _, _)? = bench.requests.last(
        where: { if case .indicate = $0 { true } else { false } })
    else { return }
    bench.hear(.indicationConfirmed(RecorderBench.link, ticket))
  }

  private static func subscribed(_ configure: (inout RecorderConfiguration) -> Void = { _ in }) -> RecorderBench {
    var bench = RecorderBench.connected(configure)
    bench.subscribe(DictofunHandle.buttonlessDFU, .indications)
    return bench
  }

  @Test func withoutIndicationsNothingHappens() {
    var bench = RecorderBench.connected()
    Self.write([0x01], &bench)
    #expect(Self.answers(bench).refusal == .improperlyConfigured)
    #expect(Self.answers(bench).indications.isEmpty)
    #expect(!bench.recorder.resetsIntoBootloader)
    #expect(!bench.recorder.buttonless.isWaitingForReset)
  }

  @Test func theConfirmationLetsTheChipReset() {
    var bench = Self.subscribed()
    Self.write([0x01], &bench)
    #expect(Self.answers(bench).refusal == nil)
    #expect(Self.answers(bench).indications == [[0x20, 0x01, 0x01]])
    bench.run(for: .seconds(5))
    #expect(!bench.recorder.resetsIntoBootloader, "nobody confirmed")
    bench.acknowledgesAfter = nil
    Self.confirm(&bench)
    #expect(bench.recorder.resetsIntoBootloader)
    #expect(bench.count { $0 == .disconnect(RecorderBench.link, .remoteUserTerminatedConnection) } == 1)
    #expect(!bench.recorder.softDevice.isAdvertising)
  }

  /// What waits for the reset outlives the link: any later confirmation of the characteristic lets it happen.
  @Test func theWaitOutlivesTheLink() {
    var bench = Self.subscribed()
    Self.write([0x01], &bench)
    bench.disconnect()
    bench.run(for: .seconds(1))
    #expect(bench.recorder.isOn)
    #expect(!bench.recorder.resetsIntoBootloader)
    bench.connect()
    bench.subscribe(DictofunHandle.buttonlessDFU, .indications)
    Self.write([0x07], &bench)
    #expect(Self.answers(bench).indications.last == [0x20, 0x07, 0x02])
    Self.confirm(&bench)
    #expect(bench.recorder.resetsIntoBootloader)
  }

  @Test func aConfirmationThatNobodyWaitsForDoesNothing() {
    var bench = Self.subscribed()
    Self.write([0x02, 1, 0x41], &bench)
    Self.confirm(&bench)
    #expect(!bench.recorder.resetsIntoBootloader)
  }

  @Test(
    arguments: [
      ([0x02], 0x05), ([0x02, 0], 0x05), ([0x02, 21] + [UInt8](repeating: 0x41, count: 21), 0x05),
      ([0x02, 2, 0x41, 0x42], 0x01), ([0x02, 20] + [UInt8](repeating: 0x41, count: 20), 0x01), ([0x03], 0x02),
      ([0xFF, 1], 0x02), ([], 0x02),
    ] as [([UInt8], UInt8)])
  func requestsAreAnswered(request: [UInt8], result: UInt8) {
    var bench = Self.subscribed()
    Self.write(request, &bench)
    #expect(Self.answers(bench).indications == [[0x20, request.first ?? 0, result]])
    #expect((bench.recorder.body.bootloaderName != nil) == (result == 0x01))
  }

  /// The place in the settings can be written once; it is the bootloader that makes it free.
  @Test func aNameIsTakenOnce() {
    var bench = Self.subscribed()
    Self.write([0x02, 8] + Array("Dfu01234".utf8), &bench)
    Self.confirm(&bench)
    Self.write([0x02, 1, 0x41], &bench)
    #expect(Self.answers(bench).indications == [[0x20, 0x02, 0x01], [0x20, 0x02, 0x04]])
    #expect(bench.recorder.body.bootloaderName == Array("Dfu01234".utf8))
  }

  @Test func namesCanFail() {
    var bench = Self.subscribed { $0.firmware.faults.name = .result(0x05) }
    Self.write([0x02, 1, 0x41], &bench)
    #expect(Self.answers(bench).indications == [[0x20, 0x02, 0x05]])
    #expect(bench.recorder.body.bootloaderName == nil)
    bench = Self.subscribed { $0.firmware.faults.name = .disconnects }
    Self.write([0x02, 1, 0x41], &bench)
    #expect(Self.answers(bench).indications.isEmpty)
    #expect(bench.recorder.softDevice.link == nil)
    #expect(bench.recorder.isOn)
  }

  @Test func oneIndicationWaitsAtATime() {
    var bench = Self.subscribed()
    Self.write([0x07], &bench)
    Self.write([0x01], &bench)
    #expect(Self.answers(bench).indications == [[0x20, 0x07, 0x02]])
    // The request was heard although its answer found no room.
    Self.confirm(&bench)
    #expect(bench.recorder.resetsIntoBootloader)
  }

  @Test func aRecordInTheMakingIsLostWithTheReset() {
    var bench = Self.subscribed()
    Self.write([0x01], &bench)
    bench.act(.pressButton)
    bench.run(for: .seconds(1))
    let before = bench.recorder.body.storage.finished.count
    bench.recorder.reset(at: bench.now)
    #expect(!bench.recorder.isOn)
    #expect(bench.recorder.body.storage.finished.count == before)
    #expect(bench.recorder.events.contains { if case .recordLost = $0 { true } else { false } })
    bench.recorder.boot(nil, at: bench.now)
    bench.act(.releaseButton)
    #expect(bench.recorder.body.storage.openEntry == nil)
  }
}
