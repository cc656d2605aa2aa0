import DictofunProtocol
import Timeline
import Verdicts

/// APP-2.3.1: the phone never asks for a removed record again.
///
/// The same record is the same identifier and size, not absent from a complete list of its recorder in between.
/// Anything else is a new one.
struct RemovedStaysRemoved: Monitor {
  /// Removed records, lists and sizes that are remembered; beyond it the oldest is forgotten.
  static let limit = 4096

  private struct Removed {
    var phone: UInt16
    var identifier: RecordIdentifier
    var octets: UInt32
    /// The recorder that listed it; `nil` where it was not listed in this run.
    var recorder: LinkEnds.End?
    var wasOffered = false
  }

  private struct Listing {
    var phone: UInt16
    var recorder: LinkEnds.End?
    var identifiers: [RecordIdentifier]
  }

  private struct Size {
    var phone: UInt16
    var recorder: LinkEnds.End?
    var identifier: RecordIdentifier
    var octets: UInt32
  }

  let declaration = MonitorDeclaration(
    "APP-2.3.1", "the phone never asks for the data of a removed record", judges: .phone,
    shows: ["never"], needsWorld: "what the user removed")
  let interests: EventKinds = [.links, .fileTransfer, .oracle]
  private(set) var preconditionCount = 0
  private var removed: [Removed] = []
  private var listings: [Listing] = []
  private var sizes: [Size] = []
  private var dictated = DictatedRequests()

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    // Where a recorder sees it, there is one phone that removes anything.
    let phone = event.source.part == .recorder ? 0 : event.source.index
    let recorder = LinkEnds(event)?.recorder
    let isDictated = dictated.wrote(event)
    switch event.happening {
    case .oracle(.recordDeleted(let phone, let identifier, let octets)):
      remove(phone, identifier, octets)
    case .fileTransfer(.listed(let identifiers)):
      listings.removeAll { $0.phone == phone && $0.recorder == recorder }
      listings.append(Listing(phone: phone, recorder: recorder, identifiers: identifiers))
      offer(identifiers, by: recorder, to: phone)
    case .fileTransfer(.informed(let identifier?, let octets)):
      sizes.removeAll { $0.phone == phone && $0.recorder == recorder && $0.identifier == identifier }
      if sizes.count == Self.limit { sizes.removeFirst() }
      sizes.append(Size(phone: phone, recorder: recorder, identifier: identifier, octets: octets))
    case .fileTransfer(.requested(.fileData(let identifier))):
      return isDictated ? .pending : requested(identifier, by: phone, from: recorder)
    case .linkDown: return ended(phone)
    default: break
    }
    return .pending
  }

  private mutating func remove(_ phone: UInt16, _ identifier: RecordIdentifier, _ octets: UInt32) {
    if removed.count == Self.limit { removed.removeFirst() }
    let recorder = listings.last { $0.phone == phone && $0.identifiers.contains(identifier) }?.recorder
    removed.append(Removed(phone: phone, identifier: identifier, octets: octets, recorder: recorder))
  }

  private mutating func offer(_ identifiers: [RecordIdentifier], by recorder: LinkEnds.End?, to phone: UInt16) {
    guard !removed.isEmpty else { return }
    let offered = Set(identifiers)
    removed.removeAll {
      $0.phone == phone && ($0.recorder == nil || $0.recorder == recorder) && !offered.contains($0.identifier)
    }
    for index in removed.indices where removed[index].phone == phone && offered.contains(removed[index].identifier) {
      if removed[index].recorder == nil { removed[index].recorder = recorder }
      guard removed[index].recorder == recorder else { continue }
      removed[index].wasOffered = true
      preconditionCount += 1
    }
  }

  private mutating func requested(
    _ identifier: RecordIdentifier, by phone: UInt16, from recorder: LinkEnds.End?
  ) -> Observation {
    let size = sizes.last { $0.phone == phone && $0.recorder == recorder && $0.identifier == identifier }?.octets
    let isRemoved = removed.contains {
      $0.phone == phone && $0.identifier == identifier && ($0.recorder == nil || $0.recorder == recorder)
        && (size == nil || size == $0.octets)
    }
    return isRemoved ? .violated("phone \(phone) asked for the removed record \(identifier)") : .pending
  }

  /// The chance to ask for what was offered is over.
  private mutating func ended(_ phone: UInt16) -> Observation {
    var wasOffered = false
    for index in removed.indices where removed[index].phone == phone && removed[index].wasOffered {
      removed[index].wasOffered = false
      wasOffered = true
    }
    return wasOffered ? .met : .pending
  }

  mutating func finish(at instant: Instant) -> Observation {
    removed.contains { $0.wasOffered } ? .met : .pending
  }
}
