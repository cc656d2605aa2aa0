import Recorder
import SecureDFU
import Verdicts

/// `dictobench simulate`
enum SimulateCommand: Command {
  static let declaration = CommandDeclaration(
    "simulate",
    "Serves simulated recorders to somebody else's Bluetooth host; standard input takes a device's verbs, or keys.",
    options: [
      OptionDeclaration(
        "--listen", "Where a host may attach to a virtual controller on our air, such as tcp-server:127.0.0.1:9001.",
        value: "SPEC", repeats: true),
      OptionDeclaration(
        "--controller", "The controller that one recorder stands on instead, such as usb:0 or hci-socket:0.",
        value: "SPEC"),
      AdapterOptions.take,
      OptionDeclaration(
        "--bench",
        "Simulate the recorders of a bench file, their consoles, supplies and Picos, and a host's way to them.",
        value: "FILE"),
      OptionDeclaration("--profile", "Which recorder firmware is simulated.", choices: RecorderProfile.all.map(\.name)),
      OptionDeclaration(
        "--board", "Which bootloader is beneath it; s140-debug, what Dictofun's Makefile builds, unless stated.",
        choices: BootloaderBuild.all.map(\.name)),
      OptionDeclaration(
        "--firmware", "The release that is installed, by its name in the catalogue of firmware-images.",
        value: "RELEASE"),
      OptionDeclaration(
        "--count", "How many recorders; 1 unless stated, and always on a controller, which has one host.",
        value: "N"),
      OptionDeclaration(
        "--address",
        "Address of the first recorder; unless stated it follows from seed and table of attributes, which phones cache.",
        value: "ADDRESS"),
      OptionDeclaration(
        "--records", "Folder of records: .wav files are heard by the microphone, .record files are placed as they are.",
        value: "FOLDER"),
      OptionDeclaration(
        "--state",
        "Folder that keeps records, bonds, clock, address and flash, so that recorders go on where they were.",
        value: "FOLDER"),
      OptionDeclaration("--power", "Whether recorders stay awake; always unless stated.", choices: ["always", "real"]),
      OptionDeclaration(
        "--flash", "Whether transfers and updates wait for the flash, as real recorders do; real unless stated.",
        choices: ["real", "instant"]),
      OptionDeclaration("--fault", "Plant a recorder's fault, by its name.", value: "NAME"),
      OptionDeclaration(
        "--control",
        "Socket that takes a device's verbs as lines of JSON, such as {\"press\": \"2 s\"}, and answers each with one.",
        value: "unix:PATH"),
    ] + CaptureRequest.options + [
      OptionDeclaration("--seed", "The seed of addresses and chance; 1 unless stated.", value: "N"),
      OptionDeclaration(
        "--pace", "How time passes; only the wall clock's pace suits a foreign host.", choices: ["wall", "virtual"]),
    ],
    example: "dictobench simulate --listen tcp-server:127.0.0.1:9001 --records scenarios/audio")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    try SimulateSession(try SimulateRequest(arguments), console).run()
  }
}
