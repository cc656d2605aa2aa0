import Bench
import Reports
import Runner
import Session
import Verdicts

/// `dictobench shell`
enum ShellCommand: Command {
  static let declaration = CommandDeclaration(
    "shell", "Performs steps of the scenario language as they are typed, on one link, and writes them as a scenario.",
    options: [
      ModelOptions.profile, PhoneProfileOption.declaration,
      OptionDeclaration("--seed", "The seed of all random choices (default: 1).", value: "N"),
      ModelOptions.fault(),
      BenchFiles.declaration,
      OptionDeclaration("--controller", "The controller of our phone, before a real recorder.", value: "SPEC"),
      AdapterOptions.take, AdapterOptions.quirks,
      OptionDeclaration("--device", "Address of the real recorder.", value: "ADDRESS"),
      BenchLocks.waiting,
      OptionDeclaration("--script", "Perform the lines of a file, or of standard input.", value: "FILE|-"),
      OptionDeclaration("--record", "Write the session as a scenario when it ends.", value: "FILE"),
    ] + CaptureRequest.options,
    example: "dictobench shell --record draft.yaml")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let capture = try CaptureRequest(arguments, isJSON: false)
    let console = capture.console(console)
    var plan = try plan(arguments, capture, console)
    let script = arguments.value("--script")
    let input = try ShellInput(script)
    plan.place = script.flatMap { $0 == "-" ? nil : $0 } ?? "shell"
    let record = try arguments.outputFile("--record")
    return try BenchLocks.holding(arguments, console, if: plan.settings.isOnBench) {
      try hold(&plan, input, capture, record, console)
    }
  }

  /// Holds a session until there are no more lines.
  private static func hold(
    _ plan: inout ShellSession.Plan, _ input: ShellInput, _ capture: CaptureRequest, _ record: String?,
    _ console: Console
  ) throws -> ExitCode {
    let interruption = StepInterruption()
    Interruption.listen { interruption.request() }
    if var target = plan.settings.hardware {
      console.note("bench: \(Readiness.checking.rawValue)")
      target.look(plan.settings.interruption)
      plan.settings.hardware = target
      if let trouble = target.trouble {
        console.complain(trouble)
        return .benchFailed
      }
    }
    let note = "\(Tool.description), a session of `dictobench shell`, seed \(plan.settings.seed)"
    let screen = ShellScreen(console, plan.vocabulary, isInteractive: input.isInteractive)
    let completion = ShellCompletion(plan.vocabulary)
    input.edit(at: LineTerminal(console, prompt: screen.prompt) { completion.proposal(for: $0) })
    let session = ShellSession(
      plan, capture: { try capture.open(note: note, on: $0, console) }, tell: { screen.show($0) })
    defer {
      input.close()
      // Whatever went wrong, a bench is left as it was found.
      _ = session.finish()
    }
    do {
      let code = try converse(session, input, interruption, screen)
      if let trouble = input.trouble { throw UsageFailure(trouble) }
      if let path = record { try screen.write(session.draft(named: path), to: path) }
      return screen.end(session.finish(), code)
    } catch let failure as ReportFailure { throw UsageFailure("\(failure)") }
  }

  /// Takes lines until there are no more, or one asks for the end. Returns why it ended early; `nil` where it did not.
  private static func converse(
    _ session: ShellSession, _ input: ShellInput, _ interruption: StepInterruption, _ screen: ShellScreen
  ) throws -> ExitCode? {
    while let line = input.line(while: session.loop) {
      screen.echo(line)
      let (answer, isInterrupted) = try interruption.during { step in (try session.take(line, step), step.isRequested) }
      switch answer {
      case .quit: return nil
      case .save(let path, let yaml): screen.save(yaml, to: path)
      case .failed(let failure):
        screen.fail(failure)
        return .benchFailed
      default: screen.show(answer, isInterrupted: isInterrupted)
      }
      guard Interruption.isRequested else { continue }
      guard input.isInteractive else { return .interrupted }
      Interruption.forget()
    }
    return Interruption.isRequested ? .interrupted : nil
  }

  private static func plan(
    _ arguments: ParsedArguments, _ capture: CaptureRequest, _ console: Console
  ) throws(UsageFailure) -> ShellSession.Plan {
    var settings = RunSettings()
    settings.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    settings.isUncovered = capture.isUncovered
    settings.faults = try RunRequest.faults(arguments)
    let isReal = arguments.value(BenchFiles.declaration.name) != nil || arguments.value("--controller") != nil
    if isReal {
      if arguments.value("--profile") != nil || !settings.faults.isEmpty {
        throw UsageFailure("--profile and --fault are for simulated recorders; leave out --bench and --controller")
      }
      var target = try BenchFiles.target(arguments)
      target.notes = OpeningNotes { console.note($0) }
      settings.hardware = target
    } else {
      for option in ["--device", AdapterOptions.take.name, AdapterOptions.quirks.name, BenchLocks.waiting.name]
      where arguments.isSet(option) {
        throw UsageFailure("\(option) needs --bench or --controller: without them the recorder is simulated")
      }
      if capture.isLive {
        throw UsageFailure("--capture - needs a session in real time: --bench or --controller; or name a file")
      }
    }
    settings.profile = ModelOptions.profile(arguments)
    settings.phone = PhoneProfileOption.phone(arguments)
    let catalogue = try Vocabularies.catalogue()
    settings.catalogue = catalogue
    let (sounds, firmware) = (SoundFiles(), FirmwareFiles())
    return ShellSession.Plan(
      settings, Vocabularies.vocabulary(of: catalogue, sounds, firmware),
      fragments: try ScenarioFiles.read(["scenarios/fragments"]), sounds: sounds, firmware: firmware, place: "shell")
  }
}
