import Verdicts

/// `dictobench dfu`: packages, keys and releases of firmware.
enum DFUCommand: Command {
  static let declaration = CommandDeclaration(
    "dfu", "Updates recorders, looks at update packages, makes them and their keys, and lists the releases.",
    operands:
      "update PACKAGE.zip | versions | inspect PACKAGE.zip|INIT.dat | pack IMAGE.bin | keys [KEY.pem] | releases [FOLDER]",
    operandLimit: 2,
    options: PhoneCommand.options + [
      OptionDeclaration("--unchecked", "Makes update send even what the recorder is known to refuse."),
      OptionDeclaration(
        "--public-key",
        "The key the bootloader trusts, as PEM; inspect takes the bench's test key unless stated, update takes "
          + "signatures for good.", value: "FILE"),
      OptionDeclaration(
        "--board", "The bootloader that inspect asks; each known one unless stated.", choices: DFUInspection.boards),
      OptionDeclaration(
        "--installed-version", "Version of the application on the device; 1 unless stated.", value: "N"),
      OptionDeclaration(
        "--installed-bootloader-version", "Version of the bootloader on the device; 1 unless stated.", value: "N"),
      OptionDeclaration("--application-version", "Version that pack states.", value: "N"),
      OptionDeclaration("--hw-version", "Hardware that pack states; 52, Dictofun's, unless stated.", value: "N"),
      OptionDeclaration(
        "--sd-req", "SoftDevice that pack demands, such as 0x0101 for S132 7.2.0 or 0x0100 for S140 7.2.0.",
        value: "ID", repeats: true),
      OptionDeclaration("--debug", "Makes pack mark the package as debug."),
      OptionDeclaration("--key", "Private key with which pack signs, as PEM; unsigned unless stated.", value: "FILE"),
      OptionDeclaration("--out", "Where pack writes the package, or keys a new private key.", value: "FILE"),
    ],
    example: "dictobench dfu update update.zip --controller tcp-client:127.0.0.1:9001")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let actions = ["update", "versions", "inspect", "pack", "keys", "releases"]
    guard let action = arguments.operands.first else {
      throw UsageFailure("dfu needs \(actions.joined(separator: ", ")) first")
    }
    switch action {
    case "update": return try DFUUpdating.update(arguments, console)
    case "versions": return try DFUUpdating.versions(arguments, console)
    case "inspect": return try DFUInspection.run(arguments, console)
    case "pack": return try DFUPacking.pack(arguments, console)
    case "keys": return try DFUPacking.keys(arguments, console)
    case "releases": return try DFUReleases.run(arguments, console)
    default:
      throw UsageFailure("dfu does not know \(action)\(ParsedArguments.suggestion(action, actions))")
    }
  }
}
