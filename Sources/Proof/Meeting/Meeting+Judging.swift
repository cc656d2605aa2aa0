import DictofunProtocol
import Phone
import Recorder

// What must never happen. That everything ends is not seen in one state: ``Ranks`` looks after it.
extension Meeting {
  /// The phone reports something.
  mutating func note(_ event: PhoneEvent) {
    guard case .operationEnded(let token, let result) = event else { return }
    guard token == operation else { return accuse("a sync ended twice") }
    operation = nil
    asked = nil
    if case .success = result { isSynced = true }
  }

  /// The phone writes a request.
  mutating func noteRequest(_ request: ControlPointRequest) {
    asked = request
    guard case .fileData(let identifier) = request, library.content(of: identifier) != nil else { return }
    accuse("record \(identifier) is fetched again although it is here")
  }

  /// Looks at a state that is settled.
  mutating func judge() {
    if let refused = phone.refusedEvent { accuse(refused) }
    let fates = recorder.fates
    for record in plan.records {
      let fate = fates.first { $0.identifier == record.identifier }
      let content = library.content(of: record.identifier)
      if let content, content != record.content { accuse("record \(record.identifier) was stored with wrong octets") }
      if content == nil, fate == nil {
        accuse("record \(record.identifier) is neither on the recorder nor on the phone")
      }
      if content == nil, fate?.isConfirmed == true {
        accuse("the recorder takes record \(record.identifier) for confirmed, and the phone does not have it")
      }
    }
    if isSynced, plan.records.contains(where: { library.content(of: $0.identifier) == nil }) {
      accuse("a sync is a success, and not every record is here")
    }
  }

  /// Notes the first thing that must never happen.
  mutating func accuse(_ sentence: String) { violation = violation ?? sentence }
}
