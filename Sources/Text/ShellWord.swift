/// Words of commands that people paste into a shell.
package enum ShellWord {
  /// A word as a shell reads it back: in quotes where it has other characters than those of plain names and paths.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/.,:_-".contains($0)) }
    return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }
}
