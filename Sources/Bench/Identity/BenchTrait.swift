import Bytes
import Text

/// Something that identifies a part of a bench, such as the version of its adapter's controller.
package struct BenchTrait: Hashable, Sendable {
  /// What it is of, in plain text: `controller`, `supply of C6:05:04:03:02:01`.
  package let name: String
  /// What it is, in plain text.
  package let value: String

  /// A trait; what devices say of themselves is made plain and short.
  package init(_ name: String, _ value: String) {
    self.name = PlainText.escaped(name, limit: 80)
    self.value = PlainText.escaped(value, limit: Self.valueLimit)
  }

  /// Characters of a value that are kept.
  static let valueLimit = 200

  /// What the trait is called that tells which firmware a recorder booted.
  static func firmwareName(of recorder: BluetoothAddress) -> String { "firmware of \(recorder)" }

  /// A trait as it was kept; only what somebody else wrote into the file changes.
  init(kept name: Substring, _ value: Substring) {
    self.name = PlainText.escaped(name)
    self.value = PlainText.escaped(value)
  }
}

/// A trait that is another one than it was.
package struct BenchChange: Hashable, Sendable {
  /// What changed.
  package let name: String
  /// What it was in the last good run.
  package let before: String
  /// What it is.
  package let now: String
}

/// What a bench was at its last good run: what that was is told when something changed since.
package struct GoodRun: Hashable, Sendable {
  /// When it ended, in seconds since 1970.
  package let ended: Int64
  /// What the bench was.
  package let traits: [BenchTrait]

  /// Lines of a file that are read at most.
  private static let limit = 1_000
  /// The first line of a file begins with this.
  private static let heading = "dictobench good run 1, ended "

  /// A run that ended then on that bench.
  package init(ended: Int64, traits: [BenchTrait]) {
    self.ended = ended
    self.traits = traits
  }

  /// Reads what ``lines`` wrote; `nil` for anything else.
  package init?(lines: [String]) {
    guard let first = lines.first, first.hasPrefix(Self.heading),
      let ended = Int64(first.dropFirst(Self.heading.count))
    else { return nil }
    self.ended = ended
    traits = lines.dropFirst().prefix(Self.limit).compactMap { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      return parts.count == 2 ? BenchTrait(kept: parts[0], parts[1]) : nil
    }
  }

  /// As it is kept in a file: a line for each trait, name and value separated by a tabulator.
  package var lines: [String] { ["\(Self.heading)\(ended)"] + traits.map { "\($0.name)\t\($0.value)" } }

  /// What differs now, of what both know.
  package func changes(to now: [BenchTrait]) -> [BenchChange] {
    now.compactMap { trait in
      guard let before = traits.first(where: { $0.name == trait.name }), before.value != trait.value else { return nil }
      return BenchChange(name: trait.name, before: before.value, now: trait.value)
    }
  }
}
