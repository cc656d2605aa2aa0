import Bytes
import DictofunProtocol
import HostStack
import Recorder

/// What reading an attribute brought.
enum GATTValue {
  case octets([UInt8])
  case refused(ATTErrorCode)
}

/// A table of attributes in words.
enum GATTText {
  /// The properties in the order of their bits (Core Specification Vol 3, Part G, 3.3.1.1).
  private static let propertyNames: [(CharacteristicProperties, String)] = [
    (.read, "read"), (.writeWithoutResponse, "write without response"), (.write, "write"), (.notify, "notify"),
    (.indicate, "indicate"),
  ]

  static func name(_ uuid: BluetoothUUID) -> String? { AttributeTable.name(of: uuid) }

  static func handle(_ handle: AttributeHandle) -> String { "0x" + Hexadecimal.digits(handle.rawValue) }

  static func properties(_ properties: CharacteristicProperties) -> [String] {
    propertyNames.filter { properties.contains($0.0) }.map(\.1)
  }

  /// Octets, and beside them the text that they spell where they do.
  static func value(_ octets: [UInt8]) -> String {
    let isText = octets.count > 1 && octets.allSatisfy { (0x20...0x7E).contains($0) }
    let hexadecimal = octets.isEmpty ? "empty" : Hexadecimal.string(octets)
    return isText ? "\(hexadecimal)  \"\(String(decoding: octets, as: UTF8.self))\"" : hexadecimal
  }

  private static func value(_ value: GATTValue) -> String {
    switch value {
    case .octets(let octets): self.value(octets)
    case .refused(let code): "refused with 0x" + Hexadecimal.digits(code.rawValue)
    }
  }

  static func lines(
    _ services: [DiscoveredService], _ values: [(handle: AttributeHandle, text: GATTValue)]
  ) -> [String] {
    services.flatMap { service in
      let title = name(service.uuid).map { "  \($0)" } ?? ""
      let head = "\(handle(service.handle)) to \(handle(service.endHandle))  service \(service.uuid)\(title)"
      return [head]
        + service.characteristics.map { characteristic in
          let title = name(characteristic.uuid).map { "  \($0)" } ?? ""
          let configuration = characteristic.configurationHandle.map { "  configured at \(handle($0))" } ?? ""
          let read = values.first { $0.handle == characteristic.valueHandle }.map { "  = \(value($0.text))" } ?? ""
          return "  \(handle(characteristic.valueHandle))  \(characteristic.uuid)\(title)  "
            + "[\(properties(characteristic.properties).joined(separator: ", "))]\(configuration)\(read)"
        }
    }
  }

  static func document(
    _ services: [DiscoveredService], _ values: [(handle: AttributeHandle, text: GATTValue)], _ differences: [String]?
  ) -> JSONValue {
    let items = services.map { service in
      JSONValue.object([
        ("uuid", .string("\(service.uuid)")), ("name", .optional(name(service.uuid))),
        ("handle", .integer(Int(service.handle.rawValue))), ("endHandle", .integer(Int(service.endHandle.rawValue))),
        (
          "characteristics",
          .array(
            service.characteristics.map { characteristic in
              document(characteristic, values.first { $0.handle == characteristic.valueHandle }?.text)
            })
        ),
      ])
    }
    return .object([
      ("services", .array(items)), ("differences", differences.map { .strings($0) } ?? .null),
    ])
  }

  private static func document(_ characteristic: DiscoveredCharacteristic, _ value: GATTValue?) -> JSONValue {
    var read = JSONValue.null
    var refusal = JSONValue.null
    switch value {
    case .octets(let octets): read = .string(Hexadecimal.string(octets))
    case .refused(let code): refusal = .integer(Int(code.rawValue))
    case nil: break
    }
    return .object([
      ("uuid", .string("\(characteristic.uuid)")), ("name", .optional(name(characteristic.uuid))),
      ("handle", .integer(Int(characteristic.valueHandle.rawValue))),
      ("configurationHandle", characteristic.configurationHandle.map { .integer(Int($0.rawValue)) } ?? .null),
      ("properties", .strings(properties(characteristic.properties))), ("value", read), ("refusedWith", refusal),
    ])
  }

  static func verdict(_ differences: [String], _ profile: String) -> [String] {
    differences.isEmpty ? ["the same table as \(profile)"] : differences.map { "differs from \(profile): \($0)" }
  }
}

/// Holds a table of attributes against the one that is expected.
enum GATTComparison {
  /// What a recorder of this profile shows.
  static func services(of profile: RecorderProfile) -> [DiscoveredService] { profile.attributes.discovered }

  /// Every difference in one phrase; services and characteristics are told apart by their types, in their order.
  static func differences(_ found: [DiscoveredService], from expected: [DiscoveredService]) -> [String] {
    var differences: [String] = []
    for service in expected {
      guard let other = found.first(where: { $0.uuid == service.uuid }) else {
        differences.append("service \(service.uuid) is missing")
        continue
      }
      differences += compare(other, service)
    }
    for service in found where !expected.contains(where: { $0.uuid == service.uuid }) {
      differences.append("service \(service.uuid) is not expected")
    }
    return differences
  }

  private static func compare(_ found: DiscoveredService, _ expected: DiscoveredService) -> [String] {
    var differences: [String] = []
    func expect(_ what: String, _ found: AttributeHandle?, _ expected: AttributeHandle?) {
      guard found != expected else { return }
      let (is_, not) = (found.map(GATTText.handle) ?? "nowhere", expected.map(GATTText.handle) ?? "nowhere")
      differences.append("\(what) is at \(is_) instead of \(not)")
    }
    expect("service \(found.uuid)", found.handle, expected.handle)
    for characteristic in expected.characteristics {
      let what = "characteristic \(characteristic.uuid)"
      guard let other = found.characteristics.first(where: { $0.uuid == characteristic.uuid }) else {
        differences.append("\(what) is missing")
        continue
      }
      expect(what, other.valueHandle, characteristic.valueHandle)
      expect("the configuration of \(what)", other.configurationHandle, characteristic.configurationHandle)
      if other.properties != characteristic.properties {
        let (has, needs) = (GATTText.properties(other.properties), GATTText.properties(characteristic.properties))
        differences.append(
          "\(what) has [\(has.joined(separator: ", "))] instead of [\(needs.joined(separator: ", "))]")
      }
    }
    for other in found.characteristics where !expected.characteristics.contains(where: { $0.uuid == other.uuid }) {
      differences.append("characteristic \(other.uuid) is not expected")
    }
    return differences
  }
}
