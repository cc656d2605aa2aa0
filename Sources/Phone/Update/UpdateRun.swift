import Bytes
import HCI
import HostStack
import SecureDFU
import Timeline

/// An update under way: a loop that finds whatever the recorder runs, and moves it on.
///
///     application ─▶ checked ─▶ service found ─▶ asked ─▶ link ends ─╮
///          ▲                                                          ▼
///          ├── verified, or asked once more where it is uncertain   finding ◀──────────╮
///          │                                                          ▼                │ the link breaks
///          ╰──── finding ◀── link ends ◀── image accepted ◀── bootloader: transfer ────╯
struct UpdateRun {
  /// What an update does with a link; getting there are stages that other operations have as well.
  enum Step {
    /// Asking the other controller for its version.
    case readingVersion
    /// Talking with the bootloader.
    case transferring
    /// The bootloader said its last word; its link is about to end.
    case leaving
    /// Discovering the Device Information Service of the new application.
    case discoveringInformation(ClientToken)
    /// Reading its version.
    case readingRevision(ClientToken)
  }

  /// How often a bootloader is connected to before the update is given up.
  static let linkLimit = 12
  /// How often the application is asked for its bootloader.
  static let jumpLimit = 4

  let order: FirmwareOrder
  let began: Instant
  /// The application's address; `nil` until it is known.
  var application: BluetoothAddress?
  /// The recorder's identity, once the library knows of this update.
  var recorder: BluetoothAddress?
  /// Which image of the package is being sent.
  var imageIndex = 0
  var transfer: ImageTransfer
  /// Whether the recorder was asked for anything that may have changed it.
  var hasTouched = false
  /// Whether the bootloader took the last image.
  var isAccepted = false
  /// Whether it is certain that it stored that it did.
  var isCertain = false
  /// Why the update ends, once it cannot succeed any more.
  var failure: Failure?
  /// Whether a bootloader was heard since the update was given up.
  var hasHeardBootloader = false
  var links = 0
  var jumps = 0
  var drops = 0
  /// The write of the control point that is on its way.
  var request: ClientToken?
  /// Octets of the images before the one that is being sent.
  var octetsBefore = 0
  var transferBegan: Instant?
  var transferEnded: Instant?
  /// Where the rate is measured from.
  var rateBase: (instant: Instant, octets: UInt32)?
  var state = UpdateState(place: .nowhere, phase: .checking)

  /// Why an update cannot succeed.
  enum Failure: Hashable {
    case refused([UInt8])
    case trouble(UpdateTrouble)
    case phone(PhoneFailure)

    /// The failure with what is on the recorder now.
    func ended(_ installed: InstalledAfterUpdate) -> PhoneFailure {
      switch self {
      case .refused(let reply): .updateRefused(reply, installed)
      case .trouble(let trouble): .updateFailed(trouble, installed)
      case .phone(let failure): failure
      }
    }
  }

  /// An update of a package with at least one image, none of which is empty.
  init(_ order: FirmwareOrder, at instant: Instant) {
    self.order = order
    began = instant
    transfer = Self.transfer(order, 0)
  }

  var images: [FirmwareImage] { order.package.images }

  /// Goes on with the next image; false where there is none.
  mutating func advanceToNextImage() -> Bool {
    drops += transfer.drops
    guard imageIndex + 1 < images.count else { return false }
    octetsBefore += images[imageIndex].image.count
    imageIndex += 1
    transfer = Self.transfer(order, imageIndex)
    return true
  }

  private static func transfer(_ order: FirmwareOrder, _ index: Int) -> ImageTransfer {
    let image = order.package.images[index]
    return ImageTransfer(initPacket: image.initPacket, image: image.image, options: order.options)
  }

  /// Octets of all images.
  var total: UInt32 { UInt32(images.reduce(0) { $0 + $1.image.count }) }
}
