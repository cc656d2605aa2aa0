/// Which scenarios of a library are meant; every part that is stated must hold.
package struct Selection: Hashable, Sendable {
  /// Tags that must hold.
  package var tags: TagExpression?
  /// Patterns of which one must fit the name with or without its cell; none fits all.
  package var names: [NamePattern] = []
  /// Requirements of which one must be verified; none fits all.
  package var requirements: [String] = []
  /// Full names of which one must fit exactly; `nil` fits all.
  package var only: Set<String>?
  /// The share of the scenarios that is this machine's.
  package var shard: Shard?

  /// Selects everything.
  package init() {}

  /// Whether a scenario is meant.
  package func matches(_ scenario: Scenario) -> Bool {
    (tags?.matches(scenario.tags) ?? true) && (names.isEmpty || names.contains { $0.matches(scenario) })
      && (requirements.isEmpty || requirements.contains { Self.verifies(scenario, $0) })
      && (only?.contains(scenario.name) ?? true) && (shard?.contains(scenario) ?? true)
  }

  /// The scenarios that are meant, in their order.
  package func select(_ scenarios: [Scenario]) -> [Scenario] { scenarios.filter(matches) }

  /// A requirement covers the ones numbered below it: `APP-2.3` also means `APP-2.3.1`.
  private static func verifies(_ scenario: Scenario, _ requirement: String) -> Bool {
    scenario.requirements.contains { $0 == requirement || $0.hasPrefix(requirement + ".") }
  }
}

/// A name with `*` for any characters and `?` for one; everything else, brackets included, means itself.
package struct NamePattern: Hashable, Sendable {
  /// The pattern as it is written.
  package let text: String
  private let scalars: [Unicode.Scalar]

  package init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// Whether the pattern fits a scenario's full name, or its id, which means all its cells.
  package func matches(_ scenario: Scenario) -> Bool { matches(scenario.name) || matches(scenario.id) }

  /// Whether the pattern fits a whole name.
  package func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    var (place, index) = (0, 0)
    var star: (index: Int, place: Int)?
    while place < name.count {
      if index < scalars.count, scalars[index] == "*" {
        star = (index, place)
        index += 1
      } else if index < scalars.count, scalars[index] == "?" || scalars[index] == name[place] {
        (place, index) = (place + 1, index + 1)
      } else if let last = star {
        // The last star takes one more character.
        star = (last.index, last.place + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return scalars[index...].allSatisfy { $0 == "*" }
  }
}

/// One of several shares of all scenarios, the same on every machine: `2/3`.
///
/// A scenario's share depends on its id and cell alone, so that adding one scenario moves no other.
package struct Shard: Hashable, Sendable {
  /// Which share, from 1.
  package let index: Int
  /// How many shares there are.
  package let count: Int

  /// Makes a share; `nil` unless `1 ≤ index ≤ count ≤ 10,000`.
  package init?(index: Int, count: Int) {
    guard (1...10_000).contains(count), (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Reads `2/3`.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
    self.init(index: index, count: count)
  }

  /// Whether a scenario is in this share.
  package func contains(_ scenario: Scenario) -> Bool { contains(scenario.name) }

  /// Whether a name is in this share.
  package func contains(_ name: String) -> Bool { Int(StableHash.of(name) % UInt64(count)) == index - 1 }
}

/// A hash of text that is the same in every process: FNV-1a, its bits then mixed as in SplitMix64, since the low
/// bits of FNV-1a alone divide short names unevenly.
enum StableHash {
  static func of(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    return hash ^ (hash >> 31)
  }
}
