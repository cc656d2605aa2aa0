/// A recorder that is wrong on purpose, in one way: the suite must notice each.
///
/// The named faults stand in this folder, beside the values that they change. A new one is a line in one of these
/// tables.
public struct RecorderFault: Sendable, CustomStringConvertible {
  /// The name by which it is planted, such as `list-omits-newest`.
  public let name: String
  /// What the recorder does wrong, as one sentence.
  public let summary: String
  private let change: @Sendable (inout RecorderFaults) -> Void

  /// A fault of this name that makes this change.
  init(_ name: String, _ summary: String, _ change: @escaping @Sendable (inout RecorderFaults) -> Void) {
    self.name = name
    self.summary = summary
    self.change = change
  }

  /// The fault of this name; `nil` where there is none.
  public init?(_ name: String) {
    guard let fault = Self.all.first(where: { $0.name == name }) else { return nil }
    self = fault
  }

  /// Every named fault once, by what it is about.
  package static let groups: [(subject: String, faults: [RecorderFault])] = [
    ("advertising", ofAdvertising), ("attributes", ofAttributes), ("links", ofLinks), ("lights", ofLights),
    ("security", ofSecurity), ("battery", ofBattery), ("clock", ofClock),
    ("lists", ofLists), ("transfers", ofTransfers), ("recordings", ofRecordings), ("service", ofService),
    ("storage", ofStorage), ("power", ofPower), ("updates", ofUpdates), ("bootloader", ofBootloaders),
  ]

  /// Every named fault once, grouped by what it is about.
  public static let all = groups.flatMap(\.faults)

  /// The fault's name.
  public var description: String { name }

  /// Plants the fault beside those that are planted already.
  package func apply(to faults: inout RecorderFaults) { change(&faults) }
}

extension RecorderFault: Hashable {
  /// Whether both are the same named fault.
  public static func == (first: RecorderFault, second: RecorderFault) -> Bool { first.name == second.name }

  /// Feeds the name to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
