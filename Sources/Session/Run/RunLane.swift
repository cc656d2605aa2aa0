import Bench
import Runner
import ScenarioLanguage
import Verdicts

/// One of the benches over which a run spreads its scenarios; or all of a run that has one bench or none.
struct RunLane: Sendable {
  /// The plan of the run, with the settings of this bench.
  var plan: RunPlan
  /// The health scenario of the bench; `nil` for none.
  let health: HealthGate?
  /// What was found before the first scenario; `nil` before that, and without a bench.
  private(set) var preflight: RunPreflight?
  /// The name of the bench where there are several; `nil` otherwise.
  let name: String?
  /// Why the bench got no more scenarios after one of them; `nil` where it did.
  var lateTrouble: String?
  /// How far the recorders of the bench are from simulated ones, as far as they were measured.
  private var twins: [TwinDistance] = []

  private init(_ plan: RunPlan, health: HealthGate?, name: String?) {
    self.plan = plan
    self.health = health
    self.name = name
  }

  /// The benches of a plan, in their order, with their health scenarios.
  static func lanes(of plan: RunPlan, _ health: [Scenario?], _ performer: any ScenarioPerformer) -> [RunLane] {
    func gate(_ number: Int) -> HealthGate? {
      guard health.indices.contains(number), let scenario = health[number] else { return nil }
      return HealthGate(scenario, performer, ofBench: plan.furtherBenches.isEmpty ? nil : number + 1)
    }
    func name(_ target: HardwareTarget?) -> String? {
      plan.furtherBenches.isEmpty ? nil : target?.place ?? "without a name"
    }
    return [RunLane(plan, health: gate(0), name: name(plan.settings.hardware))]
      + plan.furtherBenches.enumerated().map { index, bench in
        var own = plan
        own.settings.hardware = bench.target
        own.settings.benchOptions = bench.options
        return RunLane(own, health: gate(index + 1), name: name(bench.target))
      }
  }

  /// Looks at the bench before the first scenario, where there is one.
  mutating func check(_ setting: RunSession.Setting, _ tell: @escaping @Sendable (RunEvent) -> Void) {
    guard plan.settings.isOnBench else { return }
    let notes = OpeningNotes { tell(.controllerNote($0)) }
    plan.settings.hardware?.notes = notes
    plan.settings.application?.notes = notes
    tell(.checkingBench(name))
    preflight = RunPreflight(&plan, folders: setting.folders, on: .this(program: setting.program))
    // A scenario that finds out loses its turn on a bench that could have had it.
    if name != nil, plan.trouble == nil { plan.settings.hardware?.tryController(plan.settings.interruption) }
    tell(.benchChecked(name, trouble: plan.trouble))
  }

  /// Tells how far the measured recorders of the bench are from simulated ones, and which of the scenarios that can run here
  /// depend on it.
  mutating func compareTwins(
    _ scenarios: [Scenario], _ performer: any ScenarioPerformer, _ tell: (RunEvent) -> Void
  ) {
    guard let target = plan.settings.hardware else { return }
    var measured = MeasuredTwin.all(on: target)
    guard !measured.isEmpty else { return }
    let runnable = plan.trouble == nil ? scenarios.filter { BenchOutlook($0, on: target).missingCapability == nil } : []
    var settings = RunSettings()
    settings.seed = plan.settings.seed
    for index in measured.indices {
      measured[index].findDependents(
        among: runnable, settings, until: { plan.settings.interruption.isRequested }
      ) { performer.perform($0, $1, sinks: [], observer: nil).verdict.kind }
    }
    twins = measured.map(\.distance)
    tell(.twinsCompared(name, twins))
  }

  /// Runs the health scenario before the first one; anything but a pass is the bench's trouble.
  mutating func checkHealth(_ files: any RunFiles, _ tell: (RunEvent) -> Void) {
    guard isReady, let trouble = health?.trouble(.before, plan.settings, files) else { return }
    tell(.healthFailed(name, trouble))
    plan.settings.benchTrouble = trouble
  }

  /// Whether there is a bench that can be learned about.
  var isReady: Bool { plan.trouble == nil && lateTrouble == nil && !plan.settings.interruption.isRequested }

  /// What is known of the bench; `nil` without real recorders, unless something is wrong with it.
  var record: BenchRecord? {
    guard let target = plan.settings.hardware else {
      guard let trouble = plan.trouble else { return nil }
      var record = BenchRecord(place: nil, parts: [])
      record.trouble = trouble
      return record
    }
    var record = BenchRecord(target)
    record.health = health?.history ?? []
    record.twins = twins.isEmpty ? nil : twins
    record.trouble = plan.trouble ?? lateTrouble
    return record
  }
}

extension BenchRecord {
  /// What is known of a bench after a run.
  init(_ target: HardwareTarget) {
    let adapters = target.controllers.map { Part("controller", "\($0)") }
    let recorders = target.recorders.map { Part("recorder", $0.address.description) }
    let traits = (target.controllerIdentity.traits + target.traits).map { Part($0.name, $0.value) }
    self.init(place: target.place, parts: adapters + recorders + traits)
  }

  /// All benches of a run as one; `nil` without real recorders.
  init?(allOf lanes: [RunLane]) {
    let records = lanes.compactMap { $0.plan.settings.hardware.map(BenchRecord.init) }
    guard let first = records.first else { return nil }
    self = first
    guard records.count > 1 else { return }
    place = records.map { $0.place ?? "without a name" }.joined(separator: ", ")
    parts = records.flatMap(\.parts)
  }
}
