import Bench
import Reports
import Verdicts
import Session
import Transports
import World

/// `dictobench simulate`
enum SimulateCommand: Command {
  static let declaration = CommandDeclaration(
    "simulate", "Serves simulated recorders to another Bluetooth host. Verbs and keys on standard input steer them.",
    options: SimulateOptions.all,
    example: "dictobench simulate --listen tcp-server:127.0.0.1:9001 --count 2")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let request = try SimulateRequest(arguments)
    // A recorder on a controller keeps others off it; one that plays a bench is what that bench's runs are about.
    let isBenchUsed = request.plan.controller != nil && request.plan.bench == nil
    return try BenchLocks.holding(arguments, console, if: isBenchUsed) { try serve(request, console) }
  }

  private static func serve(_ request: SimulateRequest, _ console: Console) throws -> ExitCode {
    let console = request.capture.console(console)
    let screen = SimulationScreen(console)
    let session = SimulationSession(
      request.plan, interruption: SignalInterruption(),
      capture: { try request.capture.open(note: request.note, on: $0, console) }, tell: { screen.show($0) })
    screen.input = { [weak session] handler in session.map { TerminalInput(on: $0.loop, handler) } }
    screen.order = { [weak session] line in session?.take(line) }
    defer { screen.close() }
    do {
      return screen.show(try session.run())
    } catch let contradiction as SimulationPlan.Contradiction {
      throw UsageFailure(SimulationScreen.sentence(contradiction))
    } catch let trouble as MemoryTrouble {
      throw UsageFailure("\(trouble)")
    } catch let failure as ReportFailure {
      throw UsageFailure("\(failure)")
    } catch let failure as TransportFailure {
      console.complain("\(failure)")
      return .benchFailed
    } catch ControlFailure.bench(let fault) {
      console.complain(fault.description)
      return .benchFailed
    }
  }
}
