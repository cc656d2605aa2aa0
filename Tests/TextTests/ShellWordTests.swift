import Testing

@testable import Text

@Suite struct ShellWords {
  @Test(arguments: [
    ("found/explored-1-9.yaml", "found/explored-1-9.yaml"), ("tcp-client:127.0.0.1:9001", "tcp-client:127.0.0.1:9001"),
    ("a b", "'a b'"), ("it's", #"'it'\''s'"#), ("$HOME", "'$HOME'"), ("é", "'é'"), ("", "''"), ("~", "'~'"),
  ]) func areReadBackByAShell(_ word: String, _ quoted: String) { #expect(ShellWord.quoted(word) == quoted) }
}
