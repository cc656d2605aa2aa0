import Verdicts

/// `dictobench dfu`: firmware packages, keys and releases.
enum DFUCommand: Command {
  static let declaration = CommandDeclaration(
    "dfu", "Updates recorders, inspects and makes update packages and keys, and lists releases.",
    operands:
      "update PACKAGE.zip | versions | inspect PACKAGE.zip|INIT.dat | pack IMAGE.bin|IMAGE.hex | keys [KEY.pem] | "
      + "releases [FOLDER]",
    operandLimit: 2,
    options: PhoneOptions.declarations + [
      OptionDeclaration("--unchecked", "Make update send a package even if the recorder will refuse it."),
      OptionDeclaration(
        "--public-key",
        "The key that the bootloader trusts, as PEM (default: inspect uses the bench's test key, update does not check "
          + "signatures).", value: "FILE"),
      OptionDeclaration(
        "--board", "The bootloader whose answer inspect predicts (default: every known one).",
        choices: DFUInspection.boards),
      OptionDeclaration(
        "--installed-version", "Version of the application on the recorder (default: 1).", value: "N"),
      OptionDeclaration(
        "--installed-bootloader-version", "Version of the bootloader on the recorder (default: 1).", value: "N"),
      OptionDeclaration("--application-version", "Version in the package that pack makes.", value: "N"),
      OptionDeclaration(
        "--hw-version", "Hardware version in the package that pack makes (default: 52, Dictofun's).", value: "N"),
      OptionDeclaration(
        "--sd-req", "SoftDevice that the package requires, such as 0x0101 for S132 7.2.0 or 0x0100 for S140 7.2.0.",
        value: "ID", repeats: true),
      OptionDeclaration("--debug", "Make pack mark the package as debug."),
      OptionDeclaration(
        "--key", "Private key with which pack signs the package, as PEM (default: not signed).", value: "FILE"),
      OptionDeclaration("--out", "File to which pack writes the package, or keys a new private key.", value: "FILE"),
    ],
    example: "dictobench dfu update update.zip --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let actions = ["update", "versions", "inspect", "pack", "keys", "releases"]
    guard let action = arguments.operands.first else {
      throw UsageFailure("dfu needs an action: \(actions.joined(separator: ", "))")
    }
    switch action {
    case "update": return try DFUUpdating.update(arguments, console)
    case "versions": return try DFUUpdating.versions(arguments, console)
    case "inspect": return try DFUInspection.run(arguments, console)
    case "pack": return try DFUPacking.pack(arguments, console)
    case "keys": return try DFUPacking.keys(arguments, console)
    case "releases": return try DFUReleases.run(arguments, console)
    default:
      throw UsageFailure("unknown action \(action)\(ParsedArguments.suggestion(action, actions))")
    }
  }
}
