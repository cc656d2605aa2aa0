import Foundation
import Verdicts

/// `dictobench dissector`
enum DissectorCommand: Command {
  static let declaration = CommandDeclaration(
    "dissector", "Prints a dissector in Lua, with which Wireshark and tshark understand what recorders say.",
    options: [
      OptionDeclaration("--out", "Where to write it, such as Wireshark's folder of plugins.", value: "FILE")
    ], example: "dictobench dissector --out ~/.local/lib/wireshark/plugins/dictofun.lua")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    let text = LuaDissector.text
    guard let path = arguments.value("--out") else {
      console.out(text)
      return .passed
    }
    do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
      throw UsageFailure("\(path) cannot be written: \(error.localizedDescription)")
    }
    return .passed
  }
}
