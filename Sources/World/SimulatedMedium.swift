import Controllers
import HCI
import Requirements
import Timeline

/// The device that a controller belongs to: one of the two sides of the medium that steps can disturb.
public enum MediumSide: Hashable, Sendable {
  /// A phone, ours or a foreign one.
  case phone
  /// A recorder.
  case recorder
}

/// A fault of the medium that is planted to see whether a suite notices; nothing a scenario does takes it away.
public enum MediumFault: String, Hashable, Sendable, CaseIterable {
  /// Nothing gets through.
  case dead
  /// Six packets in ten are lost either way.
  case heavyLoss = "heavy-loss"
  /// Recorders hear nothing of what phones send.
  case oneWay = "one-way"
}

/// How the controllers of phones use the time of a connection event.
public enum CentralTiming: String, Hashable, Sendable, CaseIterable {
  /// At most twelve exchanges, as phones do.
  case phone
  /// At most six exchanges, as a USB dongle under Linux does.
  case dongle
  /// As many exchanges as fit into the interval, as a SoftDevice with a long event does.
  case softDevice = "soft-device"

  fileprivate var timing: LinkTiming {
    switch self {
    case .phone: .phone
    case .dongle: .dongle
    case .softDevice: .softDevice(eventLength: .seconds(4))
    }
  }
}

/// The air of a simulated world, and the virtual controllers on it.
public final class SimulatedMedium: AirControl {
  private let air: Air
  private let timing: CentralTiming
  private var phones: [VirtualController] = []
  private var recorders: [VirtualController] = []
  private var faults: [MediumFault] = []
  private var lossToRecorder: UInt32 = 0
  private var lossToPhone: UInt32 = 0
  private var burstToRecorder: BurstLoss?
  private var burstToPhone: BurstLoss?
  private var hasBursts = false
  public private(set) var isInterrupted = false
  private var millimetres = 1_000
  /// Called once, when something begins that may cost packets.
  package var onDisturbance: (() -> Void)?
  /// Told what somebody learnt who listens.
  package var onOverheard: ((OracleEvent.Overheard) -> Void)?
  private var eavesdropper: Eavesdropper?
  private var listeners: [(OverheardPacket) -> Void] = []
  /// Whether nothing was ever done that may cost packets.
  package private(set) var isClear = true
  private var alteration: ((MediumSide, inout ControllerProfile) -> Void)?

  /// All packets, in parts per million.
  private static let everything: UInt32 = 1_000_000
  /// Packets that ``MediumFault/heavyLoss`` costs, in parts per million.
  private static let heavyLossPartsPerMillion: UInt32 = 600_000

  /// An empty air; the controllers of phones will have this timing.
  public init(loop: EventLoop, phones timing: CentralTiming = .phone) {
    air = Air(loop: loop)
    self.timing = timing
  }

  /// Makes the controllers that come from now on unlike the usual ones.
  package func alterControllers(_ change: @escaping (MediumSide, inout ControllerProfile) -> Void) {
    alteration = change
  }

  /// Puts one more controller on the air and returns the pipe for its host. `subversion` is the version that a
  /// recorder's controller states, the firmware identifier of its SoftDevice; the newest one's unless stated.
  public func attach(_ name: String, _ side: MediumSide, subversion: UInt16? = nil) -> any PacketPipe {
    let controller: VirtualController
    switch side {
    case .phone:
      var profile = ControllerProfile.phone
      profile.timing = timing.timing
      alteration?(side, &profile)
      controller = VirtualController(name, profile, on: air)
      phones.append(controller)
      apply(to: [controller], recorders)
    case .recorder:
      var profile = ControllerProfile.recorder
      if let subversion { profile.subversion = subversion }
      alteration?(side, &profile)
      controller = VirtualController(name, profile, on: air)
      recorders.append(controller)
      apply(to: phones, [controller])
    }
    return controller
  }

  /// Switches a controller off and takes it from the air; a pipe of anything else stays as it is.
  package func detach(_ pipe: any PacketPipe) {
    guard let controller = (phones + recorders).first(where: { $0 === pipe }) else { return }
    controller.close()
    phones.removeAll { $0 === controller }
    recorders.removeAll { $0 === controller }
  }

  /// From now on advertisements that overlap on one channel spoil each other.
  package func letAdvertisementsCollide() {
    disturb()
    air.collisions = true
  }

  /// How many controllers are on the air.
  package var controllerCount: Int { phones.count + recorders.count }

  /// The longest time for which one connection kept its recorder's radio; `nil` while there was no connection. Advertising
  /// is not part of it.
  package var longestRadioTime: Duration? { air.longestRadioTime }

  /// How long the recorders' radios were on, all of them together.
  package var radioUse: RadioUse { air.radioUse }

  /// Octets of a record's data that could reach a phone in a second with this ATT_MTU, at least 23, as its connection stands
  /// now; `nil` without one. `phone` counts from 0 in the order in which phones were attached.
  package func octetsPerSecond(toPhone phone: Int, maximumTransmissionUnit: UInt16) -> Int64? {
    guard phones.indices.contains(phone) else { return nil }
    return air.notifiedOctetsPerSecond(to: phones[phone], maximumTransmissionUnit: maximumTransmissionUnit)
  }

  /// Plants faults for good, beside those that are planted already.
  public func plant(_ faults: [MediumFault]) {
    self.faults += faults
    if !faults.isEmpty { disturb() }
    apply()
  }

  public func lose(partsPerMillion: UInt32, _ direction: AirDirection) throws(ControlFailure) {
    disturb()
    if direction != .toPhone { lossToRecorder = partsPerMillion }
    if direction != .toRecorder { lossToPhone = partsPerMillion }
    apply()
  }

  public var loss: (toRecorder: UInt32, toPhone: UInt32) { (lossToRecorder, lossToPhone) }

  public func loseInBursts(_ burst: BurstLoss?, _ direction: AirDirection) throws(ControlFailure) {
    disturb()
    if direction != .toPhone { burstToRecorder = burst }
    if direction != .toRecorder { burstToPhone = burst }
    hasBursts = true
    apply()
  }

  public func interfere(_ interference: Interference?) throws(ControlFailure) {
    disturb()
    air.setInterference(interference)
  }

  public func blackOut(after delay: Duration, for duration: Duration) throws(ControlFailure) {
    disturb()
    air.blackOut(after: delay, for: duration)
  }

  public func interrupt() throws(ControlFailure) {
    disturb()
    isInterrupted = true
    apply()
  }

  public func resume() throws(ControlFailure) {
    isInterrupted = false
    apply()
  }

  public func mend() throws(ControlFailure) {
    isInterrupted = false
    lossToRecorder = 0
    lossToPhone = 0
    burstToRecorder = nil
    burstToPhone = nil
    air.setInterference(nil)
    air.endBlackouts()
    apply()
  }

  public func setDistance(millimetres: Int) throws(ControlFailure) {
    if millimetres != self.millimetres { disturb() }
    self.millimetres = millimetres
    apply()
  }

  /// Hears the packets of every connection that begins from now on, and what begins it. A run is the same with it.
  package func listen(_ hear: @escaping (OverheardPacket) -> Void) {
    listeners.append(hear)
    air.listener = { [weak self] observation in
      guard let self, let radio = observation.radio else { return }
      let packet = OverheardPacket(
        packet: radio, checksumStart: observation.checksumStart, instant: observation.instant)
      for listener in listeners { listener(packet) }
    }
  }

  public func eavesdrop() throws(ControlFailure) {
    guard eavesdropper == nil else { return }
    eavesdropper = Eavesdropper()
    listen { [weak self] packet in self?.overhear(packet) }
  }

  private func overhear(_ packet: OverheardPacket) {
    let learnt = eavesdropper?.hear(packet.packet, at: packet.instant) ?? []
    guard !learnt.isEmpty else { return }
    // Packets are told while their connection event is played; what follows from them comes after it.
    air.loop.schedule(after: .zero) { [weak self] in
      for overheard in learnt { self?.onOverheard?(overheard) }
    }
  }

  private func disturb() {
    guard isClear else { return }
    isClear = false
    onDisturbance?()
  }

  private func apply() { apply(to: phones, recorders) }

  /// Applies the current state to every pair of one of these phones and one of these recorders.
  private func apply(to phones: [VirtualController], _ recorders: [VirtualController]) {
    let planted = faults.contains(.heavyLoss) ? Self.heavyLossPartsPerMillion : 0
    let toRecorder = faults.contains(.oneWay) ? Self.everything : max(planted, lossToRecorder)
    let toPhone = max(planted, lossToPhone)
    for phone in phones {
      for recorder in recorders {
        air.setBroken(phone, recorder, isInterrupted || faults.contains(.dead))
        air.setLoss(from: phone, to: recorder, lostPartsPerMillion: toRecorder)
        air.setLoss(from: recorder, to: phone, lostPartsPerMillion: toPhone)
        if hasBursts {
          air.setBurstLoss(from: phone, to: recorder, burstToRecorder)
          air.setBurstLoss(from: recorder, to: phone, burstToPhone)
        }
        air.setDistance(phone, recorder, millimetres: millimetres)
      }
    }
  }
}
