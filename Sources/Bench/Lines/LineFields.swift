import YAML
import ScenarioLanguage

/// Where a line is plugged in: exactly one of labgrid's resource classes stands among an instrument's fields.
enum LineFields {
  static let raw = Field<RawSerialPort?>("RawSerialPort", "A serial line by its device file.")
  static let usb = Field<USBSerialPort?>("USBSerialPort", "A serial line by its properties in udev.")
  static let network = Field<NetworkSerialPort?>("NetworkSerialPort", "A line over TCP, as raw octets.")

  static let all: [any FieldKey] = [raw, usb, network]

  /// The one resource that is stated; `nil` when none or several are.
  static func resource(_ arguments: Arguments) -> LineResource? {
    let stated = [
      arguments[raw].map { LineResource.rawSerialPort(port: $0.port, speed: $0.speed) },
      arguments[usb].map { LineResource.usbSerialPort($0.match, speed: $0.speed) },
      arguments[network].map { LineResource.networkSerialPort(host: $0.host, port: $0.port) },
    ].compactMap { $0 }
    return stated.count == 1 ? stated[0] : nil
  }

  /// What is wrong with the line of an instrument that needs one.
  static func problems(of line: LineResource?, at place: SourceLocation) -> [Diagnostic] {
    switch line {
    case nil:
      let names = all.map { "`\($0.declaration.name)`" }
      return [
        Diagnostic(
          at: place, "the bench file does not say where the instrument is",
          expected: "one of \(names.joined(separator: ", "))")
      ]
    case .rawSerialPort("", _):
      return [Diagnostic(at: place, "`port` does not name a device file", expected: "such as `/dev/ttyUSB0`")]
    case .networkSerialPort("", _):
      return [Diagnostic(at: place, "`host` does not name a machine", expected: "its name or address")]
    case .rawSerialPort(_, let speed), .usbSerialPort(_, let speed):
      if !InstrumentLine.speeds.contains(speed) {
        return [
          Diagnostic(
            at: place, "\(speed) is not a speed of serial lines",
            expected: "one of \(InstrumentLine.speeds.map { "`\($0)`" }.joined(separator: ", "))")
        ]
      }
      if case .usbSerialPort(let match, _) = line, (match.serial ?? match.path ?? "").isEmpty {
        return [Diagnostic(at: place, "`match` matches everything", expected: "`ID_SERIAL_SHORT` or `\"@ID_PATH\"`")]
      }
      return []
    case .networkSerialPort: return []
    }
  }
}

/// `RawSerialPort: {port: /dev/serial/by-id/usb-…, speed: 115200}`
struct RawSerialPort: FieldGroupValue {
  static let portField = Field<String>("port", "The device file; a link below /dev/serial keeps its name.")
  static let speedField = Field<Int>("speed", "Bits a second.", default: 115_200).limited(
    to: InstrumentLine.slowest...InstrumentLine.fastest)
  static var group: FieldGroup { FieldGroup([portField, speedField], shorthand: portField) }

  let port: String
  let speed: Int

  init(_ arguments: Arguments) {
    port = arguments[Self.portField]
    speed = arguments[Self.speedField]
  }
}

/// `USBSerialPort: {match: {ID_SERIAL_SHORT: E6614C311B}, speed: 115200}`
struct USBSerialPort: FieldGroupValue {
  static let matchField = Field<Match>("match", "udev's properties of the device.")
  static let speedField = RawSerialPort.speedField
  static var group: FieldGroup { FieldGroup([matchField, speedField]) }

  let match: LineResource.USBMatch
  let speed: Int

  init(_ arguments: Arguments) {
    match = arguments[Self.matchField].value
    speed = arguments[Self.speedField]
  }

  /// One property is enough; labgrid marks those of a parent device by `@`.
  struct Match: FieldGroupValue {
    static let serialField = Field<String?>("ID_SERIAL_SHORT", "Its serial number.")
    static let pathField = Field<String?>("@ID_PATH", "The place it is plugged in at; in quotes.")
    static var group: FieldGroup { FieldGroup([serialField, pathField]) }

    let value: LineResource.USBMatch

    init(_ arguments: Arguments) {
      value = LineResource.USBMatch(path: arguments[Self.pathField], serial: arguments[Self.serialField])
    }
  }
}

/// `NetworkSerialPort: {host: 192.168.1.20, port: 5025}`
struct NetworkSerialPort: FieldGroupValue {
  static let hostField = Field<String>("host", "Its name or address.")
  static let portField = Field<Int>("port", "Its TCP port; 5025 is SCPI's.", default: 5_025).limited(to: 1...65_535)
  static var group: FieldGroup { FieldGroup([hostField, portField]) }

  let host: String
  let port: Int

  init(_ arguments: Arguments) {
    host = arguments[Self.hostField]
    port = arguments[Self.portField]
  }
}
