import Requirements

/// `dictobench dfu`: packages, keys and releases of firmware.
enum DFUCommand: Command {
  static let declaration = CommandDeclaration(
    "dfu", "Looks at update packages, makes them, makes the keys that sign them, and lists the releases.",
    operands: "inspect PACKAGE.zip|INIT.dat | pack IMAGE.bin | keys [KEY.pem] | releases [FOLDER]", operandLimit: 2,
    options: [
      OptionDeclaration(
        "--format", "How inspect and releases print; human unless stated.", choices: ["human", "json"]),
      OptionDeclaration(
        "--public-key", "The key the bootloader trusts, as PEM; the bench's test key unless stated.", value: "FILE"),
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
    example: "dictobench dfu inspect update.zip --board s140-debug --installed-version 3")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let actions = ["inspect", "pack", "keys", "releases"]
    guard let action = arguments.operands.first else {
      throw UsageFailure("dfu needs \(actions.joined(separator: ", ")) first")
    }
    switch action {
    case "inspect": return try DFUInspection.run(arguments, console)
    case "pack": return try DFUPacking.pack(arguments, console)
    case "keys": return try DFUPacking.keys(arguments, console)
    case "releases": return try DFUReleases.run(arguments, console)
    default:
      throw UsageFailure("dfu does not know \(action)\(ParsedArguments.suggestion(action, actions))")
    }
  }
}
