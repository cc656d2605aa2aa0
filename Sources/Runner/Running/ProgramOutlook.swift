import Bytes
import Recorder
import ScenarioLanguage
import Timeline
import World

/// Decides whether a scenario can run in a simulated world whose recorders run a certain program.
///
/// The model can begin a scenario in any state. Another program, such as a firmware image, keeps updates in its own flash,
/// and does not tell everything that is inside it.
package struct ProgramOutlook {
  private let scenario: Scenario
  private let program: RecorderProgram

  /// A scenario before recorders that run `program`.
  package init(_ scenario: Scenario, running program: RecorderProgram) {
    self.scenario = scenario
    self.program = program
  }

  /// The first thing that the scenario needs and recorders with this program do not have; `nil` when the scenario can run.
  /// A scenario in which only a step lacks something begins nevertheless, and is blocked at that step.
  package var missingCapability: String? {
    (lackOfScreen ?? lackAtBeginning ?? lackOfSensors)?.description
  }

  /// A simulated phone has no screen for anybody to look at.
  var lackOfScreen: Lack? {
    let asks = Step.flat(scenario.steps + scenario.always).contains {
      if case .ask = $0.action { true } else { false }
    }
    return asks ? .action(.ask) : nil
  }

  /// What only the model has: a bond, where the program keeps nothing in its chip, a certain firmware behind a bootloader,
  /// or a bootloader at all.
  var lackAtBeginning: Lack? {
    guard !program.isModelled else { return nil }
    let phones = scenario.given.sections(of: GivenPhone.declaration)
    if phones.contains(where: { $0.arguments[GivenPhone.bonded] }), machine.chipFlash == nil {
      return .capability(Capabilities.bonds)
    }
    let devices = scenario.given.sections(of: GivenDevice.declaration)
    if let bootloader = program.bootloader { return lack(of: bootloader, devices.map(\.arguments)) }
    if devices.contains(where: { $0.arguments[GivenDevice.bootloader] != nil }) {
      return .capability(Capabilities.firmware)
    }
    return Step.flat(scenario.steps + scenario.always).contains(where: meetsBootloader) ? .bootloader : nil
  }

  /// What an executed bootloader lacks: it is as it was built, and installs programs only.
  private func lack(of bootloader: ExecutedBootloader, _ devices: [Arguments]) -> Lack? {
    for device in devices {
      if device[GivenDevice.bootloaderFaults] != nil {
        return .given(GivenDevice.declaration, field: GivenDevice.bootloaderFaults.declaration.name)
      }
      guard let plan = device[GivenDevice.bootloader] else { continue }
      if plan.build.board != bootloader.board { return .board(plan.build.board) }
      if plan.isBuiltOtherwise { return .bootloaderBuild }
      if plan.release != nil, !bootloader.installsPackages { return .programsInPackages }
    }
    let steps = Step.flat(scenario.steps + scenario.always)
    // Two of the packages that are there to be refused are not, and none of them holds a program.
    if steps.contains(where: { $0.package.map(PackageFolders.areAccepted) ?? false }) { return .programsInPackages }
    if steps.contains(where: installsPackage), !bootloader.installsPackages { return .programsInPackages }
    let countsWrites = steps.contains { step in
      guard let call = step.call, call.declaration.name == CutPower.declaration.name else { return false }
      return call.arguments[CutPower.after] != nil
    }
    return countsWrites && steps.contains(where: meetsBootloader) ? .writesOfModel : nil
  }

  /// Whether a step may end with another application on the recorder.
  private func installsPackage(_ step: Step) -> Bool {
    guard let call = step.call else { return false }
    switch call.declaration.name {
    case Update.declaration.name: return !PackageFolders.areRefused(call.arguments[Update.package].text)
    case SendToBootloader.declaration.name:
      // An init packet alone installs nothing.
      guard call.arguments[SendToBootloader.part] == .image else { return false }
      return call.arguments[SendToBootloader.package].map { !PackageFolders.areRefused($0.text) } ?? false
    case AnswerOffer.declaration.name: return call.arguments[AnswerOffer.answer] == .accept
    default: return false
    }
  }

  /// Whether a step talks to the recorder's bootloader, or wants to know something of it.
  private func meetsBootloader(_ step: Step) -> Bool {
    let events = [Observations.deviceFirmware, Observations.deviceBootloader].map(\.declaration.name)
    if step.patterns.contains(where: { events.contains($0.declaration.name) }) { return true }
    guard let call = step.call else { return false }
    switch call.declaration.name {
    // A refused offer ends before the bootloader.
    case AnswerOffer.declaration.name: return call.arguments[AnswerOffer.answer] == .accept
    // The application hands on what begins like this: start the bootloader, and its name.
    case AskApplication.declaration.name: return [1, 2].contains(call.arguments[AskApplication.octets].bytes.first)
    case Inspect.declaration.name:
      return call.wants(Inspect.bootloader)
    default: return call.declaration.touches.contains(.bootloader)
    }
  }

  /// What a step wants to know of the recorder and the program does not tell.
  private var lackOfSensors: Lack? {
    guard !program.isModelled else { return nil }
    let machine = machine
    let inside = machine.inspect(at: .zero)
    let events = Self.untoldEvents(inside)
    let steps = Step.flat(scenario.steps + scenario.always)
    for event in events where steps.contains(where: { $0.meets(event) }) { return .oracle(event) }
    guard scenario.needs.contains(Capabilities.inspection) else { return nil }
    guard inside.records != nil, machine.clock(at: .zero) != nil else {
      return .capability(Capabilities.inspection)
    }
    let untold = untoldFields(inside)
    for step in steps {
      guard case .perform(let call) = step.action, call.declaration.name == Inspect.declaration.name else { continue }
      for matcher in call.expectation.matchers where untold.contains(matcher.field.name) {
        // Nobody needs to tell that a recorder which is off is dark.
        if matcher.field == Inspect.light.declaration, LightWord.dark.encoded.map({ matcher.matches([$0]) }) == true {
          continue
        }
        return .inspection(of: matcher.field.name)
      }
    }
    return nil
  }

  /// Events that the program never tells, so that waiting for one or forbidding it says nothing.
  var untoldEvents: [ObservationDeclaration] {
    program.isModelled ? [] : Self.untoldEvents(machine.inspect(at: .zero))
  }

  private static func untoldEvents(_ inside: RecorderInspection) -> [ObservationDeclaration] {
    inside.stateName == nil ? [Observations.deviceState.declaration] : []
  }

  private static let anyAddress = BluetoothAddress(0xC000_0000_0001, .random)

  /// A recorder with the program, that is off.
  private var machine: any RecorderApplicationMachine {
    program.machine(RecorderConfiguration(address: Self.anyAddress))
  }

  /// Fields of an inspection that the program does not tell, as far as a recorder that is off shows.
  private func untoldFields(_ inside: RecorderInspection) -> Set<String> {
    var fields: Set<String> = []
    if inside.stateName == nil { fields.insert(Inspect.state.declaration.name) }
    if inside.bondCount == nil { fields.insert(Inspect.bonds.declaration.name) }
    if inside.firmwareVersion == nil { fields.insert(Inspect.version.declaration.name) }
    if inside.light == nil { fields.insert(Inspect.light.declaration.name) }
    return fields
  }
}

/// The folders of packages that no bootloader installs, so that it does not matter what they hold.
private enum PackageFolders {
  static func areAccepted(_ name: String) -> Bool {
    ["same-version.zip", "highest-version.zip"].contains { name.hasSuffix($0) }
  }

  static func areRefused(_ name: String) -> Bool { name.hasPrefix("refused/") || name.hasPrefix("hostile/") }
}

extension Step {
  /// The package that a step sends or installs; `nil` for none.
  fileprivate var package: String? {
    guard let call else { return nil }
    switch call.declaration.name {
    case Update.declaration.name: return call.arguments[Update.package].text
    case SendToBootloader.declaration.name: return call.arguments[SendToBootloader.package]?.text
    default: return nil
    }
  }
}
