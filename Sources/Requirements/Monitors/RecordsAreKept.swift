import DictofunProtocol
import Timeline
import Verdicts

/// DEV-3: a record that a recorder finished, or listed before, is listed until a phone has it.
struct RecordsAreKept: Monitor {
  /// Records remembered; beyond it the oldest is forgotten.
  static let limit = 4096

  private struct Record: Hashable {
    var recorder: UInt16
    var identifier: RecordIdentifier
  }

  let declaration = MonitorDeclaration(
    "DEV-3", "every record is listed until a phone has it", judges: .recorder,
    shows: ["unconfirmed"], needsWorld: "what phones have")
  let interests: EventKinds = [.fileTransfer, .otherEnd, .oracle]
  private(set) var preconditionCount = 0
  /// Records that no phone has.
  private var owed: [Record] = []
  private var had: [RecordIdentifier] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.recordFinished(let recorder, let identifier, _)):
      owe(Record(recorder: recorder, identifier: identifier))
    case .oracle(.recordStored(_, let identifier, _)):
      if had.count == Self.limit { had.removeFirst() }
      had.append(identifier)
      owed.removeAll { $0.identifier == identifier }
    case .fileTransfer(.listed(let identifiers)) where event.source.part == .recorder:
      return listed(identifiers, by: event.source.index)
    default: break
    }
    return .pending
  }

  private mutating func owe(_ record: Record) {
    guard !owed.contains(record) else { return }
    if owed.count == Self.limit { owed.removeFirst() }
    owed.append(record)
  }

  private mutating func listed(_ identifiers: [RecordIdentifier], by recorder: UInt16) -> Observation {
    let missing = owed.filter { $0.recorder == recorder && !identifiers.contains($0.identifier) }
    let wasOwed = owed.contains { $0.recorder == recorder }
    owed.removeAll { missing.contains($0) }
    for identifier in identifiers where !had.contains(identifier) {
      owe(Record(recorder: recorder, identifier: identifier))
    }
    guard wasOwed else { return .pending }
    preconditionCount += 1
    guard let lost = missing.first else { return .met }
    return .violated("recorder \(recorder) no longer lists \(lost.identifier), which no phone has")
  }
}
