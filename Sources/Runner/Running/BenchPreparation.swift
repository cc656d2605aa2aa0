import Bench
import Phone
import ScenarioLanguage
import Text
import Timeline
import Verdicts
import World

extension StageSet {
  /// The prompts for the operator.
  var prompts: [OperatorPrompt] {
    devices.compactMap { $0 as? ActuatedDevice }.flatMap(\.prompts).map { prompt in
      OperatorPrompt(prompt.text, asked: prompt.asked, answered: prompt.answered, answer: prompt.answer)
    }
  }

  /// Gives controllers back, so that the next scenario can have them.
  func giveControllersBack() {
    senses?.close()
    for case let phone as SimulatedPhone in phones { phone.retire() }
    for case let device as SimulatedDevice in devices { device.retire() }
  }
}

extension Stage {
  /// Brings about the state in which the scenario begins, before real recorders or somebody else's phone, performs it,
  /// and cleans up also where the first failed.
  func performOnBench(_ scenario: Scenario, _ target: HardwareTarget?) async -> Performance {
    let (waits, loop) = (waits, loop)
    let budget = target.map { $0.preparationBudget(expecting: BenchOutlook(scenario, on: $0).preparation) }
    let end = budget.map { loop.now.advanced(by: $0) } ?? .distantFuture
    let timer = budget.map { loop.schedule(after: $0, .deadline) { waits.breakOff() } }
    do throws(ControlFailure) {
      defer { if let timer { loop.cancel(timer) } }
      try await awaitScanner()
      if let target { try await establish(scenario, on: target) } else { try await prepareApplication(scenario) }
    } catch {
      var performance = Performance()
      var outcome = waits.isInterrupted ? StepOutcome.interrupted("what `given:` states") : outcome(of: error)
      if let budget, loop.now >= end { outcome = .benchError(Self.tooSlow(budget)) }
      if let trouble = benchTrouble() { outcome = .benchError(trouble) }
      switch outcome {
      case .blocked(let capability): performance.verdict = .blocked(capability: capability)
      case .harnessError(let reason): performance.verdict = .harnessError(HarnessTrouble(reason))
      default: performance.verdict = .benchError(BenchTrouble(outcome.reason ?? ""))
      }
      await cleanUp(scenario, &performance)
      return performance
    }
    if let limit = scenario.timeout {
      // What the bench did before is not the scenario's time, and each of its steps may be as late as the bench is.
      let time = limit + tolerance * Step.flat(scenario.steps).count
      loop.schedule(after: time, .deadline) { waits.timeOut() }
    }
    let performance = await perform(scenario)
    if case .failed = performance.verdict, !self.waits.isInterrupted { await checkControllers() }
    return performance
  }

  private static func tooSlow(_ budget: Duration) -> String {
    BenchFault(
      "the bench did not bring the recorder into the state of `given:` within \(DurationText.exact(budget))",
      advice: "look which instrument is slow, or state `prepare-within` in the bench file"
    ).description
  }

  /// Brings real recorders into the state with which the scenario begins.
  ///
  /// - Throws: ``ControlFailure`` where the bench fails or lacks something; never the device's failure.
  func establish(_ scenario: Scenario, on target: HardwareTarget) async throws(ControlFailure) {
    let outlook = BenchOutlook(scenario, on: target)
    let recorders = devices.enumerated().compactMap { index, device in (device as? ActuatedDevice).map { (index, $0) } }
    for (_, device) in recorders { try await device.identify() }
    // One prompt for all recorders, before anything is done to the first of them.
    let asked = try await ActuatedDevice.askTogether(
      recorders.map { ($0.1, outlook.preparations(of: $0.0).before) })
    for (number, (index, device)) in recorders.enumerated() {
      var (before, after) = outlook.preparations(of: index)
      // Nobody had to be forgotten by a recorder that was not heard; why it is silent is for the steps to judge.
      if case .unknown = device.belonging, outlook.bondedPhones.isEmpty { before.removeAll { $0 == .forgetBonds } }
      let found = outlook.verifications(of: index)
      let bonded = index == 0 ? outlook.bondedPhones : []
      try await device.perform(before, isFirstAsked: asked.contains(number))
      if found.isAwake { try await verifyAwake(device) }
      if before.contains(.eraseRecords), outlook.records(of: index)?.count == 0 { device.remember(.none) }
      let making = after.filter(\.isMaking)
      // Records that are made now lie before the time at which the scenario begins.
      if index == 0 { try await setPhoneClocks(outlook, earlier: making.isEmpty ? .zero : outlook.preparation) }
      // Records are named after the clock, which a meeting sets that lasts long enough.
      let naming = !making.isEmpty && (outlook.records(of: index)?.count ?? 0) > 0
      for phone in bonded { try await bond(phones[phone], with: device, settingClock: naming) }
      if let count = found.records, let phone = bonded.first { try await verify(count, on: device, by: phones[phone]) }
      if let phone = bonded.first {
        if !making.isEmpty { try await make(making, on: device, outlook, index, seenBy: phone) }
        try await serveTimes(outlook, to: device, by: phones[phone], again: !making.isEmpty)
      }
      let wishes = after.filter { !$0.isMaking }
      if !wishes.isEmpty { try await device.perform(wishes) }
      if let level = found.battery { try await verify(level, of: device) }
    }
    for index in outlook.automaticPhones { (phones[index] as? SimulatedPhone)?.setAutomatic(true) }
  }

  /// Lets every phone show the time at which the scenario begins, or one that is so much earlier.
  private func setPhoneClocks(_ outlook: BenchOutlook, earlier: Duration) async throws(ControlFailure) {
    for (index, phone) in phones.enumerated() {
      try await phone.setClock(outlook.clock(ofPhone: index) - earlier.components.seconds)
    }
  }

  /// Gives phones and recorder the times with which the scenario begins; `again` where making records took time since the
  /// phone showed it first.
  private func serveTimes(
    _ outlook: BenchOutlook, to device: ActuatedDevice, by phone: any PhoneControl, again: Bool
  ) async throws(ControlFailure) {
    guard again || outlook.servedClock != nil else { return }
    try await setPhoneClocks(outlook, earlier: .zero)
    let time: LocalSeconds
    if let served = outlook.servedClock { time = served } else { time = try phone.readClock() }
    do throws(ControlFailure) {
      try await serve(time, to: device, by: phone)
    } catch .lacking where outlook.servedClock == nil {
      // The scenario states no clock, so a recorder that does not let the phone in is for its steps to judge.
    }
    try await phone.restart()
  }

  /// Pairs a phone with a recorder, which reads the phone's time where `settingClock` says so.
  private func bond(
    _ phone: any PhoneControl, with device: ActuatedDevice, settingClock: Bool
  ) async throws(ControlFailure) {
    for operation in [PhoneOperation.connect(.address(device.address)), .pair, .disconnect] {
      if case .failure(let failure) = try await phone.perform(operation) {
        throw .bench(
          BenchFault(
            "phone and recorder could not be paired before the scenario (\(VerbFailure(failure)))",
            advice: "check that the recorder is awake and in range"))
      }
      if operation == .pair, settingClock { try await rest(Self.meeting) }
    }
    // The application begins the scenario as it would with a bond made long ago.
    try await phone.restart()
  }
}
