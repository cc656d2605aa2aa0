import System
import Timeline
import Transports

/// What two clocks of a machine show at the same moment.
public struct ClockReading: Hashable, Sendable {
  /// Nanoseconds since 1970-01-01 00:00:00 UTC.
  public var wall: Int64
  /// Nanoseconds of a clock that nobody sets.
  public var monotonic: UInt64

  public init(wall: Int64, monotonic: UInt64) {
    self.wall = wall
    self.monotonic = monotonic
  }
}

/// The machine on which a bench stands, as far as it is looked at; tests put another in its place.
public struct BenchMachine: Sendable {
  /// Its adapters.
  public let survey: AdapterSurvey
  /// Its folders.
  public let tree: SystemTree
  /// Reads its clocks.
  public let clock: @Sendable () -> ClockReading
  /// Octets that are free for us where a path lies; `nil` where nobody can tell.
  public let freeOctets: @Sendable (String) -> UInt64?
  /// What identifies the machine and the program.
  public let traits: [BenchTrait]

  /// A machine that is as stated.
  public init(
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
  public static func this(program: String) -> BenchMachine {
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
