import Bytes
import DictofunProtocol
import HostStack
import Probe
import Session

/// A table of attributes in words.
enum GATTText {
  static func name(_ uuid: BluetoothUUID) -> String? { AttributeTable.name(of: uuid) }

  static func handle(_ handle: AttributeHandle) -> String { AttributeWords.handle(handle) }

  static func properties(_ properties: CharacteristicProperties) -> [String] { AttributeWords.properties(properties) }

  /// Octets, followed by the text that they spell, if any.
  static func value(_ octets: [UInt8]) -> String {
    let isText = octets.count > 1 && octets.allSatisfy { (0x20...0x7E).contains($0) }
    let hexadecimal = octets.isEmpty ? "empty" : Hexadecimal.string(octets)
    return isText ? "\(hexadecimal)  \"\(String(decoding: octets, as: UTF8.self))\"" : hexadecimal
  }

  private static func value(_ value: AttributeReading) -> String {
    switch value {
    case .value(let octets): self.value(octets)
    case .refused(let code): "refused with 0x" + Hexadecimal.digits(code.rawValue)
    }
  }

  static func lines(
    _ services: [DiscoveredService], _ values: [(handle: AttributeHandle, reading: AttributeReading)]
  ) -> [String] {
    services.flatMap { service in
      let title = name(service.uuid).map { "  \($0)" } ?? ""
      let head = "\(handle(service.handle)) to \(handle(service.endHandle))  service \(service.uuid)\(title)"
      return [head]
        + service.characteristics.map { characteristic in
          let title = name(characteristic.uuid).map { "  \($0)" } ?? ""
          let configuration = characteristic.configurationHandle.map { "  configured at \(handle($0))" } ?? ""
          let read = values.first { $0.handle == characteristic.valueHandle }.map { "  = \(value($0.reading))" } ?? ""
          return "  \(handle(characteristic.valueHandle))  \(characteristic.uuid)\(title)  "
            + "[\(properties(characteristic.properties).joined(separator: ", "))]\(configuration)\(read)"
        }
    }
  }

  static func document(
    _ services: [DiscoveredService], _ values: [(handle: AttributeHandle, reading: AttributeReading)],
    _ differences: [String]?
  ) -> JSONValue {
    let items = services.map { service in
      JSONValue.object([
        ("uuid", .string("\(service.uuid)")), ("name", .optional(name(service.uuid))),
        ("handle", .integer(Int(service.handle.rawValue))), ("endHandle", .integer(Int(service.endHandle.rawValue))),
        (
          "characteristics",
          .array(
            service.characteristics.map { characteristic in
              document(characteristic, values.first { $0.handle == characteristic.valueHandle }?.reading)
            })
        ),
      ])
    }
    return .object([
      ("services", .array(items)), ("differences", differences.map { .strings($0) } ?? .null),
    ])
  }

  private static func document(_ characteristic: DiscoveredCharacteristic, _ value: AttributeReading?) -> JSONValue {
    var read = JSONValue.null
    var refusal = JSONValue.null
    switch value {
    case .value(let octets): read = .string(Hexadecimal.string(octets))
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
    differences.isEmpty ? ["identical to \(profile)"] : differences.map { "differs from \(profile): \($0)" }
  }
}
