import Recorder
import Session
import Verdicts

/// `dictobench gatt`
enum GATTCommand: Command {
  static let declaration = CommandDeclaration(
    "gatt", "Shows a recorder's attributes, reads and writes them, and subscribes to them.",
    operands: " | read HANDLE | write HANDLE HEX | subscribe HANDLE", operandLimit: 3,
    options: PhoneOptions.declarations + [
      OptionDeclaration(
        "--compare", "Compare the table with a simulated recorder's. Differences are listed, and the command fails.",
        choices: RecorderProfile.all.map(\.name)),
      OptionDeclaration("--without-response", "Make write use a command, which is not acknowledged."),
      OptionDeclaration("--for", "How long subscribe listens (default: 10 s).", value: "DURATION"),
    ], example: "dictobench gatt --controller tcp-client:127.0.0.1:9001 --compare reference")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let action = try AttributeAction(arguments)
    let profile = arguments.value("--compare").flatMap { RecorderProfile.named($0) }
    let command = try PhoneCommand("gatt", arguments, console)
    let screen = GATTScreen(output: command.output, profile: profile)
    do {
      return try command.run({ try await $0.perform(action) { screen.show($0) } }) { screen.show($0, of: action) }
    } catch let failure as NotSubscribable {
      throw UsageFailure("\(GATTText.handle(failure.handle)) does not offer notifications or indications")
    }
  }
}
