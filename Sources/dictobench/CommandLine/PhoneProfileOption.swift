import Phone

/// The option that says which phone is played.
enum PhoneProfileOption {
  static let declaration = OptionDeclaration(
    "--phone",
    "Which phone is played: the reference, or one that does as the published application does and is not judged for it.",
    choices: PhoneProfile.allCases.map(\.rawValue))

  /// The phone that was asked for.
  static func phone(_ arguments: ParsedArguments) -> PhoneProfile {
    arguments.value(declaration.name).flatMap(PhoneProfile.init) ?? .reference
  }
}
