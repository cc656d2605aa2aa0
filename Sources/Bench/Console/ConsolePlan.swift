import ScenarioLanguage
import Timeline
import World

/// `console: {RawSerialPort: …, image: f934e997}`: the recorder's UART.
package struct ConsolePlan: FieldGroupValue {
  static let imageField = Field<String?>("image", "What the boot banner must name: the firmware's hash.")
  package static var group: FieldGroup { FieldGroup(LineFields.all + [imageField]) }

  let line: LineResource?
  /// What the boot banner must name; `nil` when it does not matter.
  package let image: String?

  init(line: LineResource?, image: String?) {
    self.line = line
    self.image = image
  }

  package init(_ arguments: Arguments) {
    line = LineFields.resource(arguments)
    image = arguments[Self.imageField]
  }
}

extension ConsolePlan: ActuatorPlan {
  static let field = Field<ConsolePlan?>("console", "Its UART.")
  static var key: any FieldKey { field }
  static func stated(in arguments: Arguments) -> ConsolePlan? { arguments[field] }

  var purposes: [Purpose] { [.eraseRecords, .forgetBonds] }
  var needsRecorder: Bool { true }
  var needsLine: Bool { true }

  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)? {
    ConsoleActuator(try ConsoleLink(self, on: site.loop, site.waits), at: site, checksImage: image != nil)
  }

  var look: InstrumentLook? {
    InstrumentLook(kind: "console", excusedWhileOff: .silence) { _, _, loop, waits async throws(ControlFailure) in
      let console = try ConsoleLink(self, on: loop, waits)
      defer { console.close() }
      try await console.identify()
      return []
    }
  }
}

/// The recorder's console, by which records and bonds are erased.
final class ConsoleActuator: Actuator {
  let link: ConsoleLink
  private let site: ActuatorSite
  private let checksImage: Bool

  init(_ link: ConsoleLink, at site: ActuatorSite, checksImage: Bool) {
    self.link = link
    self.site = site
    self.checksImage = checksImage
  }

  func prepareRecorder() async throws(ControlFailure) -> [BenchTrait] {
    try await link.identify()
    return []
  }

  func verifyRecorder() async throws(ControlFailure) {
    guard checksImage else { return }
    try site.requireBelonging(of: link.name, for: "reset")
    try await link.checkImage()
  }

  func perform(_ deed: Deed, isRestoring: Bool) async throws(ControlFailure) -> Bool {
    switch deed {
    case .eraseRecords:
      try site.requireBelonging(of: link.name, for: "erased")
      try await link.eraseRecords()
      return true
    case .forgetBonds:
      try site.requireBelonging(of: link.name, for: "forgotten")
      // The firmware keeps one bond, that of peer 0.
      try await link.perform(.bluetooth(ConsoleCommand.deleteFirstBond))
      return true
    case .press, .release, .powerOn, .cutPower, .setBattery, .setClock, .installFirmware: return false
    }
  }

  func close() { link.close() }
}
