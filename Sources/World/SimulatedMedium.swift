import Controllers
import HCI
import Timeline

/// Whose controller it is: the two sides of the medium that steps can disturb.
public enum MediumSide: Hashable, Sendable {
  /// A phone, ours or a guest's.
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

/// The air of a simulated world, and the virtual controllers on it.
public final class SimulatedMedium: AirControl {
  private let air: Air
  private var phones: [VirtualController] = []
  private var recorders: [VirtualController] = []
  private var fault: MediumFault?
  private var lossToRecorder: UInt32 = 0
  private var lossToPhone: UInt32 = 0
  private var burstToRecorder: BurstLoss?
  private var burstToPhone: BurstLoss?
  private var hasBursts = false
  private var isInterrupted = false
  private var millimetres = 1_000

  /// An empty air.
  public init(loop: EventLoop) { air = Air(loop: loop) }

  /// Puts one more controller on the air; its host stands on the pipe that comes back. `subversion` is what a
  /// recorder's tells of itself: the firmware identifier of its SoftDevice.
  public func attach(
    _ name: String, _ side: MediumSide, subversion: UInt16 = ControllerProfile.softDeviceIdentifier
  ) -> any PacketPipe {
    let controller: VirtualController
    switch side {
    case .phone:
      controller = VirtualController(name, .phone, on: air)
      phones.append(controller)
    case .recorder:
      var profile = ControllerProfile.recorder
      profile.subversion = subversion
      controller = VirtualController(name, profile, on: air)
      recorders.append(controller)
    }
    apply()
    return controller
  }

  /// Plants a fault for good.
  public func plant(_ fault: MediumFault) {
    self.fault = fault
    apply()
  }

  public func lose(partsPerMillion: UInt32, _ direction: AirDirection) throws(ControlFailure) {
    if direction != .toPhone { lossToRecorder = partsPerMillion }
    if direction != .toRecorder { lossToPhone = partsPerMillion }
    apply()
  }

  public func loseInBursts(_ burst: BurstLoss?, _ direction: AirDirection) throws(ControlFailure) {
    if direction != .toPhone { burstToRecorder = burst }
    if direction != .toRecorder { burstToPhone = burst }
    hasBursts = true
    apply()
  }

  public func interfere(_ interference: Interference?) throws(ControlFailure) { air.setInterference(interference) }

  public func blackOut(after delay: Duration, for duration: Duration) throws(ControlFailure) {
    air.blackOut(after: delay, for: duration)
  }

  public func interrupt() throws(ControlFailure) {
    isInterrupted = true
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
    self.millimetres = millimetres
    apply()
  }

  /// Tells the air what holds now for every pair of phone and recorder.
  private func apply() {
    let everything: UInt32 = 1_000_000
    let planted: UInt32 = fault == .heavyLoss ? 600_000 : 0
    let toRecorder = fault == .oneWay ? everything : max(planted, lossToRecorder)
    let toPhone = max(planted, lossToPhone)
    for phone in phones {
      for recorder in recorders {
        air.setBroken(phone, recorder, isInterrupted || fault == .dead)
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
