import Bytes
import DictofunProtocol
import Timeline
import Verdicts

/// APP-1.2: no record is fetched twice.
///
/// The same record is the same identifier and size on the same recorder, not absent from a complete list in between, and
/// not removed by the user.
struct FetchesOnce: Monitor {
  /// Records and sizes that are remembered; beyond it the oldest is forgotten.
  static let limit = 4096

  private struct Kept {
    var phone: UInt16
    var recorder: BluetoothAddress?
    var identifier: RecordIdentifier
    var octets: UInt32
    var wasOffered = false
  }

  let declaration = MonitorDeclaration(
    "APP-1.2", "the phone does not fetch a record that it has", judges: .pair, shows: ["once"],
    needsWorld: "what the phone has")
  let interests: EventKinds = [.links, .fileTransfer, .oracle]
  let needsPlayedPhone = true
  private(set) var preconditionCount = 0
  private var kept: [Kept] = []
  /// Records whose sizes were told, as if they were kept.
  private var sizes: [Kept] = []
  private var dictated = DictatedRequests()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    let isDictated = dictated.wrote(event)
    switch event.happening {
    case .oracle(.recordStored(let phone, let identifier, let octets)):
      let recorder = sizes.last { $0.phone == phone && $0.identifier == identifier }?.recorder
      if kept.count == Self.limit { kept.removeFirst() }
      kept.append(Kept(phone: phone, recorder: recorder, identifier: identifier, octets: octets))
    case .oracle(.recordDeleted(let phone, let identifier, _)):
      kept.removeAll { $0.phone == phone && $0.identifier == identifier }
    default: break
    }
    guard event.source.part == .phone else { return .pending }
    let (phone, recorder) = (event.source.index, event.peer)
    switch event.happening {
    case .fileTransfer(.listed(let identifiers)):
      kept.removeAll { $0.phone == phone && $0.recorder == recorder && !identifiers.contains($0.identifier) }
      for index in kept.indices where kept[index].phone == phone && kept[index].recorder == recorder {
        kept[index].wasOffered = true
        preconditionCount += 1
      }
    case .fileTransfer(.informed(let identifier?, let size)):
      sizes.removeAll { $0.phone == phone && $0.recorder == recorder && $0.identifier == identifier }
      if sizes.count == Self.limit { sizes.removeFirst() }
      sizes.append(Kept(phone: phone, recorder: recorder, identifier: identifier, octets: size))
    case .fileTransfer(.requested(.fileData(let identifier))):
      return isDictated ? .pending : requested(identifier, by: phone, from: recorder)
    case .linkDown: return ended(phone)
    default: break
    }
    return .pending
  }

  private mutating func requested(
    _ identifier: RecordIdentifier, by phone: UInt16, from recorder: BluetoothAddress?
  ) -> Observation {
    func isMeant(_ record: Kept) -> Bool {
      record.phone == phone && record.recorder == recorder && record.identifier == identifier
    }
    guard let size = sizes.last(where: isMeant)?.octets,
      kept.contains(where: { isMeant($0) && $0.octets == size })
    else { return .pending }
    return .violated("phone \(phone) fetched \(identifier), which it had already")
  }

  private mutating func ended(_ phone: UInt16) -> Observation {
    var wasOffered = false
    for index in kept.indices where kept[index].phone == phone && kept[index].wasOffered {
      kept[index].wasOffered = false
      wasOffered = true
    }
    return wasOffered ? .met : .pending
  }
}

/// APP-1.2: of the records of one list the phone fetches the newest first. One whose size or data was asked for in vain
/// before, on an earlier link or for an earlier list, may wait for the others.
struct FetchesNewestFirst: Monitor {
  /// Interrupted transfers that are remembered; beyond it the oldest is forgotten.
  static let limit = 4096

  private struct Link {
    var listed: [RecordIdentifier] = []
    /// What was asked for last of that list.
    var last: RecordIdentifier?
    /// The record whose size or data was asked for last; `nil` where it arrived whole.
    var asked: RecordIdentifier?
  }

  let declaration = MonitorDeclaration(
    "APP-1.2", "of the records of one list the phone fetches the newest first", judges: .pair, shows: ["newest"])
  let interests: EventKinds = [.links, .fileTransfer, .oracle]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  /// What was asked for in vain.
  private var interrupted: [RecordIdentifier] = []
  private var dictated = DictatedRequests()

  init() {}

  /// A link or the work on a list is over.
  private mutating func leave(_ link: Link?) {
    guard let asked = link?.asked, !interrupted.contains(asked) else { return }
    if interrupted.count == Self.limit { interrupted.removeFirst() }
    interrupted.append(asked)
  }

  mutating func observe(_ event: ProductEvent) -> Observation {
    if dictated.wrote(event) { return .pending }
    switch event.happening {
    case .linkUp: links[event] = Link()
    case .linkDown, .undetermined:
      leave(links[event])
      links[event] = nil
    case .fileTransfer(.listed(let identifiers)):
      leave(links[event])
      links[event] = Link(listed: identifiers)
    case .fileTransfer(.completed): links[event]?.asked = nil
    case .fileTransfer(.requested(.fileInformation(let identifier))): links[event]?.asked = identifier
    case .fileTransfer(.requested(.fileData(let identifier))):
      guard let link = links[event], link.listed.contains(identifier) else { return .pending }
      links[event]?.last = identifier
      links[event]?.asked = identifier
      guard let last = link.last, last != identifier, !interrupted.contains(identifier) else { return .pending }
      preconditionCount += 1
      guard let newer = identifier.date, let older = last.date, older.seconds(since: newer) < 0 else { return .met }
      return .violated("the phone fetched \(last) before \(identifier), which is newer")
    default: break
    }
    return .pending
  }
}

/// APP-1.2: what the phone has of a record is as long as the recorder said.
struct StoresWholeRecords: Monitor {
  /// Sizes that are remembered; beyond it the oldest is forgotten.
  static let limit = 4096

  private struct Size {
    var phone: UInt16
    var identifier: RecordIdentifier
    var octets: UInt32
  }

  let declaration = MonitorDeclaration(
    "APP-1.2", "a record in the phone's library has as many octets as the recorder said", judges: .pair,
    needsWorld: "what the phone has")
  let interests: EventKinds = [.fileTransfer, .oracle]
  let needsPlayedPhone = true
  private(set) var preconditionCount = 0
  private var sizes: [Size] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .fileTransfer(.informed(let identifier?, let octets)) where event.source.part == .phone:
      sizes.removeAll { $0.phone == event.source.index && $0.identifier == identifier }
      if sizes.count == Self.limit { sizes.removeFirst() }
      sizes.append(Size(phone: event.source.index, identifier: identifier, octets: octets))
    case .oracle(.recordStored(let phone, let identifier, let octets)):
      guard let size = sizes.last(where: { $0.phone == phone && $0.identifier == identifier }) else { return .pending }
      preconditionCount += 1
      if octets == size.octets { return .met }
      return .violated("phone \(phone) stored \(octets) octets of \(identifier), which has \(size.octets)")
    default: break
    }
    return .pending
  }
}
