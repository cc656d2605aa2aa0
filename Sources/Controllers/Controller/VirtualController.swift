import Bytes
import HCI
import Timeline

/// A Bluetooth LE controller made of software: HCI towards its host, packets on an ``Air`` towards other controllers.
///
/// Its host stands on it as on any other ``PacketPipe``; each direction takes the latency of the profile. What
/// happens in one connection event reaches the host at one instant, in order.
///
/// Not modelled: hopping between data channels and the channel map, extended and periodic advertising, the resolving
/// list, flow control from controller to host, and the radio time that advertising and scanning take from
/// connections.
package final class VirtualController: PacketPipe, EventTarget, AdvertisingController {
  /// Name in draws and observations, such as `phone` or `recorder-2`.
  package let name: String
  /// How it differs from other controllers.
  package let profile: ControllerProfile
  /// The host.
  package var receiver: (any PacketReceiver)? {
    get { keptReceiver ?? weakReceiver }
    set {
      let isKept = newValue?.mayBeKept == true
      (keptReceiver, weakReceiver) = isKept ? (newValue, nil) : (nil, newValue)
    }
  }
  private var keptReceiver: (any PacketReceiver)?
  private weak var weakReceiver: (any PacketReceiver)?

  private let air: Air
  let medium: Medium
  let channels: AdvertisingChannels
  let loop: EventLoop
  let supportedCommands: SupportedCommands
  private(set) var station = 0
  private var isOpen = true

  private var inbound = DelayLine()
  private var outbound = DelayLine()
  private let inboundLatency: UInt64
  private let outboundLatency: UInt64

  /// Advertising parameters after a reset: an interval of 1.28 s (Vol 4, Part E, 7.8.5).
  private static let initialAdvertisingParameters = LEAdvertisingParameters(
    intervalUnits: 0x0800, ownAddressType: .public)
  /// Scan parameters after a reset: passive, 10 ms of every 10 ms (Vol 4, Part E, 7.8.10).
  private static let initialScanParameters = LEScanParameters(
    isActive: false, intervalUnits: 0x0010, windowUnits: 0x0010, ownAddressType: .public)

  // Set by the host; all of it is initial again after a reset.
  var eventMask = EventMask.initial
  var lowEnergyEventMask = LEEventMask.initial
  var randomAddress: BluetoothAddress?
  var advertisingParameters = VirtualController.initialAdvertisingParameters
  var advertisingData: [UInt8] = []
  var scanResponseData: [UInt8] = []
  var scanParameters = VirtualController.initialScanParameters
  var acceptList: [LEFilterEntry] = []
  var suggestedDataLength: LEDataLength
  /// Whether the host wrote a suggestion, so that new connections begin by asking for it.
  var asksForSuggestedLength = false
  var preferredPHYs = PHYPreference()

  // What it is doing.
  var advertiser: Advertiser?
  var scanner: Scanner?
  var initiator: Initiator?
  var links: [LinkEnd] = []
  /// ACL packets of the host that are not acknowledged yet, over all connections.
  var packetsInBuffers = 0
  /// Until when a connection event keeps the radio, in nanoseconds.
  var radioBusyUntil: UInt64 = 0

  private enum Alarm: UInt64 {
    case inbound
    case outbound
  }

  /// A controller with nothing to do, on `air`.
  ///
  /// Traps when a latency of the profile is not positive: a host that answers in no time could answer within the
  /// connection event.
  package init(_ name: String, _ profile: ControllerProfile, on air: Air) {
    precondition(
      profile.hostToControllerLatency > .zero && profile.controllerToHostLatency > .zero, "a pipe has a latency")
    self.name = name
    self.profile = profile
    self.air = air
    medium = air.medium
    channels = air.channels
    loop = air.loop
    supportedCommands = SupportedCommands(profile.supportedCommands)
    suggestedDataLength = profile.suggestedDataLength
    inboundLatency = UInt64(profile.hostToControllerLatency.wholeNanoseconds)
    outboundLatency = UInt64(profile.controllerToHostLatency.wholeNanoseconds)
    station = air.attach(self)
  }

  // MARK: Pipe

  /// Takes a packet of the host; it arrives after the latency of the profile.
  package func send(_ packet: consuming HCIPacket) {
    guard isOpen else { return }
    let due = loop.now.advanced(byNanoseconds: inboundLatency)
    if inbound.push(packet, due: due.nanoseconds) {
      loop.schedule(at: due, target: self, argument: Alarm.inbound.rawValue)
    }
  }

  /// Switches the controller off: its links go silent and the other ends notice by their supervision time-outs.
  package func close() {
    guard isOpen else { return }
    stopEverything()
    isOpen = false
    inbound.removeAll()
    outbound.removeAll()
    air.detach(self)
  }

  package func fire(_ argument: UInt64) {
    let now = loop.now.nanoseconds
    if argument == Alarm.inbound.rawValue {
      while let packet = inbound.pop(due: now) { take(packet) }
    } else if let receiver {
      while let packet = outbound.pop(due: now) { receiver.receive(packet) }
    } else {
      outbound.removeAll()
    }
  }

  private func take(_ packet: consuming HCIPacket) {
    switch packet.kind {
    case .acl: takeData(packet.bytes)
    case .command: takeCommand(packet.bytes)
    // A controller without voice and isochronous channels ignores the other kinds.
    case .event, .synchronous, .isochronous: break
    }
  }

  /// Sends a packet to the host.
  func emit(_ packet: consuming HCIPacket) {
    guard isOpen else { return }
    let due = loop.now.advanced(byNanoseconds: outboundLatency)
    if outbound.push(packet, due: due.nanoseconds) {
      loop.schedule(at: due, target: self, argument: Alarm.outbound.rawValue)
    }
  }

  /// Sends an event to the host, unless the host has masked it.
  func emit(_ event: Event) {
    if isWanted(event) { emit(event.packet) }
  }

  /// Whether the masks let an event through; those without a bit always pass (Core Specification Vol 4, Part E,
  /// 7.3.1).
  func isWanted(_ event: Event) -> Bool {
    if let subevent = event.subeventCode {
      return eventMask.contains(.leMeta) && lowEnergyEventMask.contains(LEEventMask(subevent))
    }
    switch event {
    case .disconnectionComplete: return eventMask.contains(.disconnectionComplete)
    case .encryptionChange: return eventMask.contains(.encryptionChange)
    case .encryptionKeyRefreshComplete: return eventMask.contains(.encryptionKeyRefreshComplete)
    case .readRemoteVersionInformationComplete: return eventMask.contains(.readRemoteVersionInformationComplete)
    case .dataBufferOverflow: return eventMask.contains(.dataBufferOverflow)
    default: return true
    }
  }

  // MARK: State

  /// Ends all activity without telling host or peers, as a reset does (7.3.2).
  func stopEverything() {
    stopAdvertising()
    scanner = nil
    initiator = nil
    listeningChanged()
    for end in links { end.vanish() }
    links.removeAll()
    packetsInBuffers = 0
  }

  func resetSettings() {
    eventMask = .initial
    lowEnergyEventMask = .initial
    randomAddress = nil
    advertisingParameters = Self.initialAdvertisingParameters
    advertisingData = []
    scanResponseData = []
    scanParameters = Self.initialScanParameters
    acceptList = []
    suggestedDataLength = profile.suggestedDataLength
    asksForSuggestedLength = false
    preferredPHYs = PHYPreference()
  }

  func listeningChanged() { air.setListening(self, scanner != nil || initiator != nil) }

  /// The address of this kind; `nil` without one. Without a resolving list the resolvable kinds fall back to the
  /// others (7.8.5).
  func ownAddress(_ type: OwnAddressType) -> BluetoothAddress? {
    switch type {
    case .public, .resolvableOrPublic: profile.publicAddress
    case .random, .resolvableOrRandom: randomAddress
    }
  }

  func accepts(_ address: BluetoothAddress) -> Bool { acceptList.contains(.device(address)) }

  func link(_ handle: ConnectionHandle) -> LinkEnd? { links.first { $0.handle == handle } }

  /// The lowest handle that no connection uses, as most controllers give them out. Readers of captures depend on it:
  /// `btmon` 5.66 knows no LE connection by its handle and crashes at an ATT request on any other than 0.
  func newHandle() -> ConnectionHandle {
    var handle: UInt16 = 0
    while link(ConnectionHandle(handle)) != nil { handle += 1 }
    return ConnectionHandle(handle)
  }

  func stream(_ purpose: String) -> ChoiceStream { loop.choices.stream("controller.\(name).\(purpose)") }

  func observe(
    _ content: @autoclosure () -> AirObservation.Content, _ radio: @autoclosure () -> RadioPacket?,
    of link: LinkIdentity?, at begin: UInt64, _ duration: UInt64
  ) {
    guard medium.observer != nil || medium.listener != nil else { return }
    let observation = AirObservation(
      instant: Instant(nanoseconds: begin), microseconds: Int(duration / 1000), sender: name, content: content(),
      radio: radio(), checksumStart: link?.checksumStart ?? AirObservation.advertisingChecksumStart)
    medium.observer?(observation)
    medium.listener?(observation)
  }
}
