import Transports

/// What every command says of the controllers that it opens.
enum AdapterOptions {
  static let take = OptionDeclaration(
    "--take", "Take an adapter over which the kernel keeps live links, and cut these.")

  /// How the command opens its controllers.
  static func opening(_ arguments: ParsedArguments) -> OpeningOptions {
    OpeningOptions(takesAdaptersInUse: arguments.isSet(take.name))
  }
}
