import DictofunProtocol
import Verdicts

/// DEV-4: a list has the records in the order in which they were recorded.
struct ListsInOrder: Monitor {
  /// Records of a recorder that are remembered; beyond it the oldest is forgotten.
  static let limit = 4096

  private struct Device: NumberedState {
    var index: UInt16
    /// What was seen to be recorded, oldest first.
    var recorded: [RecordIdentifier] = []
  }

  let declaration = MonitorDeclaration(
    "DEV-4", "a list has the records in the order of their recording", judges: .recorder, shows: ["sorted"],
    needsWorld: "when each record began")
  let interests: EventKinds = [.fileTransfer, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  private var devices = NumberedTable<Device>()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.recordBegun(let recorder, let identifier, _, _)):
      let position = devices.place(of: Device(index: recorder))
      // A name that comes again belongs to the later record, if the former one is gone; both there is another's business.
      devices[position].recorded.removeAll { $0 == identifier }
      if devices[position].recorded.count == Self.limit { devices[position].recorded.removeFirst() }
      devices[position].recorded.append(identifier)
    case .fileTransfer(.listed(let identifiers)) where event.source.part == .recorder:
      return listed(identifiers, by: event.source.index)
    default: break
    }
    return .pending
  }

  private mutating func listed(_ identifiers: [RecordIdentifier], by recorder: UInt16) -> Observation {
    let recorded = devices[devices.place(of: Device(index: recorder))].recorded
    guard recorded.count > 1 else { return .pending }
    let expected = recorded.filter(Set(identifiers).contains)
    let known = Set(expected)
    let found = identifiers.filter(known.contains)
    guard expected.count > 1, found.count == expected.count else { return .pending }
    preconditionCount += 1
    guard let (wrong, right) = zip(found, expected).first(where: { $0 != $1 }) else { return .met }
    return .violated("recorder \(recorder) lists \(wrong) where \(right) was recorded")
  }
}
