/// What help says of one of the language's own words, wherever it may stand.
struct KeywordEntry {
  /// The word.
  let name: String
  /// Where it may stand, and what it means there.
  let places: [(place: String, documentation: String)]
  /// A part of a scenario that uses it: steps where it begins with `- `, else keys of a file.
  let example: String

  /// Every word of the language, in the order of a file.
  static let all: [KeywordEntry] = names.map { name in
    KeywordEntry(name: name, places: places(of: name), example: examples[name] ?? "")
  }

  /// The entry for a terminal.
  var text: String {
    let form = StepForm.form(name).map { $0.text.split(separator: "\n").dropFirst().map(String.init) } ?? []
    let lines = places.map { "\(name), \($0.place): \($0.documentation)" } + form
    return (lines + ["", "Example:"] + example.split(separator: "\n").map { "  \($0)" }).map { $0 + "\n" }.joined()
  }

  private static let relations = FieldMatcher.Relation.allCases.filter { $0 != .equal }

  private static var names: [String] {
    var seen: Set<String> = []
    let all =
      Keyword.scenario.map(\.name) + Keyword.fragment.map(\.name)
      + StepForm.all.dropFirst(Actor.allCases.count).map(\.lead.name)
      + StepForm.all.flatMap { $0.siblings.map(\.name) } + relations.map(\.rawValue)
    return all.filter { seen.insert($0).inserted }
  }

  private static func places(of name: String) -> [(String, String)] {
    var places: [(String, String)] = []
    places += Keyword.scenario.filter { $0.name == name }.map { ("in a scenario file", $0.documentation) }
    places += Keyword.fragment.filter { $0.name == name }.map { ("in a fragment", $0.documentation) }
    places += StepForm.documented.filter { $0.lead.name == name }.map { ("a step", $0.lead.documentation) }
    for form in StepForm.documented {
      guard let keyword = form.siblings.first(where: { $0.name == name }) else { continue }
      if let index = places.firstIndex(where: { $0.0.hasPrefix("beside ") && $0.1 == keyword.documentation }) {
        places[index].0 += ", `\(form.lead.name)`"
      } else {
        places.append(("beside `\(form.lead.name)`", keyword.documentation))
      }
    }
    places += relations.filter { $0.rawValue == name }.map { ("a comparison", $0.documentation) }
    return places
  }

  /// One example for each word; a test lints them with the words of the Runner.
  private static let examples: [String: String] = [
    "scenario": "scenario: a deleted record is never downloaded again",
    "id": "id: library-no-redownload",
    "description": "description: A dead clock can give one name twice.",
    "verifies": "verifies: [APP-1.1, APP-1.3.1.1]",
    "tags": "tags: [library, smoke]",
    "needs": "needs: {actuators: button}",
    "matrix": "matrix: {records: [1, 7]}\ngiven: {device: {records: $records}}",
    "fragments": "fragments:\n  visit:\n    steps:\n      - phone: connect\n      - phone: disconnect\n"
      + "steps:\n  - use: visit",
    "given": "given:\n  device: {battery: 84 %}\n  phone: {bonded: true}",
    "steps": "steps:\n  - phone: sync",
    "always": "always:\n  - phone: disconnect",
    "timeout": "timeout: 10 min",
    "fragment": "fragment: visit\nsteps:\n  - phone: connect\n  - phone: disconnect",
    "parameters": "fragment: stay\nparameters: {stay: 5 s}\nsteps:\n  - phone: connect\n  - wait: $stay\n"
      + "  - phone: disconnect",
    "eventually": "- eventually: {link: down}\n  within: 6 s",
    "either": "- either: [phone.stored, {link: down}]\n  within: 1 min",
    "never": "- never: {link: down}\n  for: 10 s",
    "wait": "- wait: 5 s",
    "ask": "- ask: Does the phone show 84 %?",
    "repeat": "- repeat: 3\n  steps:\n    - phone: sync",
    "use": "fragments:\n  visit:\n    steps: [{phone: connect}, {phone: disconnect}]\nsteps:\n  - use: visit",
    "expect": "- phone: sync\n  expect: {downloaded: 2}",
    "fails": "- phone: sync\n  fails: nothing-in-sight\n- phone: {read-attribute: 16}\n  fails: {refused: 5}",
    "may-fail": "- air: {distance: 30 m}\n- phone: sync\n  within: 5 s\n  may-fail: true",
    "keep": "- phone: {inform: newest}\n  keep: {announced: size}\n- phone: {download: newest}\n"
      + "  expect: {size: $announced}",
    "within": "- phone: sync\n  within: 30 s",
    "shows": "verifies: DEV-2\nsteps:\n  - eventually: advertising\n    within: 2 s\n    shows: DEV-2/soon",
    "as": "given:\n  phones: [{name: mine}, {name: yours}]\nsteps:\n  - phone: connect\n    as: yours",
    "when": "matrix: {records: [1, 7]}\nsteps:\n  - phone: sync\n    when: $records > 1",
    "for": "- never: paired\n  for: 10 s",
    "until": "- never: phone.stored\n  until: {phone.progress: {at-least: 50 %}}\n  within: 30 s",
    "while": "- never: {link: down}\n  while:\n    - phone: connect",
    "with": "fragments:\n  visit:\n    parameters: {stay: 5 s}\n    steps: [{wait: $stay}]\n"
      + "steps:\n  - use: visit\n    with: {stay: 9 s}",
    "not": "- phone: sync\n  expect: {downloaded: {not: 0}}",
    "at-least": "- phone: sync\n  expect: {downloaded: {at-least: 1, at-most: 7}}",
    "at-most": "- phone: sync\n  expect: {downloaded: {at-most: 7}}",
    "more-than": "- phone: sync\n  expect: {downloaded: {more-than: 1}}",
    "less-than": "- phone: sync\n  expect: {downloaded: {less-than: 7}}",
    "one-of": "- phone: sync\n  expect: {downloaded: {one-of: [1, 7]}}",
    "contains": "- phone: history\n  expect: {statuses: {contains: paired}}",
    "contains-not": "- phone: history\n  expect: {statuses: {contains-not: paired}}",
  ]
}

extension FieldMatcher.Relation {
  /// What must be true of a field, in one sentence.
  fileprivate var documentation: String {
    switch self {
    case .equal: "The field is the value."
    case .not: "The field has a value, but not this one."
    case .atLeast: "The field is the value or more."
    case .atMost: "The field is the value or less."
    case .moreThan: "The field is more than the value."
    case .lessThan: "The field is less than the value."
    case .oneOf: "The field is one of the values of a list."
    case .contains: "The field is text or octets that contain the value, or a list with the value in it."
    case .containsNot: "The field has a value, but not one of which `contains` holds."
    }
  }
}
