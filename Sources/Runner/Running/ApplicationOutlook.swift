import Bench
import Phone
import Requirements
import ScenarioLanguage
import Timeline
import World

/// Decides whether a scenario can run against somebody else's application, and what blocks it.
///
/// Our simulated recorders have every capability except a medium. What `given:` states about the phone is established
/// or blocks the scenario. Events that only our own phone reports cannot be waited for.
package struct ApplicationOutlook {
  private let scenario: Scenario
  private let target: ApplicationTarget

  /// A scenario before an application.
  package init(_ scenario: Scenario, on target: ApplicationTarget) {
    self.scenario = scenario
    self.target = target
  }

  /// The first thing that the scenario needs and the target does not have; `nil` when the scenario can run.
  package var missingCapability: String? { lack?.description }

  /// The first thing that is lacking.
  var lack: Lack? {
    let phones = scenario.given.sections(of: GivenPhone.declaration)
    if phones.count > 1 { return .phones(phones.count) }
    let recorders = scenario.given.sections(of: GivenDevice.declaration).count
    if recorders > target.controllers.count { return .controllersOfRecorders(recorders) }
    let air = scenario.given.sections(of: GivenAir.declaration).flatMap(\.arguments.entries)
    if !air.isEmpty || scenario.needs.contains(Capabilities.medium) { return .capability(Capabilities.medium) }
    if scenario.needs.contains(Capabilities.adapter) { return .capability(Capabilities.adapter) }
    if let action = preparations.first(where: { !target.can($0) }) { return .action(action) }
    for entry in phones[0].arguments.entries {
      switch entry.name {
      case GivenPhone.bonded.declaration.name, GivenPhone.clock.declaration.name: break
      default: return .given(GivenPhone.declaration, field: entry.name)
      }
    }
    for step in Step.flat(scenario.steps + scenario.always) {
      if let missing = missing(step) { return missing }
    }
    return nil
  }

  /// How often the operator is asked.
  package var prompts: Int {
    let steps = Step.flat(scenario.steps + scenario.always).flatMap { step -> [ApplicationAction] in
      switch step.action {
      case .perform(let call): call.declaration.actuates.compactMap(\.action)
      case .ask: [.ask]
      default: []
      }
    }
    return (preparations + steps).count { target.isByHand($0) }
  }

  /// The actions on the phone before the first step.
  private var preparations: [ApplicationAction] {
    let arguments = scenario.given.sections(of: GivenPhone.declaration)[0].arguments
    let bonding: [ApplicationAction] = arguments[GivenPhone.bonded] ? [.connect, .pair, .disconnect] : []
    return [.reset] + (arguments[GivenPhone.clock] == nil ? [] : [.setClock]) + bonding
  }

  private func missing(_ step: Step) -> Lack? {
    switch step.action {
    case .perform(let call) where call.declaration.actor == .phone:
      // What our own phone does without a word that others know too is done by ours alone.
      let actions = call.declaration.actuates.compactMap(\.action)
      if actions.isEmpty { return .verb(call.declaration) }
      return actions.first { !target.can($0) }.map { .action($0) }
    case .ask: return target.can(.ask) ? nil : .action(.ask)
    default: return step.patterns.lazy.compactMap(missing).first
    }
  }

  /// Only our own phone reports events of its own.
  private func missing(_ pattern: EventPattern) -> Lack? {
    pattern.declaration.name.hasPrefix("phone.") ? .phoneEvent(pattern.declaration) : nil
  }
}

extension Stage {
  /// Brings the application into the state with which the scenario begins.
  ///
  /// - Throws: ``ControlFailure`` where that cannot be done; never the application's failure.
  func prepareApplication(_ scenario: Scenario) async throws(ControlFailure) {
    guard let phone = phones.first as? ApplicationPhone else { return }
    let arguments = scenario.given.sections(of: GivenPhone.declaration)[0].arguments
    try await phone.reset()
    if let clock = arguments[GivenPhone.clock] { try await phone.setClock(clock.localSeconds) }
    guard arguments[GivenPhone.bonded], let device = devices.first else { return }
    let isAsleep = !(try await device.inspect().isOn)
    if isAsleep { try await device.powerOn() }
    for operation in [PhoneOperation.connect(.address(device.address)), .pair] {
      guard case .failure(let failure) = try await phone.perform(operation) else { continue }
      throw .bench("the application could not be paired before the scenario: \(VerbFailure(failure))")
    }
    // The recorder gets the last key when the phone has already said that it is paired.
    _ = await waits.pass(.milliseconds(300), on: loop)
    _ = try await phone.perform(.disconnect)
    // The time that it has read is compared once more before a step may set the recorder's clock.
    _ = await waits.pass(OracleEvent.settling, on: loop)
    if isAsleep { try await device.cutPower() }
  }
}
