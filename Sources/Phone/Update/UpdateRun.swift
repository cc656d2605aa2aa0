import Bytes
import Charts
import HCI
import HostStack
import SecureDFU
import Timeline

/// The update that runs, and the timer of its conversation with the bootloader.
struct UpdateControl {
  private(set) var past = TransitionLog()
  var run: UpdateRun?
  var timer = ApplicationTimer(.transfer)

  /// The transitions of all conversations with bootloaders.
  var log: TransitionLog {
    var log = past
    if let run { log.formUnion(run.log) }
    return log
  }

  /// The update is over.
  mutating func end() {
    past = log
    run = nil
  }
}

/// A running update: a loop that finds the program that the recorder runs, and takes it one step further.
///
///     application ─▶ checked ─▶ service found ─▶ asked ─▶ link ends ─╮
///          ▲                                                          ▼
///          ├── verified, or asked once more where it is uncertain   finding ◀──────────╮
///          │                                                          ▼                │ the link breaks
///          ╰──── finding ◀── link ends ◀── image accepted ◀── bootloader: transfer ────╯
struct UpdateRun {
  /// The steps of an update on a link; connecting and preparing are stages that other operations have too.
  enum Step {
    /// Asking the other controller for its version.
    case readingVersion
    /// Talking with the bootloader.
    case transferring
    /// The bootloader sent its last answer; its link is about to end.
    case leaving
    /// Discovering the Device Information Service of the new application.
    case discoveringInformation(ClientToken)
    /// Reading its version.
    case readingRevision(ClientToken)
  }

  /// Links to the bootloader before the update is given up.
  static let linkLimit = 12
  /// Times that the application is asked to start its bootloader.
  static let jumpLimit = 4

  let order: FirmwareOrder
  let began: Instant
  /// The application's address; `nil` until it is known.
  var application: BluetoothAddress?
  /// The recorder's identity, once the library knows of this update.
  var recorder: BluetoothAddress?
  /// The index of the image that is being sent.
  var imageIndex = 0
  var transfer: ImageTransfer
  /// Whether the recorder was asked for anything that may have changed it.
  var hasTouched = false
  /// Whether the bootloader took the last image.
  var isAccepted = false
  /// Whether it is certain that it stored that it did.
  var isCertain = false
  /// The reason why the update will fail, once it is known.
  var failure: Failure?
  /// Whether a bootloader was heard since the update was given up.
  var hasHeardBootloader = false
  var links = 0
  var jumps = 0
  var drops = 0
  /// The write of the control point that is on its way.
  var request: ClientToken?
  /// Octets of the images that the bootloader took before this one.
  var octetsBefore = 0
  /// Octets of the images that were passed over, because the bootloader refused them for a version.
  private var octetsPassedOver = 0
  var transferBegan: Instant?
  var transferEnded: Instant?
  /// The base of the measured rate.
  var rateBase: (instant: Instant, octets: UInt32)?
  var state = UpdateState(place: .nowhere, phase: .checking)
  /// The transitions of the images before this one.
  private var logBefore = TransitionLog()

  /// The reason why an update cannot succeed.
  enum Failure: Hashable {
    case refused([UInt8])
    case trouble(UpdateTrouble)
    case phone(PhoneFailure)

    /// The failure with the firmware that is installed now.
    func ended(_ installed: InstalledAfterUpdate) -> PhoneFailure {
      switch self {
      case .refused(let reply): .updateRefused(reply, installed)
      case .trouble(let trouble): .updateFailed(trouble, installed)
      case .phone(let failure): failure
      }
    }
  }

  /// An update with a package that has at least one image and no empty one.
  init(_ order: FirmwareOrder, at instant: Instant) {
    self.order = order
    began = instant
    transfer = Self.transfer(order, 0)
  }

  var images: [FirmwareImage] { order.package.images }

  /// The transitions of its conversations with bootloaders.
  var log: TransitionLog {
    var log = logBefore
    log.formUnion(transfer.chartLog.log)
    return log
  }

  /// Goes on with the next image after this one was taken; false where there is none.
  mutating func advanceToNextImage() -> Bool {
    drops += transfer.drops
    guard imageIndex + 1 < images.count else { return false }
    octetsBefore += images[imageIndex].image.count
    beginNextImage()
    return true
  }

  /// Goes on with the application where its bootloader or SoftDevice is refused for a version; false where nothing
  /// follows, or for another reason. The recorder has them already where an earlier update came no further, and Nordic's
  /// clients go on as well.
  mutating func passOver(_ refusal: ControlPointReply) -> Bool {
    let error = refusal.extendedError.flatMap(DFUExtendedError.init)
    guard error == .firmwareVersion || error == .softDeviceVersion else { return false }
    guard images[imageIndex].part != .application, imageIndex + 1 < images.count else { return false }
    let size = images[imageIndex].image.count
    if Int(state.octets) == octetsBefore + size {
      // It took all of it in this update, and the last answer was lost.
      octetsBefore += size
    } else {
      octetsPassedOver += size
      state.octets = UInt32(octetsBefore)
      state.total = total
    }
    beginNextImage()
    return true
  }

  private mutating func beginNextImage() {
    imageIndex += 1
    logBefore = log
    transfer = Self.transfer(order, imageIndex)
  }

  private static func transfer(_ order: FirmwareOrder, _ index: Int) -> ImageTransfer {
    let image = order.package.images[index]
    return ImageTransfer(initPacket: image.initPacket, image: image.image, options: order.options)
  }

  /// Octets of all images that are sent.
  var total: UInt32 { UInt32(images.reduce(0) { $0 + $1.image.count } - octetsPassedOver) }
}

// MARK: - Decisions

extension UpdateRun {
  /// A link to the bootloader is ready; whether an image was taken is open again.
  mutating func bootloaderReady(at peer: BluetoothAddress, at now: Instant) {
    application = application ?? peer.ofApplication
    hasTouched = true
    rateBase = nil
    isAccepted = false
    isCertain = false
    if transferBegan == nil { transferBegan = now }
  }

  /// The link ended after the bootloader's last answer. The bootloader ends the link after it has stored that it took
  /// the image; a link that just broke says nothing.
  mutating func leftBootloader(_ code: ErrorCode) {
    if isAccepted, code == .remoteUserTerminatedConnection { isCertain = true }
  }

  /// Changes the state that the user sees, and returns it where it is to be shown.
  mutating func show(
    _ place: UpdateState.Place, _ phase: UpdateState.Phase, octets: UInt32? = nil, rate: UInt32? = nil
  ) -> UpdateState? {
    let before = state
    state.place = place
    state.phase = phase
    state.octets = octets ?? state.octets
    state.octetsPerSecond = rate ?? state.octetsPerSecond
    return state != before || phase == .checking ? state : nil
  }

  /// The transfer moved on; returns the state where it is to be shown. The rate is that of this link.
  mutating func progressed(_ phase: UpdateState.Phase, _ octets: UInt32, at now: Instant) -> UpdateState? {
    guard phase == .sending else { return show(.bootloader, phase) }
    var rate = state.octetsPerSecond
    if let base = rateBase, octets > base.octets {
      let milliseconds = UInt64(base.instant.duration(to: now) / .milliseconds(1))
      if milliseconds > 0 { rate = UInt32(clamping: UInt64(octets - base.octets) * 1_000 / milliseconds) }
    } else {
      rateBase = (now, octets)
    }
    return show(.bootloader, phase, octets: UInt32(octetsBefore) + octets, rate: rate)
  }

  /// The fault of showing octets as arrived that were only sent; returns the state where it changed.
  mutating func countSentAsArrived() -> UpdateState? {
    guard state.phase == .sending, octetsBefore + Int(transfer.sent) > state.octets else { return nil }
    state.octets = UInt32(octetsBefore) + transfer.sent
    return state
  }

  /// Begins one more search for the recorder, and returns the shown phase and whether it waits for the application.
  mutating func seek() -> (phase: UpdateState.Phase, awaitsApplication: Bool) {
    if failure == nil, links >= Self.linkLimit { failure = .trouble(.linkLost) }
    let awaitsApplication = isAccepted || isCertain || failure != nil
    let phase: UpdateState.Phase =
      isAccepted && !isCertain ? .activating : awaitsApplication ? .verifying : .finding
    return (phase, awaitsApplication)
  }

  /// The firmware on the recorder after the update was given up and a program was heard; `nil` while it is not known. Where
  /// it took an image of several, what it has is neither the old firmware nor the new one.
  mutating func installedAfterFailure(_ program: ConnectedProgram) -> InstalledAfterUpdate? {
    guard program == .application else {
      hasHeardBootloader = true
      return nil
    }
    return transfer.isOutcomeUncertain || octetsBefore > 0 ? .unknown : .old
  }

  /// The way in which the update ends where neither program was heard in time; `nil` where it must be given up first.
  var endOfSearch: (failure: PhoneFailure, installed: InstalledAfterUpdate)? {
    if let failure {
      let installed = hasHeardBootloader ? InstalledAfterUpdate.none : .unknown
      return (failure.ended(installed), installed)
    }
    return isAccepted || isCertain ? (.updateFailed(.applicationNotFound, .unknown), .unknown) : nil
  }

  /// Takes the failure of a step that other operations have too. Some end the update; after the others it looks again
  /// for the recorder.
  mutating func stumbled(_ failure: PhoneFailure) {
    switch failure {
    case .updateRefused(let reply, _): self.failure = .refused(reply)
    case .batteryLow, .library: self.failure = .phone(failure)
    default: break
    }
  }

  /// The result of the update.
  func summary(firmwareRevision: String?, at now: Instant) -> UpdateSummary {
    UpdateSummary(
      version: order.version, firmwareRevision: firmwareRevision, octets: Int(total),
      duration: began.duration(to: now),
      transferDuration: (transferBegan ?? began).duration(to: transferEnded ?? now), links: links, drops: drops)
  }
}
