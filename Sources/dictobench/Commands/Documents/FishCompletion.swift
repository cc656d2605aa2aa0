/// Completions for fish.
enum FishCompletion {
  /// What fish reads.
  static func text(_ commands: [CommandDeclaration]) -> String {
    let names = commands.map(\.name).joined(separator: " ")
    return """
      # Completions of dictobench for fish, made by `dictobench completions fish`.
      function __dictobench_command
          set -l words (commandline -opc)
          test (count $words) -gt 1; and test "$words[2]" = "$argv[1]"
      end
      function __dictobench_begins
          test (count (commandline -opc)) -eq 1
      end
      complete -c dictobench -f
      complete -c dictobench -n __dictobench_begins -l help -d 'Show the commands.'
      complete -c dictobench -n __dictobench_begins -l version -d 'Show version, commit and data.'
      complete -c dictobench -n __dictobench_begins -a help -d 'Shows the help of a command.'
      complete -c dictobench -n '__dictobench_command help' -a '\(names)'
      \(commands.map(lines).joined(separator: "\n"))
      """
  }

  private static func lines(_ command: CommandDeclaration) -> String {
    let within = "complete -c dictobench -n '__dictobench_command \(command.name)'"
    var lines = ["complete -c dictobench -n __dictobench_begins -a \(command.name) -d '\(escaped(command.summary))'"]
    if !command.literalOperands.isEmpty {
      lines.append("\(within) -a '\(command.literalOperands.joined(separator: " "))'")
    }
    if command.takesPaths { lines.append("\(within) -F") }
    lines += command.allOptions.map { option in
      "\(within) -l \(option.name.drop { $0 == "-" })\(value(option)) -d '\(escaped(option.documentation))'"
    }
    return lines.joined(separator: "\n")
  }

  private static func value(_ option: OptionDeclaration) -> String {
    switch option.valueKind {
    case nil: ""
    case .choices(let words): " -x -a '\(words.joined(separator: " "))'"
    case .file: " -r -F"
    case .folder: " -x -a '(__fish_complete_directories)'"
    case .text: " -x"
    }
  }

  /// Text inside single quotes.
  private static func escaped(_ text: String) -> String {
    text.map { $0 == "'" || $0 == "\\" ? "\\" + String($0) : String($0) }.joined()
  }
}
