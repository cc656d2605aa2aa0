import DictofunProtocol
import Text
import Timeline
import Trace

/// What one side owes the other: an answer to a request, the rest of what was announced, the octets of a size that was
/// told.
struct ObligationLedger {
  /// Obligations that are kept; beyond it the oldest is forgotten.
  static let limit = 32
  /// Sentences that are told.
  static let told = 3

  private enum Duty {
    case answer(ControlPointRequest)
    case list(announced: Int, present: Int)
    case record(RecordIdentifier?, received: UInt32, size: UInt32?)
    case battery
    case time
    case buttonless(ButtonlessRequest)
    case bootloader(BootloaderRequest)
    case object(FirmwareObject, size: UInt32, sent: UInt64)
    case pairing
  }

  private struct Entry {
    let source: TraceSource
    let link: UInt32
    let since: Instant
    var duty: Duty
    /// When its link ended.
    var cut: Instant?

    /// Whether an event concerns it: it is of the same link, which is still up.
    func isOf(_ event: ProductEvent) -> Bool { cut == nil && source == event.source && link == event.link }
  }

  private var entries: [Entry] = []

  /// Takes the next event of one end of the links.
  mutating func observe(_ event: ProductEvent) {
    switch event.happening {
    case .linkDown:
      for index in entries.indices where entries[index].isOf(event) { entries[index].cut = event.instant }
    case .undetermined(.endNotSeen): entries.removeAll { $0.isOf(event) }
    case .pairingStarted: owe(.pairing, event)
    case .paired, .pairingFailed: settle(event) { if case .pairing = $0 { true } else { false } }
    case .batteryAsked: owe(.battery, event)
    case .batteryRead: settle(event) { if case .battery = $0 { true } else { false } }
    case .timeAsked: owe(.time, event)
    case .timeServed, .timeRefused: settle(event) { if case .time = $0 { true } else { false } }
    case .fileTransfer(let happening): follow(happening, event)
    case .firmwareUpdate(let happening): follow(happening, event)
    default: break
    }
  }

  private mutating func follow(_ happening: FileTransferHappening, _ event: ProductEvent) {
    switch happening {
    case .requested(let request):
      settle(event, Self.isOfRequest)
      // What was cut off is taken up again.
      entries.removeAll { $0.source == event.source && $0.cut != nil && Self.isOfRequest($0.duty) }
      if request != .receiveComplete { owe(.answer(request), event) }
    case .requestTaken: break
    case .requestRefused, .answerNotEnabled, .listed, .informed, .fileSystemStatus, .status, .completed:
      settle(event, Self.isOfRequest)
    case .valueRead, .notUnderstood: break
    case .listing(let announced, let present):
      change(event, Self.isOfRequest) { $0 = .list(announced: announced, present: present) }
    case .data(let identifier, _, let received, let size):
      if let size, received > size, !entries.contains(where: { $0.isOf(event) && Self.isOfRequest($0.duty) }) {
        owe(.record(identifier, received: received, size: size), event)
      }
      change(event, Self.isOfRequest) { $0 = .record(identifier, received: received, size: size) }
    }
  }

  private mutating func follow(_ happening: FirmwareUpdateHappening, _ event: ProductEvent) {
    switch happening {
    case .buttonlessRequested(let request): owe(.buttonless(request), event)
    case .buttonlessAnswered: settle(event) { if case .buttonless = $0 { true } else { false } }
    case .requested(let request):
      if request.isAnswered { owe(.bootloader(request), event) }
      if request.opCode == .executeObject || request.opCode == .createObject { settle(event, Self.isObject) }
      if let object = request.object, let size = request.size { owe(.object(object, size: size, sent: 0), event) }
    case .answered, .requestRefused:
      settle(event) { if case .bootloader = $0 { true } else { false } }
    case .packet(_, let octets):
      change(event, Self.isObject) { duty in
        guard case .object(let object, let size, let sent) = duty else { return }
        duty = .object(object, size: size, sent: sent + UInt64(octets))
      }
    case .bootloaderKnown, .subscribed, .receipt, .notUnderstood: break
    }
  }

  private static func isOfRequest(_ duty: Duty) -> Bool {
    switch duty {
    case .answer, .list, .record: true
    default: false
    }
  }

  private static func isObject(_ duty: Duty) -> Bool { if case .object = duty { true } else { false } }

  // MARK: Keeping

  private mutating func owe(_ duty: Duty, _ event: ProductEvent) {
    if entries.count == Self.limit { entries.removeFirst() }
    entries.append(Entry(source: event.source, link: event.link, since: event.instant, duty: duty))
  }

  private mutating func settle(_ event: ProductEvent, _ isMeant: (Duty) -> Bool) {
    entries.removeAll { $0.isOf(event) && isMeant($0.duty) }
  }

  private mutating func change(_ event: ProductEvent, _ isMeant: (Duty) -> Bool, _ body: (inout Duty) -> Void) {
    guard let index = entries.lastIndex(where: { $0.isOf(event) && isMeant($0.duty) }) else { return }
    body(&entries[index].duty)
  }

  // MARK: Telling

  /// A sentence for each open obligation, oldest first; where there is none, for the last that were cut off.
  func sentences(at end: Instant) -> [String] {
    let open = entries.filter { $0.cut == nil && !isFulfilled($0.duty) }
    let shown = open.isEmpty ? entries.filter { !isFulfilled($0.duty) }.suffix(1) : open.suffix(Self.told)
    return shown.map { entry in
      let asked = "asked at \(entry.since.milliseconds) s"
      let state =
        entry.cut.map { "cut off when the link ended at \($0.milliseconds) s" } ?? "open at \(end.milliseconds) s"
      return "\(sentence(entry)) (\(asked), \(state))"
    }
  }

  private func isFulfilled(_ duty: Duty) -> Bool {
    if case .object(_, let size, let sent) = duty { sent == UInt64(size) } else { false }
  }

  private func sentence(_ entry: Entry) -> String {
    switch entry.duty {
    case .answer(let request): return "the phone \(request.words), and the recorder has not answered"
    case .list(let announced, let present):
      return
        "the list announced \(Wording.count(announced, "record")), \(present) \(present == 1 ? "was" : "were") sent"
    case .record(let identifier, let received, let size):
      let name = identifier.map { "record \($0)" } ?? "the record"
      guard let size else {
        return "\(name) was asked for without its size; \(NumberText.octets(received)) were sent"
      }
      return "\(name) has \(NumberText.octets(size)), \(NumberText.grouped(received)) were sent"
    case .battery: return "the phone asked for the battery level, and the recorder has not answered"
    case .time: return "the recorder asked for the time, and the phone has not answered"
    case .buttonless(let request):
      return "the phone asked the application to \(request.words), and it has not answered"
    case .bootloader(let request): return "the phone asked the bootloader to \(request.words), and it has not answered"
    case .object(let object, let size, let sent):
      return "\(object.words) has a part of \(NumberText.octets(size)), \(NumberText.grouped(sent)) were sent"
    case .pairing: return "a pairing began and has not ended"
    }
  }
}
