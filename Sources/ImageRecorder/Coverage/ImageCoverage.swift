import FirmwareImages
import Processor

/// How much of an image was executed by the scenarios of a run.
package struct ImageCoverage: Sendable {
  /// A function of the image, and how much of it was executed.
  package struct Function: Hashable, Sendable {
    /// Its name.
    package var name: String
    /// Where it begins.
    package var address: UInt32
    /// Its instructions.
    package var instructions: Int
    /// Those of them that were executed.
    package var entered: Int
    /// How many scenarios entered it.
    package var scenarios: Int
  }

  /// A scenario, and what nothing else executed.
  package struct Share: Hashable, Sendable {
    /// Name of the scenario.
    package var name: String
    /// Instructions that only this scenario executed.
    package var instructions: Int
  }

  /// A requirement, and what the scenarios that verify it executed together.
  package struct RequirementShare: Hashable, Sendable {
    /// Name of the requirement.
    package var name: String
    /// How many scenarios that verify it executed something.
    package var scenarios: Int
    /// Instructions that at least one of them executed.
    package var instructions: Int
  }

  /// The functions in the order of their addresses; empty for an image without symbols.
  package let functions: [Function]
  /// The instructions that were executed, in functions where the image has symbols.
  package let entered: Int
  /// All instructions of the functions; `nil` for an image without symbols, where instructions and constants look alike.
  package let instructions: Int?
  /// How many scenarios executed something: a blocked one may have had a recorder that executed nothing.
  let scenarioCount: Int
  /// The scenarios of the run, in their order, with what only they executed.
  package let shares: [Share]
  /// The requirements that scenarios of the run verify, in their order; those whose scenarios executed nothing are left out.
  package let requirements: [RequirementShare]
  /// The image.
  package let image: FirmwareImage
  /// For every half-word of the first to the last octet that was executed, how many scenarios executed it.
  let counts: HalfWordCounts

  /// How much of an image was executed, all of it by one scenario or by several that are not told apart.
  package init(_ image: FirmwareImage, executed: Coverage) { self.init(image, [("", executed)], []) }

  init(
    _ image: FirmwareImage, _ runs: [(name: String, coverage: Coverage)],
    _ requirements: [(name: String, coverages: [Coverage])]
  ) {
    self.image = image
    var counts = HalfWordCounts(image)
    for (number, run) in runs.enumerated() { run.coverage.forEach { counts.note($0, run: number) } }
    self.counts = counts
    let bodies = Self.bodies(of: image)
    functions = bodies.map { function, starts in
      Function(
        name: function.name, address: function.address, instructions: starts.count,
        entered: starts.count { counts[$0] > 0 }, scenarios: starts.map { counts[$0] }.max() ?? 0)
    }
    let starts = bodies.isEmpty ? Self.executedStarts(image, counts) : bodies.flatMap(\.starts)
    entered = starts.count { counts[$0] > 0 }
    instructions = bodies.isEmpty ? nil : starts.count
    var alone = Array(repeating: 0, count: runs.count)
    for start in starts { if let run = counts.onlyRun(at: start) { alone[run] += 1 } }
    scenarioCount = runs.count { $0.coverage.count > 0 }
    shares = zip(runs, alone).map { Share(name: $0.name, instructions: $1) }
    self.requirements = requirements.compactMap { name, coverages in
      let coverages = coverages.filter { $0.count > 0 }
      guard var all = coverages.first else { return nil }
      for coverage in coverages.dropFirst() { all.formUnion(coverage) }
      return RequirementShare(
        name: name, scenarios: coverages.count, instructions: starts.count { all.contains($0) })
    }
  }

  /// The functions with the addresses of their instructions. Of several names for one address the first is taken, and a
  /// function ends where the next one begins.
  private static func bodies(
    of image: FirmwareImage
  ) -> [(function: SymbolTable.Symbol, starts: [UInt32])] {
    let symbols = image.symbols
    var functions: [SymbolTable.Symbol] = []
    for function in symbols.functions where image.holds(function.address) && functions.last?.address != function.address
    {
      functions.append(function)
    }
    return functions.enumerated().map { index, function in
      let next = index + 1 < functions.count ? functions[index + 1].address : .max
      let size = function.size == 0 ? UInt32(unsizedLimit) : function.size
      let (end, isBeyond) = function.address.addingReportingOverflow(size)
      return (function, starts(function.address, min(next, isBeyond ? .max : end), image))
    }
  }

  /// Octets that are believed of a function without a size, such as one written in assembly.
  private static let unsizedLimit = 256

  /// The addresses at which instructions begin, from one address up to another; constants between them are skipped.
  private static func starts(_ first: UInt32, _ end: UInt32, _ image: FirmwareImage) -> [UInt32] {
    var starts: [UInt32] = []
    var address = UInt64(first)
    while address + 2 <= UInt64(end) {
      let place = UInt32(address)
      guard let word = image.halfWord(at: place) else { break }
      guard image.symbols.isCode(place) else {
        address += 2
        continue
      }
      starts.append(place)
      address += UInt64(length(word))
    }
    return starts
  }

  /// Where the executed instructions of an image without symbols begin: the first half-word after one that was not
  /// executed begins one.
  private static func executedStarts(_ image: FirmwareImage, _ counts: HalfWordCounts) -> [UInt32] {
    var starts: [UInt32] = []
    var next: UInt64 = 0
    counts.forEachExecuted { address in
      guard UInt64(address) >= next, let word = image.halfWord(at: address) else { return }
      starts.append(address)
      next = UInt64(address) + UInt64(length(word))
    }
    return starts
  }

  /// Octets of an instruction, by its first half-word (ARMv7-M, A5.1).
  private static func length(_ word: UInt16) -> Int { word >> 11 >= 0b11101 ? 4 : 2 }
}

/// How many scenarios executed each half-word of an image, and which one did if it was only one.
struct HalfWordCounts: Sendable {
  private let base: UInt32
  private var counts: [UInt32]
  private var firstRuns: [UInt32]

  /// No counts yet, for the octets from the image's first to its last in flash.
  init(_ image: FirmwareImage) {
    base = image.vectorTable & ~1
    let last = image.flashSegments.last ?? image.segments[0]
    let halfWords = min(Int(last.address - base) + last.octets.count, 1 << 24) / 2 + 1
    counts = Array(repeating: 0, count: halfWords)
    firstRuns = Array(repeating: .max, count: halfWords)
  }

  /// Notes that a run executed a half-word; each run is noted as a whole, and each half-word once by it.
  mutating func note(_ address: UInt32, run: Int) {
    guard let index = index(address) else { return }
    if counts[index] == 0 { firstRuns[index] = UInt32(truncatingIfNeeded: run) }
    counts[index] &+= 1
  }

  /// How many runs executed it.
  subscript(address: UInt32) -> Int { index(address).map { Int(counts[$0]) } ?? 0 }

  /// The run that executed it alone.
  func onlyRun(at address: UInt32) -> Int? {
    guard let index = index(address), counts[index] == 1 else { return nil }
    return Int(firstRuns[index])
  }

  /// Calls `body` with every half-word that was executed, in order.
  func forEachExecuted(_ body: (UInt32) -> Void) {
    for (index, count) in counts.enumerated() where count > 0 { body(base + UInt32(index * 2)) }
  }

  private func index(_ address: UInt32) -> Int? {
    guard address >= base else { return nil }
    let index = Int(address - base) / 2
    return index < counts.count ? index : nil
  }
}
