import Requirements
import Testing
import Timeline
import Verdicts

@testable import Runner

/// `pairing` is the start of a pairing, `paired` its end, in scenarios and in what reports tell.
@Suite struct PairingWords {
  private static let broken = "{phone: connect}, {air: break}"

  /// Writes down what the phone's host sees of pairing.
  private final class Listener: RunObserver {
    var names: [String] = []

    func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
    func stepFinished(_ report: StepReport) {}
    func observed(_ event: ProductEvent) {
      let name = event.happening.name
      if event.source.part == .phone, name == "secured" || name.hasPrefix("pair") { names.append(name) }
    }
  }

  private func names(_ steps: String) throws -> [String] {
    let listener = Listener()
    let scenario = try Playing.scenarios("steps: [\(steps)]")[0]
    _ = ScenarioRun(scenario, RunSettings(), sounds: NoSounds(), firmware: NoFirmware()).run(observer: listener)
    return listener.names
  }

  @Test func reportsTellBothEndsOfAPairing() throws {
    #expect(try names("{phone: connect}, {phone: pair}") == ["pairing", "secured", "paired"])
    #expect(try names("\(Self.broken), {phone: pair, fails: disconnected}") == ["pairing"])
  }

  @Test(arguments: ["pairing", "paired"]) func scenariosHearAPairingThatEndsWell(_ word: String) throws {
    let report = try Playing.run("steps: [{phone: connect}, {never: \(word), while: [{phone: pair}]}]")
    #expect(report.verdict.reason?.hasPrefix("\(word) must not happen") == true, "\(report.verdict)")
  }

  @Test(arguments: [
    (UInt8(0x00), "no answer came within 30 s (0x00)"), (0x01, "passkey entry failed (0x01)"),
    (0x0C, "the numbers compared did not match (0x0C)"), (0x0D, "a pairing over BR/EDR is going on (0x0D)"),
    (0x0E, "keys for another transport may not be derived (0x0E)"), (0x0F, "a key was rejected (0x0F)"),
    (0x10, "the other end is busy (0x10)"), (0x11, "unknown reason (0x11)"),
  ]) func everyReasonWithWhichAPairingFailsHasWords(_ reason: UInt8, _ words: String) {
    #expect(SecurityWords.text(reason) == words)
  }

  @Test func aPairingThatBreaksOffBeganAndDidNotEnd() throws {
    func verdict(_ word: String) throws -> Verdict {
      let steps = "\(Self.broken), {never: \(word), while: [{phone: pair, fails: disconnected}]}"
      return try Playing.run("steps: [\(steps)]").verdict
    }
    #expect(try verdict("paired") == .passed)
    #expect(try verdict("pairing").reason?.hasPrefix("pairing must not happen") == true)
  }
}
