/// Completions for bash 4.4 and later, without help from other packages.
enum BashCompletion {
  /// What bash reads.
  static func text(_ commands: [CommandDeclaration]) -> String {
    """
    # Completions of dictobench for bash, made by `dictobench completions bash`.
    _dictobench() {
      local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
      local options='--help' words='' paths='' values=''
      # Bash splits --option=value at the equals sign.
      if [ "$word" = = ]; then
        word=''
      elif [ "$option" = = ]; then
        option=${COMP_WORDS[COMP_CWORD - 2]}
      fi
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W '\(names(commands)) \(Dispatcher.globalWords.joined(separator: " "))' -- "$word")
        return
      fi
      case $command in
        help) words='\(names(commands))' ;;
    \(commands.map(branch).joined(separator: "\n"))
        *) return ;;
      esac
      case $values in
        '') ;;
        file | folder) paths=$values words='' ;;
        text) return ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word"); return ;;
      esac
      if [ -z "$values" ] && [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
        return
      fi
      mapfile -t COMPREPLY < <(
        compgen -W "$words" -- "$word"
        case $paths in
          file) compgen -f -- "$word" ;;
          folder) compgen -d -- "$word" ;;
        esac
      )
      [ -z "$paths" ] || compopt -o filenames 2> /dev/null
    }
    complete -F _dictobench dictobench
    """
  }

  private static func names(_ commands: [CommandDeclaration]) -> String {
    commands.map(\.name).joined(separator: " ")
  }

  /// What a command sets: its options, operands, and what the option before the cursor takes.
  private static func branch(_ command: CommandDeclaration) -> String {
    var lines = ["    \(command.name))"]
    lines.append("      options='\(command.allOptions.map(\.name).joined(separator: " "))'")
    if !command.literalOperands.isEmpty {
      lines.append("      words='\(command.literalOperands.joined(separator: " "))'")
    }
    if command.takesPaths { lines.append("      paths=file") }
    let values = command.options.compactMap { option in
      option.valueKind.map { "        \(option.name)) values='\(word(for: $0))' ;;" }
    }
    if !values.isEmpty { lines += ["      case $option in"] + values + ["      esac"] }
    return (lines + ["      ;;"]).joined(separator: "\n")
  }

  private static func word(for kind: OptionDeclaration.ValueKind) -> String {
    switch kind {
    case .choices(let words): words.joined(separator: " ")
    case .file: "file"
    case .folder: "folder"
    case .text: "text"
    }
  }
}
