import DictofunProtocol
import Phone
import ScenarioLanguage
import World

/// `operator: {does: [button, battery]}`: somebody who does by hand what nothing else can.
package struct OperatorPlan: FieldGroupValue {
  static let abilitiesField = Field<[Ability]>("does", "What the operator is asked for when nothing else can do it.")
  static let limitField = Field<Duration>("within", "How long an answer may take.", default: .seconds(60))
    .limited(to: Duration.milliseconds(100)...Duration.seconds(3_600))
  static let voiceField = Field<[String]?>("speak", "A program that speaks a prompt, which is its last argument.")
  package static var group: FieldGroup {
    FieldGroup([abilitiesField, limitField, voiceField], shorthand: abilitiesField)
  }

  /// What the operator is asked for.
  let askedFor: [Ability]
  let limit: Duration
  /// A program that speaks a prompt.
  let voice: [String]?

  init(abilities: [Ability] = [], limit: Duration, voice: [String]?) {
    askedFor = abilities
    self.limit = limit
    self.voice = voice
  }

  package init(_ arguments: Arguments) {
    askedFor = arguments[Self.abilitiesField]
    limit = arguments[Self.limitField]
    voice = arguments[Self.voiceField]
  }
}

extension OperatorPlan: ActuatorPlan {
  static let field = Field<OperatorPlan?>("operator", "Who does the rest by hand.")
  static var key: any FieldKey { field }
  static func stated(in arguments: Arguments) -> OperatorPlan? { arguments[field] }

  var purposes: [Purpose] { askedFor.flatMap(\.purposes) }
  var isByHand: Bool { true }
  /// Before a scenario there are at most three prompts for a recorder.
  var patience: Duration { limit * 3 }
  var programs: [[String]] { voice.map { [$0] } ?? [] }

  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)? {
    site.attended.map { OperatorActuator(OperatorDesk($0, self, on: site.loop, site.waits), self, at: site) }
  }
}

/// An operator, who does by hand what nothing else can.
final class OperatorActuator: Actuator {
  let desk: OperatorDesk
  private let plan: OperatorPlan
  private let site: ActuatorSite

  init(_ desk: OperatorDesk, _ plan: OperatorPlan, at site: ActuatorSite) {
    self.desk = desk
    self.plan = plan
    self.site = site
  }

  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool {
    guard plan.purposes.contains(deed.purpose) else { return false }
    let request = deed.request(at: site)
    // The moment of a release counts, so nobody is asked to confirm it.
    if isRestoring || deed == .release {
      desk.tell(request)
    } else {
      try await desk.ask([request], seenBy: site.witness(of: [deed]).map { [$0] } ?? [])
    }
    return true
  }

  /// Nobody can look how a hand found the power.
  var forgetsPower: Bool { true }

  func close() { desk.close() }
}

extension Deed {
  /// What the operator is asked for.
  func request(at site: ActuatorSite) -> String {
    request(site.calibration, isCalibrated: site.isCalibrated)
  }

  /// What the operator is asked for, where the battery is calibrated like this.
  func request(_ calibration: Calibration, isCalibrated: Bool) -> String {
    switch self {
    case .press: "Press the recorder's button and keep it pressed."
    case .release: "Release the button now."
    case .powerOn: "Switch the recorder's supply off and on, so that it is awake without a press."
    case .cutPower: "Switch the recorder's supply off."
    case .setBattery(let millivolts): Self.request(battery: millivolts, calibration, isCalibrated)
    case .setClock(let seconds): "Set the recorder's clock to \(CivilTime(secondsSince2000: seconds))."
    case .eraseRecords: "Erase all records of the recorder, and leave it awake."
    case .forgetBonds: "Make the recorder forget its bonds."
    case .installFirmware: Ability.firmware.meaning
    }
  }

  private static func request(battery millivolts: Int, _ calibration: Calibration, _ isCalibrated: Bool) -> String {
    let reported = SCPINumber.volts(millivolts)
    let actual = max(0, calibration.actual(reported: millivolts))
    return isCalibrated
      ? "Set the battery's terminals to \(SCPINumber.volts(actual)) V, at which the recorder reports \(reported) V."
      : "Set the battery so that the recorder reports \(reported) V "
        + "(about \(SCPINumber.volts(actual).dropLast()) V at its terminals)."
  }
}
