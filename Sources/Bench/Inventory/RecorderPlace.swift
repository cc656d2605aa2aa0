import YAML
import Bytes
import DictofunProtocol
import ScenarioLanguage
import System

/// The kinds of actuators that a bench file may state for a recorder.
enum ActuatorKinds {
  /// One line for each kind. What several can do is done by the first of them.
  static let all: [any ActuatorPlan.Type] = [
    CommandsPlan.self, SupplyPlan.self, PicoPlan.self, FlashPlan.self, ConsolePlan.self, OperatorPlan.self,
  ]
}

/// One recorder of a bench and what can be done to it.
package struct RecorderPlace: FieldGroupValue {
  static let addressField = Field<BluetoothAddress>("address", "The address it advertises from.")
  static let commentField = BenchFile.commentField
  static let calibrationField = Field<[CalibrationPoint]>(
    "calibration",
    "The battery voltages that it reports, and the true ones; a ratio of 11 to 12 unless stated here or for its supply.",
    default: [])
  static let firmwareField = Field<[KnownApplication]>(
    "firmware", "How it shows which version of the application it runs.", default: [])
  static let profileField = Field<String?>(
    "profile", "The file that `dictobench probe` wrote of it, seen from this one's folder.")
  package static var group: FieldGroup {
    FieldGroup(
      [addressField, commentField] + ActuatorKinds.all.map { $0.key } + [calibrationField, firmwareField, profileField])
  }

  /// The address it advertises from.
  package let address: BluetoothAddress
  /// What can be done to it, in the order in which it is tried.
  let actuators: [any ActuatorPlan]
  /// What it reports, and what is at its terminals.
  let calibration: Calibration
  /// Whether somebody has measured that.
  let isCalibrated: Bool
  /// The applications that it may run, and how each shows.
  let firmware: [KnownApplication]
  /// The file of what was measured of it, seen from where the program runs; `nil` for none.
  package private(set) var measuredProfile: String?
  let location: SourceLocation?
  /// Where the actuators are stated, in their order.
  private let locations: [SourceLocation?]
  private let ownCalibration: (stated: Calibration, location: SourceLocation?)?

  package init(_ arguments: Arguments) {
    let kinds = ActuatorKinds.all.compactMap { kind in
      kind.stated(in: arguments).map { ($0, arguments.location(of: kind.key)) }
    }
    self.init(
      arguments[Self.addressField], kinds, arguments[Self.calibrationField],
      calibrationLocation: arguments.location(of: Self.calibrationField), firmware: arguments[Self.firmwareField],
      location: arguments.location(of: Self.addressField))
    let file = arguments.location(of: Self.profileField)?.file
    measuredProfile = arguments[Self.profileField].map { FileSystem.place($0, beside: file ?? "") }
  }

  /// A recorder with these actuators.
  init(
    _ address: BluetoothAddress, _ stated: [(plan: any ActuatorPlan, location: SourceLocation?)],
    _ points: [CalibrationPoint] = [], calibrationLocation: SourceLocation? = nil,
    firmware: [KnownApplication] = [], location: SourceLocation? = nil
  ) {
    self.address = address
    self.location = location
    self.firmware = firmware
    var plans = stated.map(\.plan)
    ownCalibration = points.isEmpty ? nil : (Calibration(points), calibrationLocation)
    let measured = ownCalibration?.stated ?? plans.compactMap(\.ownCalibration).first
    isCalibrated = measured != nil
    calibration = measured ?? .nominal
    for index in plans.indices { plans[index].adopt(calibration) }
    actuators = plans
    locations = stated.map(\.location)
  }

  /// A recorder that can only be reached by radio.
  init(bare address: BluetoothAddress) { self.init(address, []) }

  /// The first plan of a kind.
  func plan<Plan: ActuatorPlan>() -> Plan? { actuators.lazy.compactMap { $0 as? Plan }.first }

  /// A supply in place of its battery.
  package var supply: SupplyPlan? { plan() }

  /// The voltage next to this one, in millivolts as the recorder reports it, at which it shows the same level however far its
  /// supply is off within its tolerance, so that nobody blames the recorder for that; `nil` where the supply is not exact
  /// enough to tell the level from those beside it. Batteries that something else sets are set as they are stated.
  package func steadyBattery(millivolts: Int) -> Int? {
    guard let supply = actuators.first(where: { $0.purposes.contains(.setBattery) }) as? SupplyPlan else {
      return millivolts
    }
    let deviation = supply.deviation(reported: millivolts)
    let lowest = BatteryLevel.thresholdMillivolts.last { $0 <= millivolts }.map { $0 + deviation } ?? .min
    let highest = BatteryLevel.thresholdMillivolts.first { $0 > millivolts }.map { $0 - 1 - deviation } ?? .max
    return lowest <= highest ? min(max(millivolts, lowest), highest) : nil
  }

  /// What the current of its supply tells; `nil` where that is not stated, or the supply does not stand in for its battery.
  var senseOfCurrent: CurrentPlan? { supply.flatMap { $0.feeds == .battery ? $0.current : nil } }

  /// Whether its boot banner shows which version of the application it runs.
  var hasTellingBanner: Bool { (plan() as ConsolePlan?) != nil && firmware.contains { $0.banner != nil } }

  /// Whether anything shows which version of the application it runs, at least until a phone updates it.
  package var tellsFirmware: Bool {
    hasTellingBanner
      || firmware.contains { $0.digest != nil } && actuators.contains { $0.purposes.contains(.installFirmware) }
  }

  /// What can be done to it; by hand only where somebody attends.
  package func abilities(isAttended: Bool) -> [Ability] {
    Ability.allCases.filter { mechanical.contains($0) || (isAttended && isByHand($0)) }
  }

  /// Whether only the operator can do it.
  package func isByHand(_ ability: Ability) -> Bool {
    !mechanical.contains(ability) && actuators.contains { $0.isByHand && $0.abilities.contains(ability) }
  }

  /// What can be done without an operator.
  private var mechanical: [Ability] { actuators.filter { !$0.isByHand }.flatMap(\.abilities) }

  /// How much longer than predicted its programs and its operator may take, all together.
  package var patience: Duration { actuators.map(\.patience).reduce(.zero, +) }

  /// Files that its instruments need and where they are stated, as they are seen from where the program runs.
  var files: [(SourceLocation?, String)] { actuators.flatMap(\.files) }

  /// The lines of its instruments and where they are stated, in the order of the file.
  var lines: [(SourceLocation?, LineResource)] {
    let lines = zip(locations, actuators).compactMap { location, plan in plan.line.map { (location, $0) } }
    return lines.sorted { ($0.0?.line ?? 0, $0.0?.column ?? 0) < ($1.0?.line ?? 0, $1.0?.column ?? 0) }
  }

  func problems(at top: SourceLocation) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    for (plan, location) in zip(actuators, locations) {
      let place = location ?? top
      if plan.needsLine { problems += LineFields.problems(of: plan.line, at: place) }
      if let calibration = plan.ownCalibration { problems += Self.problems(of: calibration, at: place) }
      for path in plan.programs.map({ $0.first ?? "" }) where !path.hasPrefix("/") {
        problems.append(
          Diagnostic(
            at: place, "`\(path)` is not the full path of a program", expected: "a path that begins with `/`"))
      }
      problems += plan.problems(at: place)
    }
    problems += KnownApplication.problems(of: firmware, at: location ?? top)
    if let ownCalibration {
      problems += Self.problems(of: ownCalibration.stated, at: ownCalibration.location ?? top)
    }
    return problems
  }

  private static func problems(of calibration: Calibration, at place: SourceLocation) -> [Diagnostic] {
    if Calibration.isOrdered(calibration.points) { return [] }
    return [
      Diagnostic(
        at: place, "the points of the calibration do not rise",
        expected: "at least two points, `reported` and `true` rising from one to the next")
    ]
  }
}
