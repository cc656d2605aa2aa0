import FirmwareImages

extension ImageCoverage {
  /// Functions that are named among those that were never entered.
  private static let largestLimit = 10
  /// Scenarios that are named with what only they executed.
  private static let shareLimit = 10

  /// What to tell a person: how much was entered, the largest functions that never were, and what only one scenario
  /// executed.
  package var lines: [String] {
    let scenarios = Self.scenarios(scenarioCount)
    guard let instructions else {
      return [
        "coverage: \(entered) instructions of the firmware executed by \(scenarios); \(lack ?? "it has no symbols"), so "
          + "there are no lines and no functions"
      ] + alone + byRequirement
    }
    let called = functions.filter { $0.entered > 0 }.count
    var lines = [
      "coverage: \(Self.share(called, functions.count, "functions")) and "
        + "\(Self.share(entered, instructions, "instructions")) of the firmware entered by \(scenarios)"
    ]
    if let lack { lines.append("  lines are not available: \(lack)") }
    return lines + neverEntered + alone + byRequirement
  }

  /// How much was entered, in a few words for a line that tells of more.
  package var brief: String {
    guard let instructions else { return "\(entered) instructions" }
    return Self.share(entered, instructions, "instructions")
  }

  /// The largest functions that were never entered, a line each behind a line that says how many there are.
  package var neverEntered: [String] {
    let never = functions.filter { $0.entered == 0 && $0.instructions > 0 }
    let largest = never.sorted { ($1.instructions, $0.address) < ($0.instructions, $1.address) }
    guard !largest.isEmpty else { return [] }
    return ["  never entered, the largest of \(never.count) functions:"]
      + largest.prefix(Self.largestLimit).map { function in
        let line = image.symbols.lines.line(at: function.address).map { " (\($0.fileName):\($0.number))" } ?? ""
        return "    \(function.name)\(line), \(function.instructions) instructions"
      }
  }

  /// Why lines are missing, in the words of the image.
  private var lack: String? { image.symbols.lines.lack }

  private var alone: [String] {
    let shares = shares.enumerated().filter { $0.element.instructions > 0 }.sorted {
      ($1.element.instructions, $0.offset) < ($0.element.instructions, $1.offset)
    }.map(\.element)
    guard self.shares.count > 1, !shares.isEmpty else { return [] }
    return ["  executed by one scenario alone:"]
      + shares.prefix(Self.shareLimit).map {
        "    \(Self.share($0.instructions, entered, "instructions")) by \($0.name)"
      }
  }

  private var byRequirement: [String] {
    guard !requirements.isEmpty else { return [] }
    let whole = instructions ?? entered
    return ["  by the requirements that scenarios verify:"]
      + requirements.map {
        let share = Self.share($0.instructions, whole, "instructions")
        return "    \($0.name): \(share) by \(Self.scenarios($0.scenarios))"
      }
  }

  private static func scenarios(_ count: Int) -> String { count == 1 ? "1 scenario" : "\(count) scenarios" }

  private static func share(_ part: Int, _ whole: Int, _ noun: String) -> String {
    let tenths = whole > 0 ? part * 1_000 / whole : 0
    return "\(part) of \(whole) \(noun) (\(tenths / 10).\(tenths % 10) %)"
  }

  /// The coverage in the format of lcov (geninfo(1)): for every file its functions and lines, with the number of scenarios
  /// that entered them. Where the image has no lines, its functions stand under the image's own name.
  package var lcov: String {
    var sections: [[String]] = Array(repeating: [], count: image.symbols.lines.files.count)
    var rest: [String] = []
    var byFile: [[Function]] = Array(repeating: [], count: sections.count)
    var unplaced: [Function] = []
    let files = image.symbols.lines.files
    for function in functions {
      let file = image.symbols.lines.line(at: function.address).flatMap { line in files.firstIndex(of: line.file) }
      if let file { byFile[file].append(function) } else { unplaced.append(function) }
    }
    let lines = linesByFile
    for index in sections.indices where !lines[index].isEmpty || !byFile[index].isEmpty {
      sections[index] = section(files[index], byFile[index], lines[index])
    }
    if !unplaced.isEmpty, files.isEmpty { rest = section(image.name, unplaced, []) }
    return (sections.flatMap { $0 } + rest).map { $0 + "\n" }.joined()
  }

  /// Lines of each file in order, with how many scenarios executed something of them.
  private var linesByFile: [[(number: Int, count: Int)]] {
    var found: [[Int: Int]] = Array(repeating: [:], count: image.symbols.lines.files.count)
    for range in image.symbols.lines.ranges {
      var count = 0
      var address = UInt64(range.start & ~1)
      while address < UInt64(range.end), let place = UInt32(exactly: address), image.holds(place) {
        count = max(count, counts[place])
        address += 2
      }
      found[range.file][range.line] = max(found[range.file][range.line] ?? 0, count)
    }
    return found.map { lines in lines.map { (number: $0.key, count: $0.value) }.sorted { $0.number < $1.number } }
  }

  private func section(_ file: String, _ functions: [Function], _ lines: [(number: Int, count: Int)]) -> [String] {
    var text = ["TN:", "SF:" + Self.plain(file)]
    for function in functions {
      let line = image.symbols.lines.line(at: function.address)?.number ?? 0
      text.append("FN:\(line),\(Self.plain(function.name))")
    }
    text += functions.map { "FNDA:\($0.scenarios),\(Self.plain($0.name))" }
    text += ["FNF:\(functions.count)", "FNH:\(functions.count { $0.entered > 0 })"]
    text += lines.map { "DA:\($0.number),\($0.count)" }
    text += ["LF:\(lines.count)", "LH:\(lines.count { $0.count > 0 })", "end_of_record"]
    return text
  }

  /// A name from a file without the characters that end a line.
  private static func plain(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))
  }
}
