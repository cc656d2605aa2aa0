import Verdicts

/// `dictobench dissector`
enum DissectorCommand: Command {
  static let declaration = CommandDeclaration(
    "dissector", "Prints a Lua dissector of the recorder's protocol for Wireshark and tshark.",
    options: [
      OptionDeclaration("--out", "Write it to this file, such as one in Wireshark's plugin folder.", value: "FILE")
    ], example: "dictobench dissector --out ~/.local/lib/wireshark/plugins/dictofun.lua")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let text = LuaDissector.text
    guard let path = arguments.value("--out") else {
      console.out(text)
      return .passed
    }
    try OutputFile.write(text, to: path)
    return .passed
  }
}
