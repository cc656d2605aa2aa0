import Bench
import Bytes
import HCI
import Session
import Transports
import World

/// What `doctor --report` writes: what each adapter told, where it deviates, and an entry for a library of quirks.
struct AdapterReport {
  private let result: DoctorResult
  private let library: QuirkLibrary
  private let hasAddresses: Bool

  /// The report of a check; addresses of adapters are left out unless `hasAddresses`.
  init(_ result: DoctorResult, _ library: QuirkLibrary, hasAddresses: Bool) {
    self.result = result
    self.library = library
    self.hasAddresses = hasAddresses
  }

  var document: JSONValue {
    .object([
      ("tool", .string(Tool.description)),
      ("adapters", .array(result.adapters.map { adapter($0.controller, $0.findings) })),
    ])
  }

  private func adapter(
    _ controller: TransportSpecification, _ findings: Result<AdapterFindings, ControlFailure>
  ) -> JSONValue {
    switch findings {
    case .failure(let failure):
      return .object([
        ("controller", .string("\(controller)")), ("failure", .string("\(failure)")), ("answers", .array([])),
        ("known", .array([])), ("deviations", .array([])), ("notMeasured", .array([])),
      ])
    case .success(let findings):
      let entry = findings.entry.map { entry in
        [("entry", Self.document(entry)), ("yaml", JSONValue.string("- \(entry.yaml)"))]
      }
      return .object(
        [("controller", .string("\(controller)"))] + identity(findings) + Self.abilities(findings) + [
          ("answers", .array(findings.answers.map(Self.document))),
          ("known", .array(library.entries(for: findings.identity).map(Self.document))),
          (
            "deviations",
            .array(
              findings.deviations.map {
                .object([("quirk", .string($0.quirk.rawValue)), ("seen", .string($0.seen))])
              })
          ), ("notMeasured", .strings(findings.notMeasured.map(\.rawValue))),
        ] + (entry ?? []))
    }
  }

  private func identity(_ findings: AdapterFindings) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let usb = findings.identity.usb {
      members.append(
        (
          "usb",
          .object([
            ("vendor", .integer(Int(usb.vendor))), ("product", .integer(Int(usb.product))),
            ("release", usb.release.map { .integer(Int($0)) } ?? .null),
          ])
        ))
    }
    if hasAddresses, case .deviceAddress(let address)? = findings.values(.readDeviceAddress) {
      members.append(("address", .string(address.description)))
    }
    if let version = findings.identity.version {
      members.append(
        (
          "version",
          .object([
            ("hci", .integer(Int(version.hciVersion))), ("hciSubversion", .integer(Int(version.hciSubversion))),
            ("lmp", .integer(Int(version.linkVersion))), ("lmpSubversion", .integer(Int(version.linkSubversion))),
            ("company", .integer(Int(version.company))),
          ])
        ))
    }
    return members
  }

  private static func abilities(_ findings: AdapterFindings) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if case .supportedCommands(let commands)? = findings.values(.readLocalSupportedCommands) {
      members.append(("supportedCommands", .string(Hexadecimal.string(commands.octets))))
    }
    if case .leFeatures(let features)? = findings.values(.leReadLocalSupportedFeatures) {
      members.append(("features", .string(Hexadecimal.digits(features.rawValue))))
    }
    if case .leBufferSize(let size)? = findings.values(.leReadBufferSize) {
      members.append(("buffers", buffers(Int(size.octets), Int(size.count))))
    }
    if case .bufferSize(let size)? = findings.values(.readBufferSize) {
      members.append(("sharedBuffers", buffers(Int(size.octets), Int(size.count))))
    }
    if case .maximumDataLength(let lengths)? = findings.values(.leReadMaximumDataLength) {
      members.append(
        (
          "maximumDataLength",
          .object([
            ("transmitOctets", .integer(Int(lengths.transmit.octets))),
            ("receiveOctets", .integer(Int(lengths.receive.octets))),
          ])
        ))
    }
    let (first, second) = findings.advertisements
    members.append(("advertisements", .object([("first", .integer(first)), ("second", .integer(second))])))
    return members
  }

  private static func buffers(_ octets: Int, _ count: Int) -> JSONValue {
    .object([("octets", .integer(octets)), ("count", .integer(count))])
  }

  private static func document(_ answer: CommandAnswer) -> JSONValue {
    .object([
      ("command", .string(answer.opcode.description)), ("attempts", .integer(answer.attempts)),
      ("microseconds", answer.microseconds.map { .integer($0) } ?? .null),
      ("status", answer.values?.status.map { .integer(Int($0.rawValue)) } ?? .null),
      ("credits", answer.credits.map { .integer($0) } ?? .null),
    ])
  }

  /// A field's name as JSON has it: `hciSubversion` for `hci-subversion`.
  private static func member(_ field: String) -> String {
    let words = field.split(separator: "-")
    return words.prefix(1).joined() + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// An entry of a library, with the names of its fields there.
  static func document(_ entry: QuirkEntry) -> JSONValue {
    .object(
      entry.identifying.map { name, value in
        switch value {
        case .text(let text): (member(name), .string(text))
        case .number(let number): (member(name), .integer(number))
        }
      } + [
        ("quirks", .strings(entry.quirks.map(\.rawValue))), ("source", .string(entry.source)),
        ("seen", .string(entry.seen)),
      ])
  }
}
