import System
import Timeline
import Transports

/// What two clocks of a machine show at the same moment.
package struct ClockReading: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01 00:00:00 UTC.
  package var wall: Int64
  /// Nanoseconds of a clock that nobody sets.
  package var monotonic: UInt64

  package init(wall: Int64, monotonic: UInt64) {
    self.wall = wall
    self.monotonic = monotonic
  }
}

/// The machine on which a bench stands, as far as it is looked at; tests put another in its place.
package struct BenchMachine: Sendable {
  /// Its adapters.
  package let survey: AdapterSurvey
  /// Its folders.
  package let tree: SystemTree
  /// Reads its clocks.
  package let clock: @Sendable () -> ClockReading
  /// Octets that are free for us where a path lies; `nil` where nobody can tell.
  package let freeOctets: @Sendable (String) -> UInt64?
  /// What identifies the machine and the program.
  package let traits: [BenchTrait]

  /// A machine that is as stated.
  package init(
    survey: AdapterSurvey, tree: SystemTree, traits: [BenchTrait], clock: @escaping @Sendable () -> ClockReading,
    freeOctets: @escaping @Sendable (String) -> UInt64?
  ) {
    self.survey = survey
    self.tree = tree
    self.traits = traits
    self.clock = clock
    self.freeOctets = freeOctets
  }

  /// This machine; `program` is our name and version.
  package static func this(program: String) -> BenchMachine {
    let kernel = SystemTree.machine.line("/proc/sys/kernel/osrelease") ?? "unknown"
    return BenchMachine(
      survey: .ofThisMachine(), tree: .machine,
      traits: [BenchTrait("program", program), BenchTrait("kernel", kernel)],
      clock: {
        ClockReading(wall: MachineClock.nanosecondsSince1970(), monotonic: MachineClock.monotonicNanoseconds())
      },
      freeOctets: { path in try? FileSystem.freeOctets(at: path) })
  }

  /// Which of these programs run; names as the kernel cuts them, to fifteen characters.
  func running(_ programs: [String]) -> [String] {
    let names = tree.names("/proc").filter { $0.allSatisfy(\.isNumber) }.compactMap { tree.line("/proc/\($0)/comm") }
    return programs.filter { names.contains(String($0.prefix(15))) }
  }
}
