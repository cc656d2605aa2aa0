import Recorder
import SecureDFU
import World

/// The options of `simulate`.
enum SimulateOptions {
  static let all: [OptionDeclaration] =
    places + recorders + [
      OptionDeclaration(
        "--fault", "Plant a recorder fault, by its name; may be repeated.", value: "NAME", repeats: true),
      OptionDeclaration(
        "--control",
        "Socket at which recorders are steered. It takes verbs as lines of JSON, such as {\"press\": \"2 s\"}, and answers "
          + "each line.",
        value: "unix:PATH"),
    ] + CaptureRequest.options + [
      OptionDeclaration("--seed", "The seed of addresses and random choices (default: 1).", value: "N"),
      OptionDeclaration(
        "--pace", "How time passes. Other hosts need the wall clock's pace.", choices: ["wall", "virtual"]),
    ]

  private static let places: [OptionDeclaration] = [
    OptionDeclaration(
      "--listen", "Where a host attaches to a virtual controller, such as tcp-server:127.0.0.1:9001.", value: "SPEC",
      repeats: true),
    OptionDeclaration(
      "--controller", "A controller for one recorder, such as usb:0 or hci-socket:0, instead of virtual ones.",
      value: "SPEC"),
    OptionDeclaration(
      "--link-timing", "How the virtual controllers of --listen use a connection event (default: phone).",
      choices: CentralTiming.allCases.map(\.rawValue)),
    AdapterOptions.take, AdapterOptions.quirks,
    OptionDeclaration(
      "--bench", "Simulate the recorders of a bench file with their consoles, supplies and Picos.", value: "FILE"),
  ]

  private static let recorders: [OptionDeclaration] = [
    ProfileFiles.option,
    OptionDeclaration(
      "--image", "A firmware image, ELF or Intel HEX, that the recorders' chips execute in place of the model.",
      value: "FILE"),
    ImageFiles.bootloader,
    OptionDeclaration(
      "--board", "The bootloader (default: s140-debug, which Dictofun's Makefile builds).",
      choices: BootloaderBuild.all.map(\.name)),
    OptionDeclaration(
      "--firmware", "The installed release, by its name in the catalogue of firmware-images.", value: "RELEASE"),
    OptionDeclaration(
      "--count", "How many recorders (default: 1). On a controller there is only one.", value: "N"),
    OptionDeclaration(
      "--address",
      "Address of the first recorder (default: derived from the seed and the attribute table, which phones cache).",
      value: "ADDRESS"),
    OptionDeclaration(
      "--records", "Folder of records: .wav files are recorded as sound, .record files are stored unchanged.",
      value: "FOLDER"),
    OptionDeclaration(
      "--state", "Folder that keeps records, bonds, clock, address and flash for the next time.", value: "FOLDER"),
    OptionDeclaration(
      "--pairing",
      "Whether any phone that keeps the keys may pair at any time and stay (default: always), or only as a recorder with an "
        + "owner allows, whose button must be pressed. Scenarios about strangers need `real`.",
      choices: ["always", "real"]),
    OptionDeclaration("--power", "Whether recorders stay awake (default: always).", choices: ["always", "real"]),
    OptionDeclaration(
      "--flash", "Whether transfers and updates wait for the flash, as on real recorders (default: real).",
      choices: ["real", "instant"]),
  ]
}
