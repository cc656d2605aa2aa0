import Bytes
import HostStack
import Recorder
import Text
import YAML

extension MeasuredRecorder {
  private static let sections = [
    "profile", "twin", "recorder", "firmware", "measured", "not-measured", "observed", "advertising", "attributes",
    "accesses",
  ]

  /// Reads the file of a measured profile.
  ///
  /// - Throws: the first problem, at its place.
  package init(_ file: SourceFile) throws(YAMLProblem) {
    let (root, problems) = YAMLReader.read(file, rules: YAMLRules())
    if let problem = problems.first { throw problem }
    guard let root else {
      throw YAMLProblem(
        at: SourceLocation(file: file.path, line: 1, column: 1), "the file is empty", expected: "a measured profile")
    }
    let fields = try MeasuredFields(root, called: "a measured profile", Self.sections)
    _ = try fields.value("profile", expected: "`\(Self.profileName)`") { $0 == Self.profileName ? $0 : nil }
    let names = Wording.choices(RecorderProfile.all.map(\.name))
    let twin = try fields.value("twin", expected: names) { RecorderProfile.named($0)?.name }
    let address = try fields.value("recorder", expected: "an address, such as `C6:05:04:03:02:01`") {
      BluetoothAddress($0).map { BluetoothAddress($0.value, .random) }
    }
    self.init(address: address, twin: twin)
    firmware = try fields.text(optional: "firmware")
    for entry in root["measured"]?.entries ?? [] {
      let constant = try Self.constant(entry)
      figures[constant] = try Self.figure(entry.value, unit: constant.unit, within: constant.range)
    }
    for entry in root["not-measured"]?.entries ?? [] { reasons[try Self.constant(entry)] = entry.value.text }
    for entry in root["observed"]?.entries ?? [] {
      observations.append((entry.key, try Self.figure(entry.value, unit: nil, within: 0...Self.largest)))
    }
    try readAdvertising(root["advertising"])
    for row in root["attributes"]?.items ?? [] { try readAttribute(row) }
    for row in root["accesses"]?.items ?? [] {
      let fields = try MeasuredFields(row, called: "an access", ["attempt", "result"])
      accesses.append(Access(try fields.text("attempt"), try fields.text("result")))
    }
  }

  private static func constant(_ entry: Node.Entry) throws(YAMLProblem) -> ProbedConstant {
    if let constant = ProbedConstant(rawValue: entry.key) { return constant }
    let names = ProbedConstant.allCases.map(\.rawValue)
    throw YAMLProblem(
      at: entry.keyLocation, "no constant is named `\(entry.key)`", expected: Wording.choices(names),
      suggestion: Spelling.nearest(to: entry.key, among: names).map { "`\($0)`" })
  }

  /// No figure is larger, in small units.
  private static let largest: Int64 = 1_000_000_000_000_000

  private static func figure(
    _ node: Node, unit: MeasuredUnit?, within range: ClosedRange<Int64>
  ) throws(YAMLProblem) -> Figure {
    let fields = try MeasuredFields(node, called: "a figure", ["value", "spread", "samples", "how"])
    let example =
      unit.map { "from `\($0.text(range.lowerBound))` to `\($0.text(range.upperBound))`" } ?? "a number and its unit"
    let read = { (text: String) -> (value: Int64, unit: MeasuredUnit)? in
      guard let parsed = MeasuredUnit.parse(text), unit == nil || parsed.unit == unit else { return nil }
      return parsed
    }
    let value = try fields.value("value", expected: example) { text in
      read(text).flatMap { range.contains($0.value) ? $0 : nil }
    }
    let spread = try fields.value("spread", expected: example) { text in
      read(text).flatMap { $0.unit == value.unit && (0...largest).contains($0.value) ? $0 : nil }
    }
    let samples = try fields.value("samples", expected: "a whole number") { Int($0).flatMap { $0 >= 0 ? $0 : nil } }
    return Figure(
      value: value.value, spread: spread.value, unit: value.unit, samples: samples,
      method: try fields.text(optional: "how") ?? "")
  }

  private mutating func readAdvertising(_ node: Node?) throws(YAMLProblem) {
    guard let node else { return }
    let fields = try MeasuredFields(node, called: "`advertising`", ["data", "response"])
    let octets = { (text: String) in Hexadecimal.bytes(text).flatMap { $0.count <= 31 ? $0 : nil } }
    advertisingData = try fields.value(optional: "data", expected: "at most 31 octets in hexadecimal", octets)
    scanResponse = try fields.value(optional: "response", expected: "at most 31 octets in hexadecimal", octets)
  }

  private mutating func readAttribute(_ row: Node) throws(YAMLProblem) {
    let fields = try MeasuredFields(
      row, called: "an attribute", ["service", "characteristic", "handle", "end", "properties", "configuration"])
    let handle = { (text: String) in
      text.hasPrefix("0x") ? UInt16(text.dropFirst(2), radix: 16).map { AttributeHandle($0) } : nil
    }
    let place = try fields.value("handle", expected: "a handle, such as `0x0012`", handle)
    if let uuid = try fields.value(optional: "service", expected: "a UUID", { BluetoothUUID($0) }) {
      let end = try fields.value("end", expected: "a handle, such as `0x0012`", handle)
      services.append(DiscoveredService(uuid: uuid, handle: place, endHandle: end))
      return
    }
    let uuid = try fields.value("characteristic", expected: "a UUID") { BluetoothUUID($0) }
    let configuration = try fields.value(optional: "configuration", expected: "a handle, such as `0x0012`", handle)
    guard !services.isEmpty, place.rawValue > 1 else {
      throw YAMLProblem(at: row.location, "a characteristic comes before its service", expected: "a `service` first")
    }
    let last = services.count - 1
    services[last].characteristics.append(
      DiscoveredCharacteristic(
        uuid: uuid, handle: AttributeHandle(place.rawValue - 1), valueHandle: place,
        properties: try properties(row["properties"]), configurationHandle: configuration))
  }

  private func properties(_ node: Node?) throws(YAMLProblem) -> CharacteristicProperties {
    var properties: CharacteristicProperties = []
    for item in node?.items ?? [] {
      guard let property = AttributeWords.property(item.text ?? "") else {
        throw YAMLProblem(
          at: item.location, "\(item.kind) is not a property", expected: Wording.choices(AttributeWords.propertyNames))
      }
      properties.insert(property)
    }
    return properties
  }
}
