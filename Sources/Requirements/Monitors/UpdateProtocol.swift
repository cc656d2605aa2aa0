import Bytes
import SecureDFU
import Trace
import Verdicts

/// APP-1.4.1: the phone speaks the update protocol as it is meant (nRF5 SDK 17.1.0, `nrf_dfu_req_handler.c`).
///
/// It switches notifications on before it asks, creates an object of the image only after the bootloader accepted an
/// init packet, sends no more than the object has room for, executes only what is complete and what the bootloader
/// confirmed as it was sent, and never pairs with a bootloader. Where a link goes on with what an earlier one began,
/// the bootloader's word counts. Links on which a step writes octets of its own choice are not judged.
struct UpdateProtocol: Monitor {
  /// Bootloaders that are remembered.
  static let limit = 64
  /// ATT error of Nordic's services for a client that did not switch its configuration on.
  private static let configurationImproper: UInt8 = 0xFD

  /// An object, as the requests and packets of one link made it.
  private struct Object {
    /// Where it begins in what it is a part of.
    var base: UInt32?
    /// Octets that it has; 0 where there is none, `nil` where it was created on another link.
    var size: UInt32?
    /// Octets that were sent since it was created.
    var sent: UInt32 = 0
    /// Whether the bootloader has confirmed all that was sent.
    var isConfirmed = false
  }

  private struct Link {
    var isBootloader = false
    var isPairing = false
    var isSubscribed = false
    var current: FirmwareObject?
    var command = Object()
    var data = Object()

    subscript(object: FirmwareObject) -> Object {
      get { object == .command ? command : data }
      set { if object == .command { command = newValue } else { data = newValue } }
    }
  }

  private struct Pair: Equatable {
    var phone: TraceSource
    var bootloader: BluetoothAddress?
  }

  let declaration = MonitorDeclaration(
    "APP-1.4.1", "the phone executes only objects that the bootloader confirmed, and sends them as the protocol says",
    judges: .phone, shows: ["confirmed"])
  let interests: EventKinds = [.links, .security, .firmwareUpdate, .firmwareData, .oracle]
  private(set) var preconditionCount = 0
  private var links = LinkTable<Link>()
  /// Bootloaders that accepted an init packet which was not replaced since.
  private var accepted: [Pair] = []

  init() {}

  mutating func observe(_ event: ProductEvent) -> Observation {
    switch event.happening {
    case .linkUp: links[event] = Link()
    case .linkDown, .undetermined: links[event] = nil
    case .oracle(.update(.improvised(let phone))): links.forget(phone: phone)
    case .pairingStarted:
      guard
        links.change(
          event,
          {
            $0.isPairing = true; return $0.isBootloader
          }) == true
      else { return .pending }
      return Self.paired
    case .firmwareUpdate(.packet(let object, let octets)):
      return links.change(event) { Self.send(octets, to: object, &$0) } ?? .pending
    case .firmwareUpdate(let happening):
      guard var link = links[event] else { return .pending }
      let observation = follow(happening, &link, Pair(phone: event.source, bootloader: event.peer))
      links[event] = link
      return observation
    default: break
    }
    return .pending
  }

  private static let paired = Observation.violated("the phone paired with a bootloader, which cannot bond")

  private static func send(_ octets: UInt32, to object: FirmwareObject?, _ link: inout Link) -> Observation {
    guard let object else { return .pending }
    link[object].sent &+= octets
    link[object].isConfirmed = false
    guard let size = link[object].size, link[object].sent > size else { return .pending }
    let sent = link[object].sent
    // Said once an object.
    link[object].size = nil
    return .violated(
      size == 0
        ? "the phone sent \(octets) octets of \(object.phrase) that it had not created"
        : "the phone sent \(sent) octets of \(object.phrase), which has \(size)")
  }

  private mutating func follow(
    _ happening: FirmwareUpdateHappening, _ link: inout Link, _ pair: Pair
  ) -> Observation {
    switch happening {
    case .bootloaderKnown:
      link.isBootloader = true
      preconditionCount += 1
      if link.isPairing { return Self.paired }
    case .subscribed(let isOn): link.isSubscribed = isOn
    case .requestRefused(Self.configurationImproper) where !link.isSubscribed:
      return .violated("the phone sent a request to the update service before it enabled its notifications")
    case .requested(let request): return ask(request, &link, pair)
    case .answered(let request, let answer): answered(request, answer, &link, pair)
    case .receipt(let answer):
      if let object = answer.object, answer.isAsSent == true { Self.checked(answer, &link[object]) }
    default: break
    }
    return .pending
  }

  // MARK: What the phone asks

  private mutating func ask(_ request: BootloaderRequest, _ link: inout Link, _ pair: Pair) -> Observation {
    guard link.isSubscribed else {
      // Said once a link.
      link.isSubscribed = true
      return .violated("the phone sent a request to a bootloader before it enabled its notifications")
    }
    switch request.opCode {
    case .selectObject?: link.current = request.object
    case .createObject?:
      link.current = request.object
      guard let object = request.object else { return .pending }
      link[object].size = 0
      link[object].sent = 0
      link[object].isConfirmed = false
      if object == .command { accepted.removeAll { $0 == pair } }
      if object == .data, !accepted.contains(pair) {
        return .violated("the phone created an object of the image before an init packet was accepted")
      }
    case .executeObject?: return execute(link)
    default: break
    }
    return .pending
  }

  private func execute(_ link: Link) -> Observation {
    guard let current = link.current else { return .pending }
    let object = link[current]
    guard object.isConfirmed else {
      return .violated("the phone executed \(current.phrase) that the bootloader had not confirmed as sent")
    }
    if let size = object.size, size > object.sent {
      return .violated("the phone executed \(current.phrase) while \(size - object.sent) octets of it were missing")
    }
    return .met
  }

  // MARK: What the bootloader answers

  private mutating func answered(
    _ request: BootloaderRequest, _ answer: BootloaderAnswer, _ link: inout Link, _ pair: Pair
  ) {
    guard let object = answer.object else { return }
    let isSuccess = answer.reply.isSuccess
    switch request.opCode {
    case .createObject? where isSuccess:
      link[object].size = request.size
      if object == .command {
        link.command.base = 0
        link.data = Object(base: 0, size: 0)
      }
    case .executeObject?:
      if object == .command {
        accepted.removeAll { $0 == pair }
        if isSuccess { accept(pair) }
      } else if isSuccess {
        link.data.base = link.data.size == nil ? nil : link.data.base.map { $0 &+ link.data.sent }
        link.data.size = 0
        link.data.sent = 0
      }
    case .selectObject? where isSuccess: selected(object, answer, &link, pair)
    case .getChecksum? where isSuccess: Self.checked(answer, &link[object])
    default: break
    }
  }

  private mutating func accept(_ pair: Pair) {
    if accepted.count == Self.limit { accepted.removeFirst() }
    accepted.append(pair)
  }

  private mutating func selected(
    _ object: FirmwareObject, _ answer: BootloaderAnswer, _ link: inout Link, _ pair: Pair
  ) {
    guard let state = answer.reply.object else { return }
    link[object].isConfirmed = answer.isAsSent != false
    if state.offset == 0 {
      if object == .command { accepted.removeAll { $0 == pair } }
      link[object].base = 0
      link[object].size = link[object].size ?? 0
    } else if answer.isAsSent != true {
      link[object].size = nil
    }
  }

  /// Where the end of an object was lost, the phone may send it again.
  private static func checked(_ answer: BootloaderAnswer, _ object: inout Object) {
    object.isConfirmed = answer.isAsSent != false
    guard let state = answer.reply.object else { return }
    if let base = object.base, state.offset >= base, answer.isAsSent == true || state.offset - base <= object.sent {
      object.sent = state.offset - base
    } else if answer.isAsSent == false {
      object.size = nil
    }
  }
}

extension FirmwareObject {
  /// What it is, in a sentence.
  fileprivate var phrase: String { self == .command ? "an init packet" : "an object of the image" }
}
