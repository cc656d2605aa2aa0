import Bytes
import Transports

/// Reads options that name controllers and recorders.
enum TransportOptions {
  /// The specification of an option; `nil` where it is not given.
  static func specification(
    _ arguments: ParsedArguments, _ name: String
  ) throws(UsageFailure) -> TransportSpecification? {
    try arguments.value(name).map(specification)
  }

  /// Reads a specification such as `tcp-client:127.0.0.1:9001`.
  static func specification(_ text: String) throws(UsageFailure) -> TransportSpecification {
    do { return try TransportSpecification(parsing: text) } catch { throw UsageFailure("\(error)") }
  }

  /// The address of `--device`; `nil` where it is not given.
  static func device(_ arguments: ParsedArguments) throws(UsageFailure) -> BluetoothAddress? {
    try arguments.value("--device").map { text throws(UsageFailure) in
      guard let address = BluetoothAddress(text) else {
        throw UsageFailure("--device needs an address such as C6:05:04:03:02:01, not \"\(text)\"")
      }
      return address
    }
  }
}

/// The option `--format` of most commands.
enum FormatOption {
  static let declaration = OptionDeclaration("--format", "Output format (default: human).", choices: ["human", "json"])

  /// Whether the output is JSON.
  static func isJSON(_ arguments: ParsedArguments) -> Bool { arguments.value(declaration.name) == "json" }
}
