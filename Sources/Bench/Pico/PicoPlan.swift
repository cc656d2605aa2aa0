import ScenarioLanguage
import Timeline
import World

/// `pico: {USBSerialPort: …, serial: E6614C311B}`: a Pico with our firmware on the bed of nails.
package struct PicoPlan: FieldGroupValue {
  static let serialField = Field<String?>("serial", "Which Pico it must be.")
  package static var group: FieldGroup { FieldGroup(LineFields.all + [serialField]) }

  let line: LineResource?
  let serial: String?

  init(line: LineResource?, serial: String?) {
    self.line = line
    self.serial = serial
  }

  package init(_ arguments: Arguments) {
    line = LineFields.resource(arguments)
    serial = arguments[Self.serialField]
  }
}

extension PicoPlan: ActuatorPlan {
  static let field = Field<PicoPlan?>("pico", "The Pico under its bed of nails.")
  static var key: any FieldKey { field }
  static func stated(in arguments: Arguments) -> PicoPlan? { arguments[field] }

  var purposes: [Purpose] { [.press, .release, .powerOn, .cutPower] }
  var needsLine: Bool { true }

  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)? { try PicoActuator(self, at: site) }

  var look: InstrumentLook? {
    InstrumentLook(kind: "pico", excusedWhileOff: nil) { name, _, loop, waits async throws(ControlFailure) in
      let pico = try PicoLink(self, on: loop, waits)
      defer { pico.close() }
      return [BenchTrait(name, try await pico.identify())]
    }
  }
}

/// The Pico under the bed of nails: button and power latch.
final class PicoActuator: Actuator {
  private let plan: PicoPlan
  private let site: ActuatorSite
  private(set) var link: PicoLink
  /// Whether the recorder held its own power on before that was changed first.
  private var wasLatched: Bool?

  init(_ plan: PicoPlan, at site: ActuatorSite) throws(ControlFailure) {
    self.plan = plan
    self.site = site
    link = try PicoLink(plan, on: site.loop, site.waits)
  }

  func identify() async throws(ControlFailure) -> [BenchTrait] {
    [BenchTrait("pico of \(site.address)", try await link.identify())]
  }

  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool {
    switch deed {
    case .press: try await link.setButton(pressed: true)
    case .release: try await link.setButton(pressed: false)
    case .powerOn: try await link.setLatch(true)
    case .cutPower: try await link.setLatch(false)
    case .setBattery, .setClock, .eraseRecords, .forgetBonds, .installFirmware: return false
    }
    return true
  }

  func rememberPower() async throws(ControlFailure) {
    if wasLatched == nil, !site.isRailFed { wasLatched = try await link.sense().isLatched }
  }

  func restore() async throws(ControlFailure) {
    if let wasLatched, try await link.sense().isLatched != wasLatched { try await link.setLatch(wasLatched) }
  }

  var isBroken: Bool { link.isBroken }

  func reopen() throws(ControlFailure) { link = try PicoLink(plan, on: site.loop, site.waits) }

  func close() { link.close() }
}
