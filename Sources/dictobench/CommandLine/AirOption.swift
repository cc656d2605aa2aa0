import ScenarioLanguage
import Session

/// What `run` writes of the packets on the air.
struct AirOption {
  static let declaration = OptionDeclaration(
    "--air", "Write what a sniffer would have captured of one simulated scenario, as pcap.", value: "FILE")

  private let path: String
  private let file = AirCaptureFile()

  /// Reads the option; `nil` where it is not given. Throws unless one scenario is simulated once.
  init?(_ arguments: ParsedArguments, _ chosen: [Scenario], _ request: RunRequest) throws(UsageFailure) {
    guard let path = try arguments.outputFile(Self.declaration.name) else { return nil }
    guard chosen.count == 1 else {
      throw UsageFailure("--air needs one scenario that runs once, but \(chosen.count) were selected")
    }
    guard request.plan.repetitions == 1 else {
      let often = request.plan.span == nil ? "it is to run \(request.plan.repetitions) times" : "--for repeats it"
      throw UsageFailure("--air needs one scenario that runs once, but \(often)")
    }
    guard !request.settings.isOnBench else { throw UsageFailure("--air needs a simulated air; a bench has a real one") }
    self.path = path
  }

  /// Lets the file hear what the scenario sends.
  func listen(_ request: inout RunRequest) { request.plan.settings.airListener = { [file] in file.take($0) } }

  /// Writes the file when the scenario is over.
  func finish() throws(UsageFailure) { try OutputFile.write(file.content, to: path, isPrivate: true) }
}
