import Bytes
import DictofunProtocol
import Timeline
import Verdicts

/// APP-1.1.3: the phone is paired with one recorder only.
struct OneRecorderAtATime: Monitor {
  private struct Pairing {
    var phone: LinkEnds.End
    var recorder: LinkEnds.End
    var word: String
  }

  let declaration = MonitorDeclaration(
    "APP-1.1.3", "the phone does not pair with a second recorder before it has been unpaired from the first",
    judges: .phone, shows: ["one"],
    needsWorld: "which bonds the phone still has")
  let interests: EventKinds = [.security, .services, .oracle]
  private(set) var preconditionCount = 0
  private var pairings: [Pairing] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    if case .oracle(.bondForgotten(let phone)) = event.happening {
      // What is seen from recorders is about one phone, whose address may have been another.
      pairings.removeAll { if case .number(let number) = $0.phone { number == phone } else { true } }
      return .pending
    }
    guard let ends = LinkEnds(event) else { return .pending }
    switch event.happening {
    case .paired:
      preconditionCount += 1
      let known = pairings.first { $0.phone == ends.phone }
      pairings.removeAll { $0.phone == ends.phone }
      pairings.append(Pairing(phone: ends.phone, recorder: ends.recorder, word: ends.words.recorder))
      guard let known, known.recorder != ends.recorder else { return .met }
      return .violated(
        "\(ends.words.phone) paired with \(ends.words.recorder) while it was still paired with \(known.word)")
    case .encrypted:
      guard !pairings.contains(where: { $0.phone == ends.phone }) else { return .pending }
      // The event before `paired` names the same recorder; without a pairing the link stands on a bond.
      pairings.append(Pairing(phone: ends.phone, recorder: ends.recorder, word: ends.words.recorder))
    case .unpairAnswered(isTaken: true): pairings.removeAll { $0.phone == ends.phone && $0.recorder == ends.recorder }
    default: break
    }
    return .pending
  }
}

/// APP-1.2.2.2: the progress that is shown never goes back, never claims more than arrived, and ends at the whole.
struct HonestProgress: Monitor {
  private struct Download {
    var phone: UInt16
    var identifier: RecordIdentifier
    var received: UInt32 = 0
    var shown: UInt32 = 0
  }

  let declaration = MonitorDeclaration(
    "APP-1.2.2.2", "the progress shown never goes back and never exceeds what has arrived", judges: .phone,
    shows: ["progress"], needsWorld: "the phone's own view")
  let interests: EventKinds = [.fileTransfer, .fileData, .oracle]
  let needsPlayedPhone = true
  let isLastPacketEnough = true
  private(set) var preconditionCount = 0
  /// The running download of each phone.
  private var downloads: [Download] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .fileTransfer(.requested(.fileData(let identifier))):
      downloads.removeAll { $0.phone == event.source.index }
      downloads.append(Download(phone: event.source.index, identifier: identifier))
    case .fileTransfer(.data(_, _, let received, _)):
      guard let index = downloads.firstIndex(where: { $0.phone == event.source.index }) else { return .pending }
      downloads[index].received = received
    case .oracle(.progressShown(let phone, let identifier, let received, let total)):
      guard let index = downloads.firstIndex(where: { $0.phone == phone && $0.identifier == identifier }) else {
        return .pending
      }
      preconditionCount += 1
      let download = downloads[index]
      downloads[index].shown = received
      if received > total { return .violated("the phone showed \(received) of \(total) octets of \(identifier)") }
      if received > download.received {
        return .violated("the phone showed \(received) octets of \(identifier) when \(download.received) had arrived")
      }
      if received < download.shown {
        return .violated("the progress shown for \(identifier) went back from \(download.shown) to \(received) octets")
      }
      return received == total ? .met : .pending
    default: break
    }
    return .pending
  }
}
