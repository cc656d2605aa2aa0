import Bench
import Session
import Text
import Transports
import Verdicts

/// `dictobench serve-controller`
enum ServeControllerCommand: Command {
  private static let usualPlace = "tcp-server:127.0.0.1:9001"

  static let declaration = CommandDeclaration(
    "serve-controller", "Serves a controller of this machine to dictobench, or another Bluetooth host, elsewhere.",
    operands: "[SPEC]", operandLimit: 1,
    options: [
      OptionDeclaration(
        "--listen",
        "Where hosts come, such as tls-server:_:9001,bench.key (default: \(usualPlace)). Other machines are let in only "
          + "with a key.", value: "SPEC", repeats: true),
      OptionDeclaration(
        "--fault",
        "Pass one event in \(EventRelay.rarity) on badly, to see that a run blames the bench for it and not the recorder.",
        choices: EventFault.allCases.map(\.rawValue)),
      OptionDeclaration("--seed", "The seed by which events are chosen for that (default: 1).", value: "N"),
      AdapterOptions.take, AdapterOptions.quirks, BenchLocks.waiting,
    ],
    example: "dictobench serve-controller usb:0 --listen tls-server:_:9001,bench.key")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let places = arguments.allValues("--listen")
    var plan = ControllerService.Plan(
      controller: try controller(arguments), opening: try AdapterOptions.opening(arguments, try bench(arguments)),
      listens: try (places.isEmpty ? [usualPlace] : places).map(TransportOptions.specification))
    plan.fault = arguments.value("--fault").flatMap(EventFault.init)
    plan.seed = try arguments.number("--seed", in: 0...UInt64.max) ?? 1
    for place in plan.listens where !place.isServer {
      throw UsageFailure("--listen needs a place where hosts come, such as \(usualPlace), not \(place)")
    }
    return try serve(plan, arguments, console)
  }

  private static func serve(
    _ plan: ControllerService.Plan, _ arguments: ParsedArguments, _ console: Console
  ) throws -> ExitCode {
    try BenchLocks.holding(arguments, console, controller: plan.controller) {
      let service = ControllerService(plan, interruption: SignalInterruption()) { show($0, plan.controller, console) }
      do throws(TransportFailure) { try service.run() } catch {
        console.complain("\(error)")
        if case .exposed = error { return .usage }
        return .benchFailed
      }
      return .interrupted
    }
  }

  private static func controller(_ arguments: ParsedArguments) throws(UsageFailure) -> TransportSpecification {
    if let stated = arguments.operands.first { return try TransportOptions.specification(stated) }
    if let remembered = try bench(arguments)?.adapters.first { return remembered }
    throw UsageFailure("serve-controller needs a controller, such as usb:0; `dictobench setup` remembers one")
  }

  /// The remembered bench, where its controller is served.
  private static func bench(_ arguments: ParsedArguments) throws(UsageFailure) -> BenchFile? {
    arguments.operands.isEmpty ? try BenchFiles.remembered() : nil
  }

  private static func show(
    _ event: ControllerService.Event, _ controller: TransportSpecification, _ console: Console
  ) {
    switch event {
    case .note(let sentence): console.note(PlainText.escaped(sentence))
    case .listening(let place): console.out("\(controller) at \(place)")
    case .ready: console.out("ready")
    case .hostCame: console.note("a host uses the controller")
    case .hostLeft: console.note("the host has left")
    case .strangerRefused: console.note("refused: somebody came who does not have the key")
    case .controllerLost(let reason):
      console.note("\(PlainText.escaped(reason)); \(controller) is opened again when it is back")
    }
  }
}
