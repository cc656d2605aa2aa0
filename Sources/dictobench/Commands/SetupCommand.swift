import Text
import Bench
import Bytes
import Foundation
import Verdicts
import Session
import Transports

/// `dictobench setup`
enum SetupCommand: Command {
  static let declaration = CommandDeclaration(
    "setup", "Asks once what is on the bench, and remembers it for every command.",
    options: [
      OptionDeclaration("--controller", "The controller, if it cannot be found on this machine.", value: "SPEC"),
      OptionDeclaration("--bench", "Write the bench to this file, and do not remember it.", value: "FILE"),
    ],
    example: "dictobench setup")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let controller = try TransportOptions.specification(arguments, "--controller")
    guard let answers = AnswerReader() else {
      throw UsageFailure(
        "setup asks questions, and in CI nobody answers them; write a bench file and name it with --bench")
    }
    let path = try arguments.value("--bench") ?? UserFolders.bench
    if FileManager.default.fileExists(atPath: path) {
      console.note("\(PlainText.escaped(path)) exists and will be replaced.")
    }
    var session = SetupSession(
      SetupConversation(
        adapters: controller == nil ? AdapterSurvey.ofThisMachine().choices : [], lines: serialLines,
        place: ProcessInfo.processInfo.hostName, controller: controller),
      look: .live(knowing: try AdapterOptions.opening(arguments, nil).quirks), answer: answers.line
    ) { event in
      switch event {
      case .say(let text): console.note(text)
      case .ask(let text): console.progress(text)
      case .listening: console.note("Listening …")
      }
    }
    switch session.run() {
    case .keep(let draft): return try keep(draft, path, console)
    case .quit(let end): return quit(end, console)
    case .unanswered: throw UsageFailure("no answer came, so nothing was changed; run setup in a terminal")
    }
  }

  /// Serial lines by names that stay the same.
  private static var serialLines: [String] {
    SystemTree.machine.names("/dev/serial/by-id").map { "/dev/serial/by-id/\($0)" }
  }

  private static func keep(_ draft: BenchDraft, _ path: String, _ console: Console) throws -> ExitCode {
    do {
      let folder = URL(filePath: path).deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data(draft.yaml.utf8).write(to: URL(filePath: path), options: .atomic)
    } catch { throw UsageFailure("cannot write \(path): \(error.localizedDescription)") }
    console.out(PlainText.escaped(path))
    console.note("Remembered. `dictobench doctor` checks whether it is ready.")
    return .passed
  }

  private static func quit(_ end: SetupEnd, _ console: Console) -> ExitCode {
    switch end {
    case .left:
      console.complain("nothing was changed")
      return .interrupted
    case .impossible(let sentence):
      console.complain(sentence)
      return .benchFailed
    case .misunderstood:
      console.complain("too many answers could not be understood, so nothing was changed")
      return .usage
    }
  }
}
