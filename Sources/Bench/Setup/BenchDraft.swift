import Bytes
import Text
import Transports

/// A bench as the set-up knows it so far, and the bench file that comes of it.
package struct BenchDraft: Hashable, Sendable {
  /// The bench's name.
  var place: String
  /// The controller: our phone's, or our recorder's before somebody else's phone.
  var adapter: TransportSpecification?
  /// The recorder; `nil` where somebody else's phone is tested.
  var recorder: BluetoothAddress?
  /// The port of the recorder's UART.
  var console: String?
  /// The port of the Pico.
  var pico: String?
  /// The supply.
  var supply: Supply?
  /// What the operator does by hand.
  var byHand: [Ability] = []

  /// Where a supply is, and how its answer to `*IDN?` begins.
  struct Supply: Hashable, Sendable {
    let line: LineResource
    let identity: String
  }

  init(place: String) { self.place = place }

  /// What no instrument does.
  var lacking: [Ability] {
    Ability.allCases.filter { ability in
      switch ability {
      case .button: pico == nil
      case .rail: pico == nil
      case .battery: supply == nil
      case .storage, .bonds: console == nil
      case .clock: true
      // Few want to write a chip by hand before every update.
      case .firmware: false
      }
    }
  }

  /// The bench file.
  package var yaml: String {
    var lines = ["# Written by `dictobench setup`; bench/README.md says what else can be stated."]
    lines.append("place: \(Self.quoted(place))")
    lines.append("adapters: [\(Self.quoted(adapter?.description ?? ""))]")
    guard let recorder else { return (lines + ["phone: {}", ""]).joined(separator: "\n") }
    lines += ["recorders:", "  - address: \(Self.quoted(recorder.description))"]
    if let console { lines.append("    console: {\(Self.line(.rawSerialPort(port: console, speed: 115_200)))}") }
    if let pico { lines.append("    pico: {\(Self.line(.rawSerialPort(port: pico, speed: 115_200)))}") }
    if let supply {
      lines.append("    supply: {\(Self.line(supply.line)), identity: \(Self.quoted(supply.identity))}")
    }
    if !byHand.isEmpty { lines.append("    operator: {does: [\(byHand.map(\.rawValue).joined(separator: ", "))]}") }
    return (lines + [""]).joined(separator: "\n")
  }

  private static func line(_ line: LineResource) -> String {
    switch line {
    case .rawSerialPort(let port, let speed): "RawSerialPort: {port: \(quoted(port)), speed: \(speed)}"
    case .networkSerialPort(let host, let port): "NetworkSerialPort: {host: \(quoted(host)), port: \(port)}"
    case .usbSerialPort(let match, let speed):
      "USBSerialPort: {match: {ID_SERIAL_SHORT: \(quoted(match.serial ?? ""))}, speed: \(speed)}"
    }
  }

  /// A scalar between single quotes (YAML 1.1, 9.1.2), in which nothing but the quote means anything.
  private static func quoted(_ text: String) -> String {
    "'" + PlainText.escaped(text).split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }
}
