import ScenarioLanguage
import YAML
import Timeline
import World

/// `supply: {NetworkSerialPort: …, identity: "RIGOL TECHNOLOGIES,DP832"}`: a supply that speaks SCPI.
package struct SupplyPlan: FieldGroupValue {
  static let identityField = Field<String>("identity", "The beginning of its answer to *IDN?.")
  static let feedsField = Field<Feed>("feeds", "Where it is connected.", default: .battery)
  static let channelField = Field<Int?>("channel", "The output to use, for supplies with several.").limited(to: 1...8)
  static let calibrationField = Field<[CalibrationPoint]>(
    "calibration",
    "The voltages that the recorder reports, and the true ones; those of the recorder, or a ratio of 11 to 12, unless stated.",
    default: [])
  static let highestField = Field<Voltage>(
    "highest", "The highest voltage with which it is ever switched on; 3.6 V at the rail unless stated.",
    default: Voltage(millivolts: 4_200)
  ).limited(to: Voltage(millivolts: 1)...Voltage(millivolts: 6_000))
  static let toleranceField = Field<Voltage>(
    "tolerance", "The deviation from the set voltage that counts as settled.", default: Voltage(millivolts: 10)
  ).limited(to: Voltage(millivolts: 1)...Voltage(millivolts: 500))
  static let settlingField = Field<Duration>("settles-within", "How long it may take.", default: .seconds(3))
    .limited(to: Duration.milliseconds(10)...Duration.seconds(60))
  static let currentField = Field<CurrentPlan?>(
    "current", "What its current tells of a recorder, where it stands in for the battery and measures one.")
  package static var group: FieldGroup {
    FieldGroup(
      LineFields.all + [
        identityField, feedsField, channelField, calibrationField, highestField, toleranceField, settlingField,
        currentField,
      ])
  }

  /// Where a supply is connected.
  enum Feed: String, FieldChoice {
    case battery
    case rail

    var meaning: String {
      switch self {
      case .battery: "In place of the battery: a recorder that is off stays off until its button is pressed."
      case .rail: "At the rail behind the power latch: the recorder boots as soon as it is on."
      }
    }
  }

  /// What a chip at the rail stands, in millivolts (nRF52832 product specification, recommended operating conditions: VDD
  /// at most 3.6 V).
  private static let highestAtRail = 3_600

  let line: LineResource?
  let feeds: Feed
  /// How its answer to `*IDN?` begins.
  package let identity: String
  let channel: Int?
  /// What holds unless the recorder's own place states something, as ``isCalibrated`` tells.
  var calibration: Calibration
  let isCalibrated: Bool
  let highest: Int
  let tolerance: Int
  let settling: Duration
  /// What its current tells; `nil` where it measures none.
  let current: CurrentPlan?

  package init(_ arguments: Arguments) {
    line = LineFields.resource(arguments)
    identity = arguments[Self.identityField]
    feeds = arguments[Self.feedsField]
    channel = arguments[Self.channelField]
    isCalibrated = !arguments[Self.calibrationField].isEmpty
    calibration = isCalibrated ? Calibration(arguments[Self.calibrationField]) : .nominal
    let isBounded = feeds == .battery || arguments.states(Self.highestField)
    highest = isBounded ? arguments[Self.highestField].millivolts : Self.highestAtRail
    tolerance = arguments[Self.toleranceField].millivolts
    settling = arguments[Self.settlingField]
    current = arguments[Self.currentField]
  }

  /// What must be at the terminals for the recorder to report this, in millivolts; `nil` for more than is allowed.
  package func terminalVoltage(reported: Int) -> Int? {
    let millivolts = max(0, calibration.actual(reported: reported))
    return millivolts <= highest ? millivolts : nil
  }
}

extension SupplyPlan {
  /// How far from this voltage the recorder may report another one, in millivolts, when the supply was set for it: what is
  /// read back may be off by the tolerance, and what is measured by the same again.
  func deviation(reported: Int) -> Int {
    let actual = calibration.actual(reported: reported)
    let bounds = [actual - 2 * tolerance, actual + 2 * tolerance].map { calibration.reported(actual: $0) }
    // Both ways through the calibration are rounded.
    return (bounds.map { abs($0 - reported) }.max() ?? 0) + 1
  }
}

extension SupplyPlan: ActuatorPlan {
  static let field = Field<SupplyPlan?>("supply", "A supply in place of its battery.")
  static var key: any FieldKey { field }
  static func stated(in arguments: Arguments) -> SupplyPlan? { arguments[field] }

  var purposes: [Purpose] {
    switch feeds {
    case .rail: [.powerOn, .cutPower]
    case .battery: [.cutPower, .setBattery]
    }
  }

  var needsLine: Bool { true }

  func problems(at place: SourceLocation) -> [Diagnostic] {
    guard identity.isEmpty else { return [] }
    return [
      Diagnostic(
        at: place, "`identity` is empty, so any instrument would do",
        expected: "the beginning of the answer to *IDN?, such as `RIGOL TECHNOLOGIES,DP832`")
    ]
  }

  var ownCalibration: Calibration? { isCalibrated ? calibration : nil }

  mutating func adopt(_ calibration: Calibration) {
    if !isCalibrated { self.calibration = calibration }
  }

  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)? { try SupplyActuator(self, at: site) }

  var look: InstrumentLook? {
    InstrumentLook(kind: "supply", excusedWhileOff: nil) { name, _, loop, waits async throws(ControlFailure) in
      let supply = try SupplyLink(self, on: loop, waits)
      defer { supply.close() }
      return [BenchTrait(name, try await supply.recognise())]
    }
  }
}

/// A supply that speaks SCPI, in place of the recorder's battery or at its rail.
final class SupplyActuator: Actuator {
  private let plan: SupplyPlan
  private let site: ActuatorSite
  private(set) var link: SupplyLink
  /// Whether the output was on before it was changed first.
  private var wasOn: Bool?

  init(_ plan: SupplyPlan, at site: ActuatorSite) throws(ControlFailure) {
    self.plan = plan
    self.site = site
    site.isRailFed = plan.feeds == .rail
    link = try SupplyLink(plan, on: site.loop, site.waits)
  }

  func identify() async throws(ControlFailure) -> [BenchTrait] {
    [BenchTrait("supply of \(site.address)", try await link.identify())]
  }

  func rememberPower() async throws(ControlFailure) {
    if wasOn == nil { wasOn = try await link.isOn() }
  }

  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool {
    switch (deed, plan.feeds) {
    case (.powerOn, .rail):
      try await link.setOutput(on: true)
      return true
    case (.powerOn, .battery):
      // A recorder with a battery is still off; something else has to wake it.
      try await link.setOutput(on: true)
      return false
    case (.cutPower, .rail):
      try await link.setOutput(on: false)
      return true
    case (.cutPower, .battery):
      // A battery that was pulled out is put back: the recorder is off, and its button can wake it.
      try await link.setOutput(on: false)
      try await link.setOutput(on: true)
      return true
    case (.setBattery(let millivolts), .battery):
      try await link.set(reported: millivolts)
      try await rememberPower()
      try await link.setOutput(on: true)
      return true
    default: return false
    }
  }

  func restore() async throws(ControlFailure) {
    if let wasOn, try await link.isOn() != wasOn { try await link.setOutput(on: wasOn) }
  }

  var isBroken: Bool { link.isBroken }

  func reopen() throws(ControlFailure) { link = try SupplyLink(plan, on: site.loop, site.waits) }

  func close() { link.close() }
}
