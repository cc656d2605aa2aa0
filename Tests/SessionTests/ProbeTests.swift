import Foundation
import HostStack
import Probe
import Recorder
import Session
import Testing
import World
import YAML

/// Probes of simulated recorders, in virtual time.
@Suite struct Probes {
  /// Every instrument, and enough records to tell what a read of the flash takes.
  private static let equipped = ProbeRig.Setting(
    hasInstruments: true, extent: ProbeExtent(drift: .seconds(20 * 3_600), entersBootloader: true))
  /// A recorder that erases its flash when it switches itself off, because that is nearly full.
  private static let full = ProbeRig.Setting(
    profile: RecorderProfile.reference.with(PublishedBehaviour.format),
    records: Array(repeating: 4_000_000, count: 3) + [3_300_000], hasInstruments: true)

  @Test func aRecorderDiffersFromItselfInNothing() throws {
    let found = try ProbeRig.probe(Self.equipped)
    #expect(Distance(of: found, from: .reference).differences == [])
    #expect(Distance(of: found, from: .reference).phrases == [])
    #expect(found.reasons.keys.map(\.rawValue) == ["format"])
  }

  @Test func aNotificationIsCutAtTheDefaultUnit() throws {
    let found = try ProbeRig.probe(Self.equipped, for: [.flashRead])
    let figures = ["longest-notification", "longest-notification-at-23"].map { name in
      found.observations.first { $0.name == name }?.figure.value
    }
    #expect(figures == [200, 20])
  }

  @Test func theConsoleTellsWhichFirmwareWasMeasured() throws {
    let found = try ProbeRig.probe(Self.equipped, for: [.mounted])
    #expect(found.firmware?.hasPrefix("Dictofun FW. f934e997 ") == true)
    #expect(try ProbeRig.probe(ProbeRig.Setting(), for: [.flashRead]).firmware == nil)
  }

  @Test func theSameSeedGivesTheSameFile() throws {
    let files = try (0..<2).map { _ in try ProbeRig.probe(Self.equipped, seed: 7).file(note: "measured") }
    #expect(files[0] == files[1])
  }

  @Test func withoutInstrumentsTheReasonsSayWhatIsMissing() throws {
    let found = try ProbeRig.probe(ProbeRig.Setting())
    for constant in ProbedConstant.allCases {
      let isMeasured = constant.instrument == .radio && constant != .bootloaderIdle
      #expect((found.figures[constant] != nil) == isMeasured, "\(constant)")
    }
    #expect(found.reasons[.noRecord] == "needs actuators: rail")
    #expect(found.reasons[.bootloaderIdle] == "needs --enter-bootloader")
    #expect(found.reasons[.clockDrift] == "needs --drift-for")
    #expect(Distance(of: found, from: .reference).isEmpty)
  }

  @Test func anInstrumentThatFailsCostsOnlyItsFigures() throws {
    var setting = Self.equipped
    setting.hasLostButton = true
    let found = try ProbeRig.probe(setting, for: [.keepAlive, .afterRecord, .bootloaderIdle])
    #expect(found.reasons[.afterRecord] == "the Pico is gone: check its cable")
    #expect(found.figures[.keepAlive] != nil)
    #expect(found.figures[.bootloaderIdle] != nil)
  }

  /// Shifts by 5 to 50 % either way, or by what the supply and the crystal allow.
  @Test(arguments: ["watches it boot and switch itself off", "changes its battery", "presses its button"])
  func whoeverStopsAProbeDoesNotWaitForTheStep(_ step: String) throws {
    var setting = Self.equipped
    setting.interruptedAt = step
    let stopped = #expect(throws: Stopped.self) { _ = try ProbeRig.probe(setting) }
    #expect(stopped?.cause as? ControlFailure == .ended(.interrupted))
    #expect((stopped?.after ?? .seconds(600)) < .seconds(10), "\(String(describing: stopped))")
  }

  @Test(arguments: ProbedConstant.allCases) func aShiftIsNamedAndRecovered(_ constant: ProbedConstant) throws {
    var missed: [String] = []
    for seed in 1...Self.seeds {
      let trial = ShiftTrial(constant, seed: UInt64(seed))
      var setting = constant == .format ? Self.full : Self.equipped
      let twin = setting.profile
      setting.profile = trial.shifted(twin)
      let found = try ProbeRig.probe(setting, against: twin, seed: UInt64(seed), for: trial.wanted)
      if let reason = trial.failure(of: found, twin: twin, shifted: setting.profile) { missed.append(reason) }
    }
    #expect(missed.count * 20 <= Self.seeds, "\(missed.joined(separator: "\n"))")
  }

  @Test func aShiftedHandleIsNamedAndPlayed() throws {
    for seed in 1...Self.seeds {
      var setting = ProbeRig.Setting()
      setting.profile.services = ShiftTrial.movedServices(seed: UInt64(seed))
      let found = try ProbeRig.probe(setting, seed: UInt64(seed))
      let distance = Distance(of: found, from: .reference)
      #expect(!distance.phrases.isEmpty, "seed \(seed)")
      #expect(distance.differences == [], "seed \(seed)")
      #expect(found.profile(from: .reference).attributes.discovered == setting.profile.attributes.discovered)
    }
  }

  @Test func aMeasuredProfileIsPlayedAndMeasuredAgain() throws {
    var setting = Self.equipped
    setting.profile.timing.keepAlive = 12_000
    setting.profile.advertisingIntervalSlots = 320
    setting.profile.sampleRate = 12_000
    let found = try ProbeRig.probe(setting)
    let file = SourceFile(path: "profile-measured.yaml", text: found.file(note: "measured"))
    setting.profile = try MeasuredRecorder(file).profile(from: .reference)
    let again = try ProbeRig.probe(setting, against: setting.profile, seed: 2)
    #expect(Distance(of: again, from: setting.profile).isEmpty)
    #expect(
      Distance(of: again, from: .reference).differences.map(\.constant) == [
        .advertisingInterval, .keepAlive, .sampleRate,
      ])
  }

  /// `DICTOBENCH_PROBE_SEEDS` asks for more seeds of each shift than the few of an ordinary run.
  private static let seeds = ProcessInfo.processInfo.environment["DICTOBENCH_PROBE_SEEDS"].flatMap { Int($0) } ?? 1
}
