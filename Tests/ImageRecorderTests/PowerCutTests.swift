import DictofunProtocol
import HostStack
import Recorder
import Testing
import Timeline

@testable import ImageRecorder

/// Power cuts in copies of a recorder that goes on.
@Suite struct PowerCutSweeping {
  private static let scenario = "a press"
  /// The guests look at their records in the first milliseconds.
  private static let future = Duration.milliseconds(150)

  private static func at(_ milliseconds: UInt64) -> Instant { Instant(nanoseconds: milliseconds * 1_000_000) }

  /// A recorder with one finished record.
  private static func recorder(_ file: String) throws -> ExecutedRecorder {
    var recorder = try Guests.recorder(file)
    let name = try #require(RecordIdentifier("0000240101115900"))
    recorder.take(.placeRecord(PlacedRecord(identifier: name, content: Array(repeating: 7, count: 700))), at: .zero)
    return recorder
  }

  /// Lets it make a second record from 60 to 160 ms, up to an instant.
  private static func act(on recorder: inout ExecutedRecorder, until end: Instant = at(220)) {
    let deeds: [(Instant, RecorderControl)] = [
      (at(0), .holdRail), (at(60), .pressButton), (at(160), .releaseButton),
    ]
    for (instant, control) in deeds where instant <= end { recorder.take(control, at: instant) }
    recorder.timerFired(0, at: end)
  }

  /// What cuts from 50 to 200 ms do, and the recorder afterwards.
  private static func swept(_ file: String) throws -> (sweep: PowerCutLedger.Sweep, recorder: ExecutedRecorder) {
    let ledger = PowerCutLedger()
    var recorder = try recorder(file)
    recorder.sweep = PowerCutSweep(at(50)..<at(200), of: scenario, telling: ledger, future: future)
    act(on: &recorder)
    return (try #require(ledger.sweep(of: scenario)), recorder)
  }

  @Test func aGoodRecorderLosesNothingAndIsNotDisturbed() throws {
    let (sweep, swept) = try Self.swept("recorder-s140.elf")
    #expect(sweep.harmfulCount == 0, "\(sweep.harmful.prefix(3))")
    // Three pages, an entry and its size.
    #expect(sweep.stretches > 4)
    #expect(sweep.instructions > 10_000)
    var plain = try Self.recorder("recorder-s140.elf")
    Self.act(on: &plain)
    #expect(swept.processor == plain.processor)
    #expect(swept.board == plain.board)
    #expect(swept.output == plain.output)
  }

  @Test func aRecorderThatFormatsLosesWhatWasFinished() throws {
    let (sweep, recorder) = try Self.swept("recorder-formats.elf")
    // Before its entry is written and after its size is, nothing is open.
    #expect((1..<sweep.stretches).contains(sweep.harmfulCount))
    #expect(sweep.harmful.allSatisfy { $0.lost.map(\.description) == ["0000240101115900"] })
    let instants = sweep.harmful.map(\.instant)
    #expect(try #require(instants.first) > Self.at(60))
    #expect(try #require(instants.last) < Self.at(200))
    let lines = sweep.lines(of: Self.scenario, recorder.program.application.symbols)
    #expect(lines[1].contains("record 0000240101115900 is lost"), "\(lines)")
    #expect(lines[1].contains("+0x"), "\(lines)")
  }

  /// Cutting a copy does what booting anew, doing the same and cutting there does, also within a stretch.
  @Test(arguments: ["recorder-s140.elf", "recorder-formats.elf"])
  func isTheSameAsBootingAnew(_ file: String) throws {
    let sweep = try Self.swept(file).sweep
    for instant in [55, 62, 90.5, 131.25, 159.9, 170, 190].map({ Instant(nanoseconds: UInt64($0 * 1e6)) }) {
      var anew = try Self.recorder(file)
      Self.act(on: &anew, until: instant)
      let before = anew.inspect(at: instant).records ?? []
      anew.take(.cutPower, at: instant)
      let start = instant.advanced(by: PowerCutSweep.pause)
      anew.take(.releaseButton, at: start)
      anew.take(.holdRail, at: start)
      anew.timerFired(0, at: start.advanced(by: Self.future))
      let after = anew.inspect(at: start).records ?? []
      let stretch = try #require(sweep.cuts.last { $0.instant <= instant })
      #expect(stretch.lost == before.filter { !after.contains($0) }.map(\.identifier), "\(file) at \(instant)")
    }
  }
}
