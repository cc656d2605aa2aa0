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
  /// Records whose octets a phone asked for, and which none has stored since.
  private var asked: [Record] = []
  /// Records that a phone has: those that were stored after somebody asked this recorder for them.
  private var had: [Record] = []
  /// Records that a phone had when the recorder took it that a phone has everything.
  private var confirmed: [Record] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .oracle(.recordFinished(let recorder, let identifier, _)):
      let record = Record(recorder: recorder, identifier: identifier)
      // Another record may have had the name before.
      for list in [\Self.asked, \.had, \.confirmed] { self[keyPath: list].removeAll { $0 == record } }
      owe(record)
    case .oracle(.recordStored(_, let identifier, _)): stored(identifier)
    // A test's records, or a person's wish: the recorder owes none of them any more.
    case .oracle(.recordsErasedByHand(let recorder)): owed.removeAll { $0.recorder == recorder }
    case .oracle(.recordsGone(let recorder, let identifiers)): return gone(identifiers, from: recorder)
    case .fileTransfer(.requestTaken(.fileData(let identifier))) where event.source.part == .recorder:
      Self.add(Record(recorder: event.source.index, identifier: identifier), to: &asked)
    case .fileTransfer(.requestTaken(.receiveComplete)) where event.source.part == .recorder:
      for record in had where record.recorder == event.source.index { Self.add(record, to: &confirmed) }
    case .fileTransfer(.listed(let identifiers)) where event.source.part == .recorder:
      return listed(identifiers, by: event.source.index)
    default: break
    }
    return .pending
  }

  private static func add(_ record: Record, to records: inout [Record]) {
    guard !records.contains(record) else { return }
    if records.count == limit { records.removeFirst() }
    records.append(record)
  }

  private mutating func owe(_ record: Record) { Self.add(record, to: &owed) }

  /// A phone has a record, of whichever recorder was asked for one of this name.
  private mutating func stored(_ identifier: RecordIdentifier) {
    for record in asked where record.identifier == identifier {
      Self.add(record, to: &had)
      owed.removeAll { $0 == record }
    }
    asked.removeAll { $0.identifier == identifier }
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
    for identifier in identifiers {
      let record = Record(recorder: recorder, identifier: identifier)
      if !had.contains(record) { owe(record) }
    }
    guard wasOwed else { return .pending }
    preconditionCount += 1
    guard let lost = missing.first else { return .met }
    return .violated("recorder \(recorder) no longer lists \(lost.identifier), which no phone has")
  }
}
