import Bench
import Bytes
import Phone
import Probe
import Recorder
import Session
import Text
import Verdicts

/// `dictobench probe`
enum ProbeCommand: Command {
  private static let usualPath = "profile-measured.yaml"

  static let declaration = CommandDeclaration(
    "probe",
    "Measures a recorder over the air, writes what it is like, and tells in what it differs from a simulated one.",
    options: PhoneOptions.declarations + [
      OptionDeclaration(
        "--bench",
        "The bench file whose button, rail and supply are used too. The power is cut, which may cost records.",
        value: "FILE"),
      OptionDeclaration(
        "--twin", "The simulated recorder that it is compared with (default: reference).",
        choices: RecorderProfile.all.map(\.name)),
      OptionDeclaration(
        "--only", "Measure only this figure, and what it takes; may be repeated.", value: "NAME", repeats: true),
      OptionDeclaration(
        "--drift-for",
        "Leave the recorder's clock alone for so long, and measure how it drifts meanwhile; an hour tells 20 ppm, a day 1 ppm.",
        value: "DURATION"),
      OptionDeclaration(
        "--enter-bootloader", "Send the recorder into its bootloader, and measure how long that waits for a phone."),
      OptionDeclaration("--out", "The file to write (default: \(usualPath)).", value: "FILE"),
    ], example: "dictobench probe --controller tcp-client:127.0.0.1:9001 --twin firmware-1.4")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let twin = arguments.value("--twin").flatMap(RecorderProfile.named) ?? .reference
    let path = try arguments.outputFile("--out") ?? usualPath
    let place = try BenchFiles.read(arguments).flatMap { try recorder(of: $0, arguments) }
    let attended = place == nil ? nil : BenchFiles.operatorPlace
    let wanted = try wanted(arguments)
    let extent = ProbeExtent(
      drift: try arguments.duration("--drift-for", in: .seconds(60)...(.seconds(30 * 86_400))),
      entersBootloader: arguments.isSet("--enter-bootloader"))
    let (log, tale) = (ProbeLog(), ConsoleTale())
    var command = try PhoneCommand("probe", arguments, console)
    if let place { command.plan.choice = .address(place.address) }
    command.observer = log
    let screen = ProbeScreen(output: command.output, twin: twin)
    return try command.run({ conversation in
      if let place { try await conversation.use(place, operator: attended, hearing: tale) }
      return try await conversation.probe(log, against: twin, for: wanted, extent, console: tale, words: \.sentence) {
        screen.show($0)
      }
    }) { recorder in
      do throws(UsageFailure) {
        try OutputFile.write(recorder.file(note: "measured by \(Tool.description) probe"), to: path)
      } catch {
        console.complain(error.message)
        return .benchFailed
      }
      screen.show(recorder, writtenTo: path)
      return screen.hasSeenBenchFail ? .benchFailed : .passed
    }
  }

  /// The figures that are asked for, all of them unless stated.
  private static func wanted(_ arguments: ParsedArguments) throws(UsageFailure) -> Set<ProbedConstant> {
    let names = arguments.allValues("--only")
    let all = ProbedConstant.allCases
    return try Set(
      names.isEmpty
        ? all
        : names.map { name throws(UsageFailure) in
          if let constant = ProbedConstant(rawValue: name) { return constant }
          throw UsageFailure("unknown figure \(name)\(ParsedArguments.suggestion(name, all.map(\.rawValue)))")
        })
  }

  /// The recorder of a bench that `--device` means, or its first.
  private static func recorder(
    of bench: BenchFile, _ arguments: ParsedArguments
  ) throws(UsageFailure) -> RecorderPlace? {
    guard let address = try TransportOptions.device(arguments) else { return bench.recorders.first }
    if let place = bench.recorders.first(where: { $0.address.value == address.value }) { return place }
    throw UsageFailure("bench \(bench.place) has no recorder with the address of --device")
  }
}
