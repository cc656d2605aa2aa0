import Bench
import Bytes
import Foundation
import System
import Transports
import Verdicts
import World

/// `dictobench setup`
enum SetupCommand: Command {
  static let declaration = CommandDeclaration(
    "setup", "Asks once what stands on the bench, and remembers it for every command.",
    options: [
      OptionDeclaration("--controller", "The controller, where it is none that can be seen here.", value: "SPEC"),
      OptionDeclaration("--bench", "Write the bench to this file instead, and remember nothing.", value: "FILE"),
    ],
    example: "dictobench setup")

  /// How long recorders are listened for: they advertise every 125 ms.
  private static let span = Duration.seconds(3)

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let controller = try arguments.value("--controller").map { text throws(UsageFailure) in
      do { return try TransportSpecification(parsing: text) } catch { throw UsageFailure("\(error)") }
    }
    guard let answers = AnswerReader() else {
      throw UsageFailure(
        "setup is a conversation, and in CI nobody answers; write a bench file, and name it by --bench")
    }
    let path = arguments.value("--bench") ?? UserFolders.bench
    if FileManager.default.fileExists(atPath: path) { console.note("\(path) is there already, and will be replaced.") }
    var conversation = SetupConversation(
      adapters: controller == nil ? AdapterSurvey.ofThisMachine().choices : [], lines: serialLines,
      place: ProcessInfo.processInfo.hostName, controller: controller)
    var inputs = [SetupInput.begin]
    while let input = inputs.popLast() {
      var effects: [SetupEffect] = []
      conversation.handle(input, &effects)
      for effect in effects {
        switch effect {
        case .say(let text): console.note(text)
        case .ask(let text):
          console.progress(text)
          guard let line = answers.line() else {
            throw UsageFailure("nobody answered, so nothing was changed; run setup in a terminal")
          }
          inputs = [.line(line)]
        case .listen(let controller): inputs = [listen(controller, console)]
        case .identify(let line): inputs = [identify(line)]
        case .keep(let draft): return try keep(draft, path, console)
        case .quit(let end): return quit(end, console)
        }
      }
    }
    return .internalError
  }

  /// Serial lines by names that stay.
  private static var serialLines: [String] {
    SystemTree.machine.names("/dev/serial/by-id").map { "/dev/serial/by-id/\($0)" }
  }

  private static func listen(_ controller: TransportSpecification, _ console: Console) -> SetupInput {
    console.note("Listening …")
    do throws(ControlFailure) {
      return .heard(try RadioLook(controller, listening: span).sightings, trouble: nil)
    } catch { return .heard([], trouble: sentence(error)) }
  }

  private static func identify(_ line: LineResource) -> SetupInput {
    do throws(ControlFailure) { return .identified(try InstrumentLook.supply(at: line), trouble: nil) } catch {
      return .identified(nil, trouble: sentence(error))
    }
  }

  private static func sentence(_ failure: ControlFailure) -> String {
    if case .bench(let sentence) = failure { sentence } else { "\(failure)" }
  }

  private static func keep(_ draft: BenchDraft, _ path: String, _ console: Console) throws -> ExitCode {
    do {
      let folder = URL(filePath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(draft.yaml.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch { throw UsageFailure("\(path) cannot be written: \(error.localizedDescription)") }
    console.out(path)
    console.note("Remembered. `dictobench doctor` says whether it is ready.")
    return .passed
  }

  private static func quit(_ end: SetupEnd, _ console: Console) -> ExitCode {
    switch end {
    case .left:
      console.note("dictobench: nothing was changed")
      return .interrupted
    case .impossible(let sentence):
      console.note("dictobench: \(sentence)")
      return .benchFailed
    case .misunderstood:
      console.note("dictobench: too many answers meant nothing; nothing was changed")
      return .usage
    }
  }
}

/// Reads answers from standard input, and never waits for ever.
private final class AnswerReader {
  /// Octets of one line; a longer one is cut.
  private static let lineLimit = 4_096
  /// Octets that may come without the end of a line.
  private static let inputLimit = 1 << 20
  /// Milliseconds that a person may think, and that a script may take.
  private static let humanPatience: Int32 = 1_800_000
  private static let scriptPatience: Int32 = 10_000

  private let patience: Int32
  private var rest: [UInt8] = []

  /// `nil` in continuous integration, where nobody answers.
  init?() {
    guard (ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty else { return nil }
    patience = isatty(STDIN_FILENO) == 1 ? Self.humanPatience : Self.scriptPatience
  }

  /// The next line without its end; `nil` when none comes.
  func line() -> String? {
    while true {
      if let end = rest.firstIndex(of: 0x0A) {
        let line = rest[..<end].prefix(Self.lineLimit)
        rest.removeFirst(end + 1)
        return String(decoding: line, as: UTF8.self)
      }
      let input = FileDescriptor.standardInput
      guard rest.count < Self.inputLimit, input.isReady(for: .readable, within: patience),
        let octets = try? input.read(upTo: Self.lineLimit), !octets.isEmpty
      else { return nil }
      rest += octets
    }
  }
}
