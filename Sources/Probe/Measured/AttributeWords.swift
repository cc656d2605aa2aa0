import Bytes
import HostStack

/// Attributes in words.
package enum AttributeWords {
  /// The properties in the order of their bits (Core Specification Vol 3, Part G, 3.3.1.1).
  private static let names: [(CharacteristicProperties, String)] = [
    (.read, "read"), (.writeWithoutResponse, "write without response"), (.write, "write"), (.notify, "notify"),
    (.indicate, "indicate"),
  ]

  /// A handle as `0x0012`.
  package static func handle(_ handle: AttributeHandle) -> String { "0x" + Hexadecimal.digits(handle.rawValue) }

  /// The names of properties.
  package static func properties(_ properties: CharacteristicProperties) -> [String] {
    names.filter { properties.contains($0.0) }.map(\.1)
  }

  /// The names of all properties.
  static var propertyNames: [String] { names.map(\.1) }

  /// The property of this name.
  static func property(_ name: String) -> CharacteristicProperties? { names.first { $0.1 == name }?.0 }
}
