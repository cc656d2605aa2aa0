/// Completions for zsh, as a function file of its completion system.
enum ZshCompletion {
  /// What zsh reads.
  static func text(_ commands: [CommandDeclaration]) -> String {
    """
    #compdef dictobench
    # Completions of dictobench for zsh, made by `dictobench completions zsh`.
    _dictobench() {
      local -a commands
      commands=(
    \(commands.map { "    '\(escaped($0.name)):\(escaped($0.summary))'" }.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe -t commands command commands
        _arguments '--help[Show the commands.]' '--version[Show version, commit and data.]'
        return
      fi
      local command=$words[2]
      shift words
      (( CURRENT-- ))
      case $command in
        help) _describe -t commands command commands ;;
    \(commands.map(branch).joined(separator: "\n"))
      esac
    }
    if [ "$funcstack[1]" = _dictobench ]; then _dictobench "$@"; else compdef _dictobench dictobench; fi
    """
  }

  private static func branch(_ command: CommandDeclaration) -> String {
    var arguments = command.allOptions.map(argument)
    let literals = command.literalOperands
    if command.takesPaths || !literals.isEmpty {
      let words = literals.isEmpty ? "" : "'1:action:(\(literals.joined(separator: " ")))'"
      arguments += [words, command.takesPaths ? "'*:file:_files'" : ""].filter { !$0.isEmpty }
    }
    let lines = arguments.map { "      \($0)" }.joined(separator: " \\\n")
    return "    \(command.name)) _arguments -S \\\n\(lines) ;;"
  }

  private static func argument(_ option: OptionDeclaration) -> String {
    let repeats = option.repeats ? "*" : ""
    let text = "\(repeats)\(option.name)\(option.valueKind == nil ? "" : "=")[\(escaped(option.documentation))]"
    guard let kind = option.valueKind, let placeholder = option.placeholder else { return "'\(text)'" }
    let name = kind == .file || kind == .text || kind == .folder ? escaped(placeholder) : "value"
    return switch kind {
    case .choices(let words): "'\(text):\(name):(\(words.joined(separator: " ")))'"
    case .file: "'\(text):\(name):_files'"
    case .folder: "'\(text):\(name):_files -/'"
    case .text: "'\(text):\(name): '"
    }
  }

  /// Text inside single quotes, where colons and brackets have a meaning.
  private static func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "'": "'\\''"
      case "[", "]", ":", "\\": "\\" + String(character)
      default: String(character)
      }
    }.joined()
  }
}
