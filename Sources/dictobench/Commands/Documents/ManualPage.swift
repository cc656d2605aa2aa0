import Verdicts

/// The manual page of the tool, for man(7).
enum ManualPage {
  /// The page. `date` is that of the program, as `2024-01-31`; empty where it is not known.
  static func text(_ commands: [CommandDeclaration], date: String) -> String {
    var lines = [
      ".\\\" Made by `dictobench manual`.",
      ".TH DICTOBENCH 1 \"\(date)\" \"dictobench \(Tool.version)\"",
      ".SH NAME", "dictobench \\- tests the firmware of the voice recorder Dictofun",
      ".SH SYNOPSIS",
    ]
    lines += synopsis(["COMMAND [options] \u{2026}", "help [COMMAND]", "--version"])
    lines += [".SH DESCRIPTION", escaped(Dispatcher.purpose)]
    lines += [".SH COMMANDS"] + commands.flatMap(section)
    lines += [".SH EXIT STATUS"] + ExitCode.allCases.flatMap { item("\($0.rawValue)", $0.meaning) }
    lines += [".SH ENVIRONMENT"] + environment.flatMap { item($0.name, $0.meaning) }
    lines += [".SH FILES"] + files.flatMap { item($0.path, $0.meaning) }
    return lines.joined(separator: "\n")
  }

  private static let environment: [(name: String, meaning: String)] = [
    ("DICTOBENCH_BENCH", "The bench file to use when none is named."),
    ("CI", "Nobody is asked anything, and progress is not animated."),
    ("CI_NODE_INDEX, CI_NODE_TOTAL", "The part of the scenarios that is run, where --shard is not given."),
    ("GITHUB_ACTIONS, GITHUB_STEP_SUMMARY", "Annotations and a summary are written for GitHub."),
    ("COLUMNS", "Characters of a line; otherwise those of the terminal, or 80."),
    ("NO_COLOR, FORCE_COLOR", "Words are never coloured, or also where the stream is not a terminal."),
    ("XDG_STATE_HOME, XDG_CONFIG_HOME", "The folders of the user's state and configuration."),
  ]

  private static let files: [(path: String, meaning: String)] = [
    ("../share/dictobench", "Beside the folder of the program: scenarios, requirements, sounds, firmware and benches."),
    ("~/.config/dictobench/bench.yaml", "The bench that `dictobench setup` remembers."),
    ("~/.local/state/dictobench", "The phone's library and bonds, and the last good run on each bench."),
  ]

  private static func synopsis(_ forms: [String]) -> [String] {
    forms.enumerated().flatMap { index, form in
      (index == 0 ? [] : [".br"]) + [".B dictobench", escaped(form)]
    }
  }

  private static func section(_ command: CommandDeclaration) -> [String] {
    var lines = [".SS \(command.name)", escaped(command.summary), ".PP"] + synopsis(command.forms)
    lines += command.allOptions.flatMap { item($0.label, $0.documentation) }
    return lines + [".PP", "Example:", ".PP", ".nf", ".RS 4", escaped(command.example), ".RE", ".fi"]
  }

  private static func item(_ head: String, _ text: String) -> [String] {
    [".TP", "\\fB\(escaped(head))\\fR", escaped(text)]
  }

  /// Text in which nothing is an order to the formatter, and every sentence begins a line.
  private static func escaped(_ text: String) -> String {
    let body = text.map { character in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "\"": "\\(dq"
      case "~": "\\(ti"
      case "^": "\\(ha"
      default: String(character)
      }
    }.joined()
    let start = body.hasPrefix(".") ? "\\&" + body : body
    return start.replacing(". ", with: ".\n")
  }
}
