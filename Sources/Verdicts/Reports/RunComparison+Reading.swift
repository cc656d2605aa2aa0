import Timeline
import Trace

/// Comparing what is too long to be kept: of each event only eight octets are, and those that differ are read again.
extension RunComparison {
  /// Reads everything from its beginning, and hands on each event. It can be called again.
  package typealias Reading = (_ take: (Entry) -> Void) throws -> Void

  /// What is kept of a capture: a digest of each event, in its conversation.
  package struct Outline {
    private var lines = Lines(for: RunComparison(.cause))
    fileprivate var digests: [Subject: [UInt64]] = [:]
    /// Whose events they are.
    package private(set) var sources: Set<TraceSource> = []
    fileprivate var end: Instant?

    /// Nothing read yet.
    package init() {}

    /// Takes the next event.
    package mutating func take(_ entry: Entry) {
      sources.insert(entry.event.source)
      end = entry.event.instant
      guard let (subject, line) = lines.next(entry) else { return }
      digests[subject, default: []].append(Seed.derive(0, [line.essence]))
    }
  }

  /// The first difference of two captures by cause; `nil` where every event of one has its like in the other. Both are read
  /// again where they differ. `other` says what the other one is. Throws what a reading throws.
  package static func firstDifference(
    _ here: (outline: Outline, read: Reading), _ there: (outline: Outline, read: Reading), other: String
  ) throws -> FirstDifference? {
    let comparison = RunComparison(.cause)
    let (own, others) = (here.outline.digests, there.outline.digests)
    let sources = [here.outline.sources, there.outline.sources]
    var places: [Subject: Int] = [:]
    for key in comparison.sorted(own, others) where comparison.tells(of: key, sources) {
      let (mine, theirs) = (own[key] ?? [], others[key] ?? [])
      guard mine != theirs else { continue }
      let common = min(mine.count, theirs.count)
      places[key] = (0..<common).first { mine[$0] != theirs[$0] } ?? common
    }
    guard !places.isEmpty else { return nil }
    let (mine, theirs) = (try lines(at: places, here.read), try lines(at: places, there.read))
    let mismatches = comparison.sorted(mine, theirs).map { Mismatch(here: mine[$0], there: theirs[$0]) }
    return mismatches.min(by: Mismatch.precedes).map { comparison.told($0, end: here.outline.end, other) }
  }

  /// The lines at certain places of their conversations.
  private static func lines(at places: [Subject: Int], _ read: Reading) throws -> [Subject: Line] {
    var found: [Subject: Line] = [:]
    var counts: [Subject: Int] = [:]
    var lines = Lines(for: RunComparison(.cause))
    try read { entry in
      guard let (subject, line) = lines.next(entry), let place = places[subject] else { return }
      let count = counts[subject, default: 0]
      counts[subject] = count + 1
      if count == place { found[subject] = line }
    }
    return found
  }
}
