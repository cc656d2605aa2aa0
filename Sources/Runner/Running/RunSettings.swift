import Bench
import Phone
import Recorder
import Requirements
import ScenarioLanguage
import Timeline
import Verdicts
import World
import YAML

/// The settings for all scenarios of a run.
public struct RunSettings: Sendable {
  /// The seed from which every scenario's own seed is derived.
  public var seed: UInt64 = 1
  /// Which recorder is simulated.
  public var profile = RecorderProfile.reference
  /// Which phone is played.
  package var phone = PhoneProfile.reference
  /// What runs on the chips of simulated recorders.
  public var program = RecorderProgram.modelled
  /// Earlier lives of recorders with that program.
  let rehearsals = RehearsalStore()
  /// What the recorders hold whose scenarios name no sound.
  let voices = VoiceStore()
  /// What the libraries of phones are made of.
  let libraries = LibraryStock()
  /// The real recorder before which our phone is played; `nil` for a simulated world.
  package var hardware: HardwareTarget?
  /// The options of the command line that name what is under test, such as `--bench bench.yaml`.
  public var benchOptions: [String] = []
  /// Somebody else's application, before which our recorders are played; `nil` for anything else.
  package var application: ApplicationTarget?
  /// The problem with the bench that was found before the first scenario; `nil` if there is none.
  public var benchTrouble: String?
  /// What is wrong on purpose, all at once; empty for nothing.
  public var faults: [PlantedFault] = []
  /// What is wrong besides, chosen by nobody; `nil` for nothing.
  package var generated: GeneratedFault?
  /// Whether only monitors judge: the steps of a scenario act, and what they expect decides nothing.
  package var onlyMonitorsJudge = false
  /// What the firmware is declared to do wrong; see `run --known`.
  package var known = KnownDefects()
  /// Says whom requirements judge; without it a failed assertion judges by who acted.
  package var catalogue: RequirementCatalogue?
  /// Which turn of a repeated run this is, from 0; retries have the numbers of ``AttemptNumber``.
  public var repetition = 0
  /// Whether simulated recorders switch themselves off as in the field, whatever the scenario states, as real ones do.
  package var sleepsAsInField = false
  /// Whether keys and the content of recordings are traced as they are.
  public var isUncovered = false
  /// Hears the packets on the air of simulated scenarios, which are the same without; `nil` for nobody.
  package var airListener: (@Sendable (OverheardPacket) -> Void)?
  /// Which other future a run takes, and from when on; `nil` for the one that belongs to its seed.
  package var future: FutureDraw?
  /// How somebody says that scenarios shall end before their time.
  package var interruption = RunInterruption()

  /// The files of the scenarios, whose lines a failure shows; empty where they are not at hand.
  public var sources: [SourceFile] = []

  /// Verbs that steps may perform besides those of the house.
  public var additionalVerbs: [any Verb.Type] = []
  /// Monitors that watch the run besides those of the house; each run makes new ones.
  public var additionalMonitors: [any Monitor.Type] = []

  /// The settings of a plain run: simulated, seed 1.
  public init() {}

  /// The settings of one world, whose recorders share what is the same in each.
  var inOneWorld: RunSettings {
    var settings = self
    settings.program = program.inOneWorld
    return settings
  }

  /// Every verb that steps may perform.
  var verbs: [any Verb.Type] { VerbCatalogue.all + additionalVerbs }

  /// Every monitor, none of which has seen anything.
  var monitors: [any Monitor] { MonitorSet.everyMonitor + additionalMonitors.map { $0.init() } }

  /// The monitors of a scenario. A phone that was asked to do as the published
  /// application does is not judged for it.
  func monitors(for scenario: Scenario) -> [any Monitor] {
    let chosen = scenario.given.sections(of: GivenPhone.declaration).flatMap { $0.arguments[GivenPhone.published] }
    let broken = (phone.behaviours + chosen).compactMap(\.broken)
    return monitors.filter {
      !broken.contains($0.declaration.requirement) || $0.declaration.judges != .phone
    }
  }

  /// Whether anything is real, so that time passes on the wall.
  package var isOnBench: Bool { hardware != nil || application != nil }

  /// The seed of one scenario: the same in every selection, shard and job (root seed, id, cell, repetition).
  func seed(of scenario: Scenario) -> UInt64 {
    Seed.derive(seed, [scenario.id, scenario.cell.description, String(repetition)])
  }
}

/// A future of a run that is drawn again: up to an event the run is as its seed has it, and after it chance falls otherwise.
package struct FutureDraw: Hashable, Sendable {
  /// The number of events after which chance falls otherwise; 0 for the beginning.
  package let events: Int
  /// Which of the futures, from 1.
  package let number: UInt64

  package init(after events: Int, number: UInt64) {
    self.events = events
    self.number = number
  }
}

/// A fault put into a product or the medium on purpose, to see whether the suite notices.
public enum PlantedFault: Hashable, Sendable {
  /// The recorder does something wrong.
  case recorder(RecorderFault)
  /// The phone does something wrong.
  case phone(PhoneFault)
  /// The medium does something that no scenario expects.
  case air(MediumFault)

  /// Reads `recorder:NAME`, `phone:NAME` or `air:NAME`; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case "recorder":
      guard let fault = RecorderFault(parts[1]) else { return nil }
      self = .recorder(fault)
    case "phone":
      guard let fault = PhoneFault(parts[1]) else { return nil }
      self = .phone(fault)
    case "air":
      guard let fault = MediumFault(rawValue: parts[1]) else { return nil }
      self = .air(fault)
    default: return nil
    }
  }

  /// The name by which the fault can be asked for again.
  public var text: String {
    switch self {
    case .recorder(let fault): "recorder:" + fault.name
    case .phone(let fault): "phone:\(fault)"
    case .air(let fault): "air:" + fault.rawValue
    }
  }

  /// What the fault is about, such as `recorder security`.
  package var subject: String {
    switch self {
    case .recorder(let fault):
      RecorderFault.groups.first { $0.faults.contains(fault) }.map { "recorder \($0.subject)" } ?? "recorder"
    case .phone(let fault): fault.isAboutUpdates ? "phone updates" : "phone"
    case .air: "air"
    }
  }

  /// What is wrong, as one sentence; `nil` where the name says it all.
  package var summary: String? {
    if case .recorder(let fault) = self { fault.summary } else { nil }
  }

  /// Every fault once.
  package static var all: [PlantedFault] { names.compactMap { PlantedFault($0) } }

  /// Every fault's name, in order, for messages and completion.
  public static var names: [String] {
    RecorderFault.all.map { "recorder:" + $0.name } + PhoneFault.all.map { "phone:\($0)" }
      + MediumFault.allCases.map { "air:" + $0.rawValue }
  }
}

extension [PlantedFault] {
  /// Reads what ``text`` wrote; `nil` for anything else.
  public init?(_ text: String) {
    var faults: [PlantedFault] = []
    for name in text.split(separator: Self.separator, omittingEmptySubsequences: false) {
      guard let fault = PlantedFault(String(name)) else { return nil }
      faults.append(fault)
    }
    self = faults
  }

  /// All names with `+` between them, as a report states them; `nil` for no fault.
  public var text: String? { isEmpty ? nil : map(\.text).joined(separator: String(Self.separator)) }

  private static var separator: Character { "+" }

  /// Those of recorders, in the order they are planted.
  var ofRecorders: [RecorderFault] { compactMap { if case .recorder(let fault) = $0 { fault } else { nil } } }
  /// Those of phones.
  var ofPhones: [PhoneFault] { compactMap { if case .phone(let fault) = $0 { fault } else { nil } } }
  /// Those of the medium.
  var ofAir: [MediumFault] { compactMap { if case .air(let fault) = $0 { fault } else { nil } } }
}
