import Foundation
import TestThreads
import Testing

/// What shells complete, asked of the shells themselves.
@Suite(.waits) struct Completions {
  /// The words on the line; the last one is completed. What must be offered, and what must not.
  static let lines: [(words: [String], offered: [String], missing: [String])] = [
    (["r"], ["run", "replay", "records"], ["list", "setup"]),
    (["help", "exp"], ["explain"], ["run"]),
    (["run", "--ta"], ["--target", "--tag", "--take"], ["--seed"]),
    (["run", "--target", ""], ["simulated", "image", "hardware", "app"], ["--seed"]),
    (["run", "--report", "j"], ["junit"], ["summary"]),
    (["fts", ""], ["list", "info", "status"], ["run"]),
    (["completions", ""], ["bash", "zsh", "fish"], []),
    (["run", "--bench", "bench/si"], ["bench/simulated.yaml"], ["bench/example.yaml"]),
    (["lint", "scenarios/requi"], ["scenarios/requirements.yaml"], ["scenarios/faults.yaml"]),
    (["check", "bench/si"], ["bench/simulated.yaml"], []),
    (["run", "--cut-power-within", "bench/si"], [], ["bench/simulated.yaml"]),
    (["prove", "--records", "bench/si"], [], ["bench/simulated.yaml"]),
    (["gatt", "--hel"], ["--help"], []),
  ]

  private static func has(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }
  private static let hasZsh = has("/usr/bin/zsh")
  private static let hasFish = has("/usr/bin/fish")

  /// Runs a script of a shell in which `$0` is the file with completions; the words it prints, one a line.
  private func ask(_ shell: String, _ script: String, _ words: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "_dictobench", Tool.run(["completions", String(shell.split(separator: "/").last ?? "")]).output)
    let outcome = try Tool.run([], within: [shell, "-c", script, file] + words)
    #expect(outcome.trouble.isEmpty, "\(outcome.trouble)")
    return outcome.output.split { $0 == "\n" || $0 == "\r\n" }.map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private func compare(_ found: [String], _ index: Int) {
    let (words, offered, missing) = Self.lines[index]
    for word in offered { #expect(found.contains(word), "\(words): \(found)") }
    for word in missing { #expect(!found.contains(word), "\(words): \(found)") }
  }

  @Test(arguments: lines.indices) func bashCompletes(_ index: Int) throws {
    // The last of the words is the tool itself, which is not part of the line.
    let script = #"""
      set -u
      source "$0"
      COMP_WORDS=(dictobench "${@:1:$# - 1}")
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      _dictobench
      printf '%s\n' "${COMPREPLY[@]+"${COMPREPLY[@]}"}"
      """#
    compare(try ask("/bin/bash", script, Self.lines[index].words), index)
  }

  @Test func bashSplitsAtEqualsSigns() throws {
    let script =
      #"source "$0"; COMP_WORDS=(dictobench run --target = s); COMP_CWORD=4; _dictobench; echo "${COMPREPLY[@]}""#
    #expect(try ask("/bin/bash", script, []) == ["simulated"])
  }

  @Test(.enabled(if: hasFish), arguments: lines.indices) func fishCompletes(_ index: Int) throws {
    let line = (["dictobench"] + Self.lines[index].words).joined(separator: " ")
    let folder = try TemporaryFolder()
    let file = try folder.write("dictobench.fish", Tool.run(["completions", "fish"]).output)
    let script = "source \(file); complete -C '\(line)' | string split -f1 \\t"
    let outcome = try Tool.run([], within: ["/usr/bin/fish", "--no-config", "-c", script])
    #expect(outcome.trouble.isEmpty, "\(outcome.trouble)")
    compare(outcome.output.split(separator: "\n").map(String.init), index)
  }

  /// zsh completes only at a terminal: one is given to it, and what it lists is read.
  @Test(
    .enabled(if: hasZsh),
    arguments: [
      ("dictobench run --target im", "dictobench run --target image"), ("dictobench expla", "dictobench explain"),
      ("dictobench help expla", "dictobench help explain"), ("dictobench fts comp", "dictobench fts complete"),
      ("dictobench run --until-f", "dictobench run --until-fail"),
      ("dictobench lint scenarios/requ", "dictobench lint scenarios/requirements.yaml"),
      ("dictobench run --bench bench/si", "dictobench run --bench bench/simulated.yaml"),
    ]) func zshCompletes(_ typed: String, _ expected: String) throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write("_dictobench", Tool.run(["completions", "zsh"]).output)
    let script = #"""
      zmodload zsh/zpty
      zpty shell zsh -f -i
      zpty -w shell "PS1=; unset zle_bracketed_paste; autoload -U compinit; compinit -u -D; source $1; bindkey '^I' complete-word"
      zpty -w shell "show() { print -r -- \"<\$BUFFER>\"; exit }; zle -N show; bindkey '^X' show; print -r re''ady"
      while zpty -r shell line; do [[ $line == *ready* ]] && break; done
      zpty -n -w shell "$2"$'\t'
      zpty -n -w shell $'\x18'
      while zpty -r shell line; do [[ $line == *\<* ]] && print -r -- "$line" && break; done
      """#
    let outcome = try Tool.run(
      [], within: ["/usr/bin/timeout", "20", "/usr/bin/zsh", "-f", "-c", script, "zsh", file, typed])
    let shown = outcome.output.replacing("\u{1B}[K", with: "")
    #expect(shown.contains("<\(expected) >") || shown.contains("<\(expected)>"), "\(outcome.output) \(outcome.trouble)")
  }
}

/// The manual page.
@Suite(.waits) struct Manuals {
  private static let linter = "/usr/bin/mandoc"

  private func page(_ environment: [String: String] = ["SOURCE_DATE_EPOCH": "1704067200"]) throws -> String {
    let outcome = try Tool.run(["manual"], environment: environment)
    #expect(outcome.status == 0)
    return outcome.output
  }

  @Test func itNamesEveryCommandAndOption() throws {
    let page = try page()
    #expect(page.contains(#".TH DICTOBENCH 1 "2024-01-01" "dictobench 0.1.0""#))
    #expect(try self.page([:]).contains(#".TH DICTOBENCH 1 "" "dictobench"#), "no date is better than a wrong one")
    for command in Help.commands {
      #expect(page.contains("\n.SS \(command)\n"))
      let help = try Tool.run(["help", command]).output
      let options = help.split(separator: "\n").filter { $0.hasPrefix("  --") }.compactMap {
        $0.split(separator: " ").first
      }
      for option in options {
        #expect(page.contains("\n\\fB\(option.replacing("-", with: "\\-"))"), "\(command) \(option)")
      }
    }
  }

  @Test func itsExitCodesAreThoseOfTheReadme() throws {
    let page = try page()
    let readme = try String(contentsOf: Tool.repository.appending(path: "README.md"), encoding: .utf8)
    let rows = readme.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.dropFirst(2).first?.isNumber == true }
    #expect(rows.count == 8)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces).replacing("*", with: "") }
      #expect(page.contains("\n\\fB\(cells[0])\\fR\n\(cells[1].replacing("-", with: "\\-"))\n"), "\(row)")
    }
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: linter))) func mandocFindsNothingWrong() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("dictobench.1", page())
    let outcome = try Tool.run([], within: ["/bin/bash", "-c", #"mandoc -Tlint -Wwarning "$1""#, "bash", file])
    #expect(!outcome.output.contains("dictobench.1:"), "\(outcome.output)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man"))) func manShowsItWithoutWarnings()
    throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write("dictobench.1", page())
    let outcome = try Tool.run(
      [], within: ["/bin/bash", "-c", #"man --warnings -E UTF-8 -l "$1""#, "bash", file],
      environment: ["LC_ALL": "C.UTF-8", "MANWIDTH": "80"])
    #expect(outcome.trouble.isEmpty, "\(outcome.trouble)")
    #expect(outcome.output.contains("EXIT STATUS"))
  }
}
