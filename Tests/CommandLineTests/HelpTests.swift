import TestThreads
import Testing

@Suite(.waits) struct Help {
  static let commands = [
    "run", "list", "lint", "explain", "schema", "dissector", "merge", "replay", "compare", "history", "session",
    "qualify",
    "check", "mutate", "explore", "turning-point", "prove", "bundle", "verify", "simulate", "serve-controller", "shell",
    "scan", "pair", "unpair", "records", "pull", "battery", "time", "gatt", "fts", "probe", "dfu",
    "doctor", "setup",
    "completions", "manual",
  ]

  @Test func theOverviewNamesEveryCommand() throws {
    let outcome = try Tool.run(["--help"])
    #expect(outcome.status == 0)
    #expect(outcome.trouble.isEmpty)
    try Tool.expect(outcome.output, equals: "help/dictobench.txt")
    // What is continued on a line of its own stands further to the right.
    let entries = outcome.output.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
    #expect(try Tool.run(["help"]).output == outcome.output)
    let listed = entries.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(listed == Self.commands)
  }

  @Test(arguments: commands) func everyCommandExplainsItself(command: String) throws {
    let outcome = try Tool.run([command, "--help"])
    #expect(outcome.status == 0)
    #expect(outcome.trouble.isEmpty)
    #expect(outcome.output.contains("example:\n  dictobench \(command)"))
    #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 }, "a terminal has 80 columns")
    try Tool.expect(outcome.output, equals: "help/\(command).txt")
    #expect(try Tool.run(["help", command]).output == outcome.output)
  }

  /// Names of options and examples are not broken, however narrow a terminal is.
  @Test(arguments: [40, 60, 120]) func helpIsAsWideAsTheTerminal(width: Int) throws {
    for words in [["help"], ["help", "run"], ["explain", "given", "device"]] {
      let text = try Tool.run(words, environment: ["COLUMNS": String(width)]).output
      let lines = text.split(separator: "\n").drop { $0 == "usage:" }
      let long = lines.filter { $0.count > width && !$0.contains("  --") && !$0.contains("dictobench ") }
      #expect(long.isEmpty, "\(long)")
      #expect(lines.contains { $0.count > width * 4 / 5 }, "\(words)")
    }
    let terminal = try Tool.run(["help"], within: TerminalShell.around("stty cols \(width); \"$@\""))
    let plain = try Tool.run(["help"], environment: ["COLUMNS": String(width)])
    #expect(terminal.output.replacing("\r\n", with: "\n") == plain.output)
  }

  @Test func withoutWordsTheOverviewIsAnError() throws { #expect(try Tool.run([]).status == 2) }
}

@Suite(.waits) struct Usage {
  /// What is typed, and what the complaint must say.
  static let mistakes: [(words: [String], complaint: String)] = [
    (["rnu"], "unknown command rnu; did you mean run?"), (["help", "rnu"], "unknown command rnu; did you mean run?"),
    (["version"], "unknown command version; did you mean --version?"),
    (["--versin"], "unknown command --versin; did you mean --version?"),
    (["-V"], "unknown command -V; did you mean --version?"),
    (["completions"], "completions needs a shell: bash, zsh or fish"),
    (["completions", "fis"], "unknown shell fis; expected bash, zsh or fish; did you mean fish?"),
    (["explore", "--budget", "soon"], "--budget needs a duration from 1 s to 30 d, such as 10s, not \"soon\""),
    (["explore", "--budget", "1s", "--runs", "2"], "--budget and --runs exclude each other"),
    (["explore", "--published", "link-los"], "unknown behaviour link-los; expected pairing, unpairing"),
    (["explore", "--published", "link-los"], "did you mean link-loss?"),
    (["explore", "--fault", "recorder:deaf"], "unknown fault recorder:deaf"),
    (["mutate", "--only", "battery"], "--only chooses among generated faults: add --generated"),
    (["mutate", "--generated", "--only", "recorde "], "no generated fault contains recorde "),
    (["prove", "--records", "1,x"], "--records needs at most 3 numbers from 0 to 4096, such as 300,40"),
    (["prove", "--records", "1,2,3,4"], "--records needs at most 3 numbers"),
    (["prove", "--disturbances", "9"], "--disturbances needs a whole number from 0 to 8, or any, not \"9\""),
    (["prove", "--fault", "air:dead"], "a proof has no air: plant a fault of recorder or phone"),
    (["prove", "--check", "nowhere"], "cannot read nowhere"),
    (["prove", "--check", "Tests"], "cannot read Tests: Is a directory"),
    (["run", "--sede=3"], "unknown option --sede for run; did you mean --seed?"),
    (["run", "--seed"], "--seed needs a value: N"),
    (["run", "--seed=three"], "--seed needs a whole number from 0 to 18446744073709551615, not \"three\""),
    (["run", "--seed", "1", "--seed", "2"], "--seed may be given only once"),
    (["run", "--require-all=yes"], "--require-all does not take a value"),
    (["run", "--profile", "referense"], "did you mean reference?"),
    (["run", "--fault", "phone:skip-battery-read"], "did you mean phone:skips-battery-read?"),
    (["run", "--fault", "list-count-off-by-one"], "did you mean recorder:list-count-off-by-one?"),
    (["run", "--fault", "recorder:list-count"], "did you mean recorder:list-count-off-by-one?"),
    (["run", "--tag", ""], "--tag: an empty text is not a tag expression: expected a tag"),
    (["run", "--tag", "smoke and"], "--tag: `smoke and` is not a tag expression: expected a tag, `not` or `(` at the"),
    (["run", "--shard", "3/2"], "--shard needs I/N with 1 ≤ I ≤ N, not \"3/2\""),
    (["run", "nowhere"], "no such file or folder: nowhere"),
    (["run", "\u{1B}[31mnowhere"], "no such file or folder: \\u{1B}[31mnowhere"),
    (["run", "--", "--seed"], "no such file or folder: --seed"),
    (["run", "--for", "soon"], "--for needs a duration from 1 s to 30 d, such as 10s, not \"soon\""),
    (["run", "--coverage", "cov.info"], "--coverage needs --target image"),
    (["run", "--target", "hardware"], "--target hardware needs --bench, or --controller"),
    (["run", "--bench", "bench/simulated.yaml"], "--bench needs --target hardware or --target app; `list --bench`"),
    (["run", "--controller", "usb:0"], "--controller needs --target hardware or --target app"),
    (["run", "--device", "C6:05:04:03:02:01"], "--device needs --target hardware"),
    (["run", "--device", "C6:05:04:03:02:01", "--target", "app"], "--device needs --target hardware"),
    (["run", "--quirks", "nowhere"], "--quirks needs --target hardware or --target app"),
    (["run", "--take"], "--take needs --target hardware or --target app"),
    (["run", "--packages", "nowhere"], "--packages needs --target image or --target hardware"),
    (["run", "--board", "s140"], "--board needs --target image"),
    (["run", "--wait-for-bench", "1s"], "--wait-for-bench needs --target hardware or --target app"),
    (
      ["run", "--target", "hardware", "--controller", "usb:0", "--profile", "firmware-1.4"],
      "--profile needs --target simulated or --target image or --target app"
    ),
    (
      ["run", "--target", "hardware", "--controller", "usb:0", "--fault", "recorder:list-count-off-by-one"],
      "--fault recorder:list-count-off-by-one cannot be used with --target hardware: only our phone is simulated"
    ),
    (["run", "scenarios/records", "--ledger", "/nowhere/l", "--run-id", ""], "--run-id needs a name"),
    (["run", ""], "run needs the name of a file or folder, not an empty one"),
    (["lint", ""], "lint needs the name of a file or folder, not an empty one"),
    (["list", "scenarios", ""], "list needs the name of a file or folder, not an empty one"),
    (["list", "--board", "s140"], "--board needs --image FILE"),
    (["list", "--packages", "nowhere"], "--packages needs --image FILE"),
    (["list", "--faults", "scenarios"], "--faults lists no scenarios; leave out scenarios"),
    (["list", "--faults", "--tag", "smoke"], "--tag cannot be used with --faults"),
    (["shell", "--device", "C6:05:04:03:02:01"], "--device needs --bench or --controller"),
    (["shell", "--take"], "--take needs --bench or --controller"),
    (["schema", "more"], "no document is named more; the documents are scenario, adapter-report, attestation"),
    (["explain", "phone", "sink"], "no word of the language is named phone sink"),
    (["simulate", "--listen", "tcp-client:127.0.0.1:9"], "--listen needs a place where hosts come"),
    (
      ["simulate", "--listen", "tcp-server:127.0.0.1:0", "--control", "unix:README.md"],
      "--control unix:README.md: the path exists and is not a socket"
    ),
    (["simulate", "--listen", "tcp-server:127.0.0.1:0", "--pace", "virtual"], "--pace virtual cannot be used"),
    (["simulate"], "--listen or --controller is needed"),
    (["simulate", "--listen", "tcp-server:127.0.0.1:0", "--profile", "referense"], "did you mean reference?"),
    (["simulate", "--listen", "tcp-server:127.0.0.1:0", "--profile", "no.yaml"], "cannot read no.yaml: no such file"),
    (["probe", "--twin", "referense"], "did you mean reference?"),
    (["probe", "--only", "keep-alife"], "unknown figure keep-alife; did you mean keep-alive?"),
    (
      ["simulate", "--controller", "tcp-client:127.0.0.1:9", "--count", "2"],
      "one controller has one host"
    ),
    (
      ["simulate", "--controller", "usb:0", "--listen", "tcp-server:127.0.0.1:0"],
      "--listen cannot be used with --controller"
    ),
    (
      ["simulate", "--controller", "usb:0", "--address", "11:22:33:44:55:66"], "--address needs a static random address"
    ),
    (["simulate", "--controller", "usb:0", "--firmware", "1.5"], "unknown release 1.5"),
    (["simulate", "--controller", "usb:0", "--firmware", "1.5.0", "--board", "s132-debug"], "1.5.0 is for s140"),
    (["check", "nowhere.btsnoop"], "nowhere.btsnoop"),
    (["replay", "nowhere"], "cannot read nowhere/summary.json: No such file"),
    (["gatt", "raed", "1"], "unknown action raed; did you mean read?"),
    (["gatt", "read"], "gatt read needs a handle"), (["gatt", "read", "0x1g"], "a handle is a number from 1 to 65535"),
    (["gatt", "write", "1", "0g"], "expected up to 512 octets in hexadecimal, such as 01ff, not \"0g\""),
    (["fts"], "fts needs a request: list, info"),
    (["fts", "raw", "0"], "such as 01, not \"0\""),
    (["fts", "info", "12"], "expected a record identifier of sixteen digits, not \"12\""),
    (["battery"], "--controller is needed"),
    (["time", "--controller", "usb:0", "--for", "soon"], "--for needs a duration from 100 ms to 1 h, such as 10s"),
    (
      ["pair", "--controller", "usb:0", "--device", "12"],
      "--device needs an address such as C6:05:04:03:02:01, not \"12\""
    ),
    (["replay"], "replay needs the folder"),
    (["dfu", "releases", "nowhere"], "cannot read nowhere/catalogue.json: No such file or directory"),
  ]

  @Test(arguments: mistakes.indices) func mistakesEndWithTwoAndOneSentence(_ index: Int) throws {
    let (words, complaint) = Self.mistakes[index]
    let outcome = try Tool.run(words)
    #expect(outcome.status == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
    #expect(outcome.trouble.hasPrefix("dictobench: "), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1)
  }

  @Test func bothFormsOfAnOptionMeanTheSame() throws {
    let attached = try Tool.run(["list", "--name=pairing-*", "--format=json"])
    #expect(attached.status == 0)
    #expect(attached.output.contains("\"pairing-once\""))
    #expect(try Tool.run(["list", "--name", "pairing-*", "--format", "json"]).output == attached.output)
  }

  @Test(arguments: ["misspelt-verb", "missing-unit", "unknown-capability"])
  func aWrongScenarioEndsWithTwoAndOneMessage(name: String) throws {
    let file = "Tests/CommandLineTests/Vectors/broken/\(name).yaml"
    for command in ["lint", "run"] {
      let outcome = try Tool.run([command, file])
      #expect(outcome.status == 2)
      #expect(outcome.output.isEmpty)
      try Tool.expect(Self.withoutLists(outcome.trouble), equals: "broken/\(name).txt")
    }
  }

  /// The message without the list of everything that would have been right, which grows with every verb.
  private static func withoutLists(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { $0.hasPrefix("  expected: `") ? "  expected: …" : String($0) }.joined(separator: "\n")
  }

  @Test func aSelectionOfNothingEndsWithFour() throws {
    #expect(try Tool.run(["run", "--name", "no-such-scenario"]).status == 4)
  }
}
