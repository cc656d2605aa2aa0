import Timeline
import Trace
import Verdicts

/// Follows what phone and recorder say to each other, so that a failure can tell the last of it and what was left open.
///
/// It keeps the last few events and puts them into words only when it is asked.
package struct Conversation {
  /// Events that are kept; a report shows fewer.
  static let limit = 40

  private struct Item {
    var event: ProductEvent
    /// How many events of the same kind in a row it stands for.
    var times = 1
    /// Whether the write of the request was acknowledged.
    var isAccepted = false
  }

  private let viewpoint: TraceSource.Part
  private var items: [Item] = []
  private var ledger = ObligationLedger()
  /// The last of the row of packets for which the last item stands.
  private var lastPacket: PlainPacket?
  /// Whether neither that item nor the ledger knows of it: they need the last of a row only.
  private var isBehind = false

  /// Begins before the first event. Links are seen from `viewpoint`, since both ends tell the same of them.
  package init(from viewpoint: TraceSource.Part = .phone) { self.viewpoint = viewpoint }

  /// Takes the next event.
  package mutating func observe(_ event: ProductEvent) {
    let packet = event.plainPacket
    if let packet, lastPacket?.isOfRow(event) == true {
      items[items.count - 1].times += 1
      lastPacket = packet
      isBehind = true
      return
    }
    guard isOfInterest(event) else { return }
    catchUp()
    lastPacket = packet
    ledger.observe(event)
    if case .fileTransfer(.requestTaken) = event.happening, let last = lastRequest(event) {
      items[last].isAccepted = true
      return
    }
    if let last = items.indices.last, Self.isMore(of: items[last].event, event) {
      items[last].event = event
      items[last].times += 1
      return
    }
    if items.count == Self.limit { items.removeFirst() }
    items.append(Item(event: event))
  }

  /// Tells the last item and the ledger of the packet that they do not know of.
  private mutating func catchUp() {
    guard isBehind, let packet = lastPacket?.event else { return }
    isBehind = false
    items[items.count - 1].event = packet
    ledger.observe(packet)
  }

  private func isOfInterest(_ event: ProductEvent) -> Bool {
    switch event.happening {
    case .serviceUsed, .oracle(.recorderClock), .oracle(.progressShown), .oracle(.update(.possessions)),
      .oracle(.update(.shown)), .oracle(.execution(.console)):
      false
    case .advertisingStarted, .advertisingStopped: event.source.part == .recorder
    default: event.source.part == viewpoint || !event.source.isHost
    }
  }

  /// Position of the request that an acknowledgement is for, if nothing came between them on this link.
  private func lastRequest(_ event: ProductEvent) -> Int? {
    guard let index = items.lastIndex(where: { $0.event.link == event.link && $0.event.source == event.source }),
      case .fileTransfer(.requested) = items[index].event.happening
    else { return nil }
    return index
  }

  /// Whether an event only goes on with what the last one did.
  private static func isMore(of last: ProductEvent, _ event: ProductEvent) -> Bool {
    guard last.source == event.source, last.link == event.link else { return false }
    // Asked with every packet of a transfer, and not by the pair, which would be copied.
    if case .fileTransfer(.data) = event.happening, case .fileTransfer(.data) = last.happening { return true }
    return switch (last.happening, event.happening) {
    case (.firmwareUpdate(.packet(let before, _)), .firmwareUpdate(.packet(let now, _))): before == now
    case (.attributesKnown(let before), .attributesKnown(let now)): before == now
    case (.advertisementHeard(let before, _, _), .advertisementHeard(let now, _, _)): before == now
    default: false
    }
  }

  /// Returns the last `count` steps of the conversation that began by `end`, oldest first, a line each: time in seconds,
  /// who, what.
  package func ladder(_ count: Int, until end: Instant? = nil) -> [String] {
    let shown = caughtUp.items.filter { item in end.map { item.event.instant <= $0 } ?? true }.suffix(count)
    let names = shown.map(\.event.who)
    let width = names.map(\.count).max() ?? 0
    return zip(shown, names).map { item, who in
      let pad = String(repeating: " ", count: width - who.count)
      return "\(item.event.instant.milliseconds)  \(who)\(pad)  \(Self.words(item))"
    }
  }

  private static func words(_ item: Item) -> String {
    // Each answer of a discovery is an event; that it goes on says enough.
    if case .attributesKnown = item.event.happening { return item.event.happening.words }
    let words = item.event.happening.words + (item.isAccepted ? " (the write was acknowledged)" : "")
    return item.times == 1 ? words : "\(words) (the last of \(item.times) in a row)"
  }

  /// Returns what somebody owes an answer or the rest of something at `end`, a sentence each, oldest first. Where nothing
  /// is owed, what was cut off when its link ended.
  package func openObligations(at end: Instant) -> [String] {
    caughtUp.ledger.sentences(at: end)
  }

  private var caughtUp: Conversation {
    var conversation = self
    conversation.catchUp()
    return conversation
  }
}

extension Instant {
  /// Seconds with three decimals, for people.
  package var milliseconds: String { String(description.dropLast(3)) }
}
