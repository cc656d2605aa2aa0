import Bytes
import Phone
import ScenarioLanguage
import World

/// `- phone: {update: 1.5.0}`
enum Update: Verb {
  static let package = Field<PackageName>(
    "package", "A release by its name, or a package by its path below the folder of firmware.")
  static let to = Field<RecorderName?>("to", "Which recorder, by its name in `given`; the paired one unless stated.")
  static let checks = Field<Bool>(
    "checks", "Whether the phone rejects an unsuitable package before it contacts the recorder.", default: true)
  static let receipts = Field<Int>("receipts", "Packets between receipt notifications; 0 disables them.", default: 10)
    .limited(to: 0...65_535)
  static let pause = Field<Duration>(
    "pause", "Pause between creating the first object and sending its packets.", default: .milliseconds(400)
  ).limited(to: Duration.zero...Duration.seconds(60)).counted(in: Duration.milliseconds(1))

  static let waits = Field<Bool>("waits", "Whether the step waits until the update ends.", default: true)

  static let version = Field<Int>("version", "The version that was installed.").limited(to: 0...)
  static let links = Field<Int>("links", "Number of links to the bootloader.").limited(to: 0...)
  static let drops = Field<Int>("drops", "Number of times that the phone found packets missing.").limited(to: 0...)
  static let size = Field<ByteCount>("size", "Size of the images.")
  static let seconds = Field<Duration>("took", "Time from the first request until the application runs again.")

  static let declaration = VerbDeclaration(
    "update", of: .phone,
    "Installs a package on a recorder: starts its bootloader, transfers the images, and waits for the new application.",
    fields: [package, to, checks, receipts, pause, waits], shorthand: package,
    results: [version, links, drops, size, seconds], awaits: waits,
    failures: FailureDeclaration.ofUpdates, touches: [.firmware, .bootloader], deadline: .seconds(3_600),
    example: "- phone: {update: 1.5.0}\n  expect: {version: 2}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let arguments = call.arguments
    let name = arguments[Self.package].text
    var order = FirmwareOrder(try stage.package(name), name: name)
    order.isChecked = arguments[Self.checks]
    order.options.receiptInterval = UInt16(clamping: arguments[Self.receipts])
    order.options.firstObjectPause = Int(arguments[Self.pause] / .milliseconds(1))
    let operation = PhoneOperation.update(order, try stage.recorder(arguments[Self.to]))
    guard arguments[Self.waits] else {
      try stage.phone(call).begin(operation)
      return Findings()
    }
    return Self.findings(try await stage.run(operation, by: call))
  }

  /// The outcome of an update in the fields of the verb.
  static func findings(_ result: PhoneResult) -> Findings {
    var findings = Findings()
    guard case .updated(let summary) = result else { return findings }
    if let version = summary.version { findings.set(Self.version, Int(version)) }
    findings.set(Self.links, summary.links)
    findings.set(Self.drops, summary.drops)
    findings.set(Self.size, ByteCount(bytes: summary.octets))
    findings.set(Self.seconds, summary.duration)
    return findings
  }
}
