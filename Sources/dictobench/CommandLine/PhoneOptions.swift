import Session
import Transports

/// The options of the commands that play the phone: controller, recorder, state folder, format, capture.
enum PhoneOptions {
  static let declarations: [OptionDeclaration] =
    [
      OptionDeclaration(
        "--controller", "The phone's controller, such as usb:0 (default: the one that setup remembers).",
        value: "SPEC"),
      AdapterOptions.take, AdapterOptions.quirks,
      OptionDeclaration(
        "--device", "Address of the recorder (default: the paired one, else the only one found).", value: "ADDRESS"),
      OptionDeclaration(
        "--state", "Folder of the phone's library and bonds (default: the user's state folder).", value: "FOLDER"),
      BenchLocks.waiting, FormatOption.declaration,
    ] + CaptureRequest.options

  /// The session that the options describe.
  static func plan(_ arguments: ParsedArguments, isUncovered: Bool) throws(UsageFailure) -> PhoneSession.Plan {
    PhoneSession.Plan(
      controller: try controller(arguments),
      opening: try AdapterOptions.opening(arguments, try BenchFiles.meant(arguments)),
      choice: try TransportOptions.device(arguments).map { .address($0) } ?? .paired,
      state: try state(arguments), isUncovered: isUncovered)
  }

  private static func state(_ arguments: ParsedArguments) throws(UsageFailure) -> String {
    if let stated = arguments.value("--state") { return stated }
    return try UserFolders.state
  }

  private static func controller(_ arguments: ParsedArguments) throws(UsageFailure) -> TransportSpecification {
    if let stated = try TransportOptions.specification(arguments, "--controller") { return stated }
    if let remembered = try BenchFiles.meant(arguments)?.adapters.first { return remembered }
    throw UsageFailure("--controller is needed, such as tcp-client:127.0.0.1:9001; `dictobench setup` remembers one")
  }
}
