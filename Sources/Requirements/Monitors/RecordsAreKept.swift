import DictofunProtocol
import Timeline
import Verdicts

/// DEV-3: a record that a recorder finished, or listed before, is listed until a phone has it, and kept until that phone
/// has said so.
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
  /// Records that a phone had when it said that it has everything.
  private var confirmed: [Record] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.recordFinished(let recorder, let identifier, _)):
      owe(Record(recorder: recorder, identifier: identifier))
    case .oracle(.recordStored(_, let identifier, _)):
      if had.count == Self.limit { had.removeFirst() }
      had.append(identifier)
      owed.removeAll { $0.identifier == identifier }
    // A test's records, or a person's wish: the recorder owes none of them any more.
    case .oracle(.recordsErasedByHand(let recorder)): owed.removeAll { $0.recorder == recorder }
    case .oracle(.recordsGone(let recorder, let identifiers)): return gone(identifiers, from: recorder)
    case .fileTransfer(.requested(.receiveComplete)) where event.source.part == .recorder:
      confirmed =
        had.suffix(Self.limit).map { Record(recorder: event.source.index, identifier: $0) }
        + confirmed.filter { $0.recorder != event.source.index }.suffix(Self.limit)
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

  private mutating func gone(_ identifiers: [RecordIdentifier], from recorder: UInt16) -> Observation {
    preconditionCount += 1
    owed.removeAll { $0.recorder == recorder && identifiers.contains($0.identifier) }
    let lost = identifiers.first { !confirmed.contains(Record(recorder: recorder, identifier: $0)) }
    guard let lost else { return .met }
    return .violated("recorder \(recorder) lost \(lost), which no phone had confirmed")
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
