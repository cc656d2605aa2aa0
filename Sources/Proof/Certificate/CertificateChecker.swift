import Phone

/// Verifies a certificate, without the code that found it: it takes phone and recorder through every move that stands in
/// the file, and looks whether that leads where the file says.
///
/// What it establishes, by induction over the lines:
/// 1. *Nothing is left out.* The beginning is the first state. In each state exactly those moves are listed that are
///    possible, and each leads to a listed state. So every state that can be reached is listed.
/// 2. *Nothing bad happens.* No move led to a violation.
/// 3. *Everything ends.* A state's rank is one above the highest that an undisturbed move leads to, and where there is none,
///    the state is finished and has rank 0. So whatever happened before, a phone and a recorder that are left alone come to
///    the end, in as many moves as the rank says.
package struct CertificateChecker {
  /// What a certificate that holds is about.
  package struct Report: Hashable, Sendable {
    /// States, and moves between them.
    package let states: Int, moves: Int
    /// The most undisturbed moves to the end.
    package let highestRank: Int
  }

  /// Why a certificate does not hold: the line, from 1, and the reason.
  package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line of the certificate, from 1.
    package let line: Int
    /// One sentence.
    package let reason: String
    /// The line and the reason.
    package var description: String { "line \(line): \(reason)" }
  }

  private struct Entry {
    let digest: String
    let rank: Int
    let edges: [(move: Move, target: Int)]
  }

  private static let linesBeforeEntries = 2
  private var entries: [Entry] = []
  /// Phone and recorder in the states that were reached and not looked at; those behind are done with.
  private var meetings: [Meeting?] = []

  /// Verifies a certificate about this plan. Throws `Refusal` where it does not hold, and what a library throws.
  package static func check(_ text: String, about plan: MeetingPlan) throws -> Report {
    var checker = CertificateChecker()
    try checker.read(text, plan)
    let shelf = LibraryShelf()
    try checker.begin(Meeting(plan, shelf))
    for number in checker.entries.indices { try checker.check(number, shelf) }
    return Report(
      states: checker.entries.count, moves: checker.entries.reduce(0) { $0 + $1.edges.count },
      highestRank: checker.entries.map(\.rank).max() ?? 0)
  }

  private mutating func read(_ text: String, _ plan: MeetingPlan) throws(Refusal) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.first == "dictobench-certificate 1" else {
      throw Refusal(line: 1, reason: "expected dictobench-certificate 1, found \(lines.first?.prefix(40) ?? "")")
    }
    guard lines.count > Self.linesBeforeEntries, lines[1] == plan.words else {
      throw Refusal(line: 2, reason: "expected a certificate about: \(plan.words)")
    }
    guard lines.last == "" else { throw Refusal(line: lines.count, reason: "the file breaks off") }
    for (index, line) in lines.dropFirst(Self.linesBeforeEntries).dropLast().enumerated() {
      guard let entry = Self.entry(line) else {
        throw Refusal(line: index + Self.linesBeforeEntries + 1, reason: "expected a digest, a rank and moves")
      }
      entries.append(entry)
    }
    meetings = Array(repeating: nil, count: entries.count)
  }

  private static func entry(_ line: Substring) -> Entry? {
    let words = line.split(separator: " ")
    guard words.count >= 2, let rank = Int(words[1]), rank >= 0 else { return nil }
    var edges: [(move: Move, target: Int)] = []
    for word in words.dropFirst(2) {
      let parts = word.split(separator: ">")
      guard parts.count == 2, let move = Move(rawValue: String(parts[0])), let target = Int(parts[1]) else {
        return nil
      }
      edges.append((move, target))
    }
    return Entry(digest: String(words[0]), rank: rank, edges: edges)
  }

  private mutating func begin(_ meeting: Meeting) throws(Refusal) {
    guard let first = entries.first, first.digest == StateDigest(meeting).description else {
      throw refusal(0, "the first state is not the beginning")
    }
    if let violation = meeting.violation { throw refusal(0, violation) }
    meetings[0] = meeting
  }

  private mutating func check(_ number: Int, _ shelf: LibraryShelf) throws {
    let entry = entries[number]
    guard let meeting = meetings[number] else { throw refusal(number, "no earlier state leads here") }
    meetings[number] = nil
    guard entry.edges.map(\.move) == meeting.moves else {
      throw refusal(
        number,
        "possible are \(Self.list(meeting.moves)), listed are \(Self.list(entry.edges.map(\.move)))")
    }
    guard meeting.isFinished || entry.edges.contains(where: { !$0.move.isDisturbance }) else {
      throw refusal(number, "nothing happens any more, and not everything is done")
    }
    for (move, target) in entry.edges {
      let next = try meeting.after(move, shelf)
      if let violation = next.violation { throw refusal(number, "after \(move.rawValue), \(violation)") }
      guard entries.indices.contains(target), entries[target].digest == StateDigest(next).description else {
        throw refusal(number, "\(move.rawValue) does not lead to state \(target)")
      }
      guard move.isDisturbance || entries[target].rank < entry.rank else {
        throw refusal(number, "\(move.rawValue) leads to rank \(entries[target].rank), not below \(entry.rank)")
      }
      if target > number, meetings[target] == nil { meetings[target] = next }
    }
    let highest = entry.edges.filter { !$0.move.isDisturbance }.map { entries[$0.target].rank }.max() ?? -1
    guard entry.rank - 1 == highest else { throw refusal(number, "rank \(entry.rank) is not one above \(highest)") }
  }

  private static func list(_ moves: [Move]) -> String {
    moves.isEmpty ? "none" : moves.map(\.rawValue).joined(separator: ", ")
  }

  private func refusal(_ number: Int, _ reason: String) -> Refusal {
    Refusal(line: number + Self.linesBeforeEntries + 1, reason: reason)
  }
}
