import Transports

/// The options of every command that opens controllers.
enum AdapterOptions {
  static let take = OptionDeclaration(
    "--take", "Take the adapter even if the kernel has live links on it, and cut these links.")

  /// How the command opens its controllers.
  static func opening(_ arguments: ParsedArguments) -> OpeningOptions {
    OpeningOptions(takesAdaptersInUse: arguments.isSet(take.name))
  }
}
