/// Why a scenario failed, for people: where the broken expectation is written, who broke it, what was expected and found.
///
/// Every text may hold what a device or a file said; whoever renders it makes it safe for its own format.
package struct FailureAccount: Hashable, Sendable, Codable {
  /// Where the expectation is written, as `file:line:column`.
  package var place: String
  /// The line of the file, and a line with carets below what is meant; empty where the file is not at hand.
  package var excerpt: [String]
  /// Who failed: `the recorder`, `the phone`, `the recorder or the phone`; with the name where there are several.
  package var who: String
  /// The party that it counts against; `nil` where neither recorder nor phone failed.
  package private(set) var blames: JudgedParty?
  /// What was tried or watched.
  package var what: String
  /// What should have happened.
  package var expected: String
  /// What happened instead.
  package var found: String
  /// What somebody still owed an answer or the rest of something, a sentence each, oldest first.
  package var open: [String] = []
  /// Where the run first went another way than one that passes; `nil` where there is nothing to compare with.
  package var difference: FirstDifference?

  package init(
    place: String, excerpt: [String], who: String, blames: JudgedParty? = nil, what: String, expected: String,
    found: String
  ) {
    self.place = place
    self.blames = blames
    self.excerpt = excerpt
    self.who = who
    self.what = what
    self.expected = expected
    self.found = found
  }
}

extension FailureAccount {
  /// Adds where the run first went another way. What differs first is the cause: a requirement that is the phone's can
  /// fail because of what the recorder did, and the phone is not blamed for that.
  package mutating func take(_ difference: FirstDifference?) {
    self.difference = difference
    guard let difference, blames == .phone, difference.isOfRecorder else { return }
    blames = .recorder
    who = "the recorder, which differs first; the requirement is the phone's"
  }
}

extension FailureAccount {
  /// Keeps only what tells this failure from others.
  package mutating func forgetDetails() { (excerpt, open) = ([], []) }
}

/// Where two runs first differ.
package struct FirstDifference: Hashable, Sendable, Codable {
  /// What the other run is: `the same run without the fault`.
  package var other: String
  /// Seconds until which both are the same, as text with three decimals.
  package var until: String
  /// What happens in this run.
  package var here: String
  /// What happens in the other run.
  package var there: String
  /// The kinds of events that differ and whose they are, without any values: equal where the cause is likely the same.
  package var cause: String
  /// Whether the recorder did, or did not, what differs.
  package var isOfRecorder = false

  package init(
    other: String, until: String, here: String, there: String, cause: String, isOfRecorder: Bool = false
  ) {
    self.other = other
    self.until = until
    self.here = here
    self.there = there
    self.cause = cause
    self.isOfRecorder = isOfRecorder
  }

  /// Whose it is has been judged by the time that it is written.
  private enum CodingKeys: String, CodingKey { case other, until, here, there, cause }
}

/// Tells whether two failures look alike.
package enum FailureCause {
  /// A text that is equal for scenarios that did not pass for what seems to be one cause: they broke the same requirement
  /// in the same words, wherever the program was when that was seen.
  package static func key(of report: ScenarioReport) -> String {
    let requirement = report.verdict.failure?.requirements.first ?? ""
    return "\(report.verdict.kind.rawValue) \(requirement) \(withoutNumbers(withoutPlace(report.verdict.reason ?? "")))"
  }

  /// The text without where an executed program was when something was seen, and what had called it: a stack is found to be
  /// full wherever the program is then, so the place differs from run to run.
  package static func withoutPlace(_ text: String) -> String {
    let ends = [", seen at ", "; called by "].compactMap { text.firstRange(of: $0)?.lowerBound }
    return String(text[..<(ends.min() ?? text.endIndex)])
  }

  /// The text with each number, hexadecimal or not, replaced by `#`.
  package static func withoutNumbers(_ text: String) -> String {
    var result = ""
    var isInNumber = false
    for character in text {
      let isDigit = character.isASCII && character.isNumber
      let goesOn = isInNumber && character.isASCII && (character.isHexDigit || ".,:x".contains(character))
      if isDigit || goesOn {
        if !isInNumber { result.append("#") }
        isInNumber = true
      } else {
        isInNumber = false
        result.append(character)
      }
    }
    return result
  }
}
