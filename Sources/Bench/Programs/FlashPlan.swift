import YAML
import Bytes
import Crypto
import ScenarioLanguage
import System
import Timeline
import Transports
import World

/// `flash: {USBDebugger: {serial: E6614C311B}, image: recorder.hex}`: a debug probe, driven by OpenOCD.
package struct FlashPlan: FieldGroupValue {
  static let probeField = Field<USBDebugger>("USBDebugger", "The probe.")
  static let imageField = Field<String>(
    "image", "The file whose content the recorder's flash must have, seen from this one's folder.")
  static let programField = Field<String>("program", "OpenOCD.", default: "/usr/bin/openocd")
  static let interfaceField = Field<String>(
    "interface", "OpenOCD's file of the probe's kind.", default: "interface/cmsis-dap.cfg")
  static let targetField = Field<String>("target", "OpenOCD's file of the chip.", default: "target/nrf52.cfg")
  static let limitField = Field<Duration>("within", "How long one run of OpenOCD may take.", default: .seconds(120))
    .limited(to: Duration.seconds(1)...Duration.seconds(1_200))
  package static var group: FieldGroup {
    FieldGroup([probeField, imageField, programField, interfaceField, targetField, limitField])
  }

  let serial: String
  /// The image's file, seen from where the program runs.
  let image: String
  /// The image's file as it is stated.
  private let statedImage: String
  private let imageLocation: SourceLocation?
  let program: String
  let interface: String
  let target: String
  let limit: Duration

  package init(_ arguments: Arguments) {
    serial = arguments[Self.probeField].serial
    statedImage = arguments[Self.imageField]
    imageLocation = arguments.location(of: Self.imageField)
    image = FileSystem.place(statedImage, beside: imageLocation?.file ?? "")
    program = arguments[Self.programField]
    interface = arguments[Self.interfaceField]
    target = arguments[Self.targetField]
    limit = arguments[Self.limitField]
  }
}

/// `USBDebugger: {serial: E6614C311B}`
struct USBDebugger: FieldGroupValue {
  static let serialField = Field<String>("serial", "Its serial number.")
  static var group: FieldGroup { FieldGroup([serialField], shorthand: serialField) }

  let serial: String

  init(_ arguments: Arguments) { serial = arguments[Self.serialField] }
}

extension FlashPlan: ActuatorPlan {
  static let field = Field<FlashPlan?>("flash", "A debug probe.")
  static var key: any FieldKey { field }
  static func stated(in arguments: Arguments) -> FlashPlan? { arguments[field] }

  var needsRecorder: Bool { true }
  var programs: [[String]] { [[program]] }
  var files: [(SourceLocation?, String)] { [(imageLocation, image)] }

  func problems(at place: SourceLocation) -> [Diagnostic] {
    [serial, image].filter { !FlashProgrammer.isPlain($0) }.map { text in
      Diagnostic(
        at: place, "`\(text)` cannot be passed to OpenOCD", expected: "text without braces and backslashes")
    }
  }

  func open(at site: ActuatorSite) throws(ControlFailure) -> (any Actuator)? { FlashActuator(self, at: site) }

  var look: InstrumentLook? {
    InstrumentLook(kind: "probe", excusedWhileOff: .chipUnreachable) {
      _, recorder, loop, waits async throws(ControlFailure) in
      try await FlashProgrammer(self).reach(loop, waits)
      return [imageTrait(of: recorder)].compactMap { $0 }
    }
  }

  /// The image that the flash must hold, by its name and content; `nil` where the file cannot be read.
  func imageTrait(of recorder: BluetoothAddress) -> BenchTrait? {
    guard let octets = SystemTree.machine.octets(image, limit: Self.longestImage), !octets.isEmpty else { return nil }
    let digest = Hexadecimal.string(Array(SHA256.digest(octets).prefix(8)))
    return BenchTrait("image of \(recorder)", "\(statedImage), SHA-256 \(digest)")
  }

  /// Octets of an image file that are read at most.
  private static let longestImage = 64 << 20
}

/// A debug probe, which brings the recorder's flash to the image of the bench file before a run.
final class FlashActuator: Actuator {
  private let plan: FlashPlan
  private let site: ActuatorSite

  init(_ plan: FlashPlan, at site: ActuatorSite) {
    self.plan = plan
    self.site = site
  }

  func prepareRecorder() async throws(ControlFailure) -> [BenchTrait] {
    try await FlashProgrammer(plan).establish(on: site.address, site.loop, site.waits)
    return [plan.imageTrait(of: site.address)].compactMap { $0 }
  }
}
