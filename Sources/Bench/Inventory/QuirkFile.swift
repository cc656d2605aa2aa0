import Bytes
import HCI
import ScenarioLanguage
import Transports
import YAML

extension AdapterQuirk: FieldChoice {}

/// `- {usb: "8087:07dc", quirks: [counts-no-credits], source: …, seen: …}`: adapters that deviate from the specification.
package struct QuirkPlan: FieldGroupValue {
  static let adapterField = Field<String?>("adapter", "The transport by which it is reached, as for `adapters`.")
  static let usbField = Field<String?>("usb", "Vendor and product on USB, as lsusb writes them.")
  static let releaseField = Field<String?>("release", "The device's version on USB (bcdDevice), four digits.")
  static let companyField = Field<Int?>("company", "The number of the company that made the controller.")
    .limited(to: 0...0xFFFF)
  static let hciField = Field<Int?>("hci", "The number of the HCI version.").limited(to: 0...0xFF)
  static let hciSubversionField = Field<Int?>("hci-subversion", "The company's number for its HCI.")
    .limited(to: 0...0xFFFF)
  static let linkField = Field<Int?>("lmp", "The number of the LMP version.").limited(to: 0...0xFF)
  static let linkSubversionField = Field<Int?>("lmp-subversion", "The company's number for its link manager.")
    .limited(to: 0...0xFFFF)
  static let quirksField = Field<[AdapterQuirk]>("quirks", "What these adapters do.")
  static let sourceField = Field<String>("source", "Who says so.")
  static let seenField = Field<String>("seen", "What was seen.")

  /// The fields by which an adapter is found.
  private static let identifying: [any FieldKey] = [
    adapterField, usbField, releaseField, companyField, hciField, hciSubversionField, linkField, linkSubversionField,
  ]
  package static var group: FieldGroup { FieldGroup(identifying + [quirksField, sourceField, seenField]) }

  /// The entry; an adapter or numbers that cannot be read are left out, and are among the problems.
  package private(set) var entry: QuirkEntry
  private var problems: [Diagnostic] = []
  private let location: SourceLocation?

  package init(_ arguments: Arguments) {
    location = arguments.location(of: Self.quirksField)
    entry = QuirkEntry(
      arguments[Self.quirksField], source: arguments[Self.sourceField], seen: arguments[Self.seenField])
    entry.company = arguments[Self.companyField].map { UInt16(clamping: $0) }
    entry.hciVersion = arguments[Self.hciField].map { UInt8(clamping: $0) }
    entry.hciSubversion = arguments[Self.hciSubversionField].map { UInt16(clamping: $0) }
    entry.linkVersion = arguments[Self.linkField].map { UInt8(clamping: $0) }
    entry.linkSubversion = arguments[Self.linkSubversionField].map { UInt16(clamping: $0) }
    readAdapter(arguments)
    readNumbers(arguments)
  }

  private mutating func readAdapter(_ arguments: Arguments) {
    guard let text = arguments[Self.adapterField], let place = arguments.location(of: Self.adapterField) else { return }
    do { entry.adapter = try TransportSpecification(parsing: text).description } catch {
      problems.append(
        Diagnostic(at: place, "`\(text)` is not a transport: \(error)", expected: "such as `tcp-client:here:9001`"))
    }
  }

  private mutating func readNumbers(_ arguments: Arguments) {
    let release = arguments[Self.releaseField]
    if let text = release, let place = arguments.location(of: Self.releaseField) {
      if Self.number(text) == nil {
        problems.append(
          Diagnostic(at: place, "`\(text)` is not a version on USB", expected: "four hexadecimal digits, in quotes"))
      } else if arguments[Self.usbField] == nil {
        problems.append(
          Diagnostic(at: place, "`release` says nothing without `usb`", expected: "`usb: \"VVVV:PPPP\"` beside it"))
      }
    }
    guard let text = arguments[Self.usbField], let place = arguments.location(of: Self.usbField) else { return }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let vendor = Self.number(parts[0]), let product = Self.number(parts[1]) else {
      problems.append(
        Diagnostic(
          at: place, "`\(text)` is not a vendor and a product on USB", expected: "such as `\"0a12:0001\"`"))
      return
    }
    entry.usb = USBNumbers(vendor: vendor, product: product, release: release.flatMap(Self.number))
  }

  private static func number(_ text: some StringProtocol) -> UInt16? {
    text.utf8.count == 4 && text.allSatisfy(\.isHexDigit) ? UInt16(text, radix: 16) : nil
  }

  /// What is wrong with the entry.
  func problems(at top: SourceLocation) -> [Diagnostic] {
    let place = location ?? top
    var found = problems
    if found.isEmpty, entry.adapter == nil, entry.usb == nil, !entry.statesVersion {
      let names = Self.identifying.map { "`\($0.declaration.name)`" }
      found.append(
        Diagnostic(
          at: place, "the entry does not say which adapters it means",
          expected: "one or more of \(names.joined(separator: ", "))"))
    }
    if entry.quirks.isEmpty {
      let words = AdapterQuirk.allCases.map { "`\($0.rawValue)`" }
      found.append(
        Diagnostic(at: place, "the entry names no quirk", expected: "one of \(words.joined(separator: ", "))"))
    }
    if found.isEmpty, entry.adapter == nil, entry.usb == nil,
      let early = entry.quirks.first(where: \.precedesVersion)
    {
      found.append(
        Diagnostic(
          at: place, "`\(early.rawValue)` matters before the adapter can be asked for its version",
          expected: "`adapter` or `usb` in this entry"))
    }
    return found
  }
}

/// A library of adapters' quirks: a list of entries below `quirks:`.
package enum QuirkFile {
  private static let entriesField = Field<[QuirkPlan]>("quirks", "Adapters that deviate from the specification.")
  static let group = FieldGroup([entriesField])

  /// Reads a library; what is wrong with it is told, one message a mistake.
  package static func read(_ file: SourceFile) -> (entries: [QuirkEntry]?, diagnostics: [Diagnostic]) {
    let (arguments, diagnostics) = DocumentReader.read(file, as: group, called: "a library of quirks")
    guard let arguments else { return (nil, diagnostics) }
    let top = arguments.location(of: entriesField) ?? SourceLocation(file: file.path, line: 1, column: 1)
    let plans = arguments[entriesField]
    let problems = diagnostics + plans.flatMap { $0.problems(at: top) }
    return (problems.isEmpty ? plans.map(\.entry) : nil, problems)
  }
}

extension QuirkEntry {
  /// What a field says by which an adapter is found.
  package enum IdentifyingValue: Hashable, Sendable {
    /// Text, in quotes.
    case text(String)
    /// A number.
    case number(Int)
  }

  /// The fields by which an adapter is found, by their names, as far as they are stated.
  package var identifying: [(name: String, value: IdentifyingValue)] {
    let fields: [(any FieldKey, IdentifyingValue?)] = [
      (QuirkPlan.adapterField, adapter.map { .text($0) }),
      (
        QuirkPlan.usbField,
        usb.map { .text("\(Hexadecimal.digits($0.vendor)):\(Hexadecimal.digits($0.product))".lowercased()) }
      ), (QuirkPlan.releaseField, usb?.release.map { .text(Hexadecimal.digits($0).lowercased()) }),
      (QuirkPlan.companyField, company.map { .number(Int($0)) }),
      (QuirkPlan.hciField, hciVersion.map { .number(Int($0)) }),
      (QuirkPlan.hciSubversionField, hciSubversion.map { .number(Int($0)) }),
      (QuirkPlan.linkField, linkVersion.map { .number(Int($0)) }),
      (QuirkPlan.linkSubversionField, linkSubversion.map { .number(Int($0)) }),
    ]
    return fields.compactMap { field, value in value.map { (field.declaration.name, $0) } }
  }

  /// The entry as it stands in a library, without its dash.
  package var yaml: String {
    let found = identifying.map { name, value in
      switch value {
      case .text(let text): "\(name): \(JSONValue.string(text).text)"
      case .number(let number): "\(name): \(number)"
      }
    }
    let rest = [
      "quirks: [\(quirks.map(\.rawValue).joined(separator: ", "))]", "source: \(JSONValue.string(source).text)",
      "seen: \(JSONValue.string(seen).text)",
    ]
    return "{\((found + rest).joined(separator: ", "))}"
  }
}
