import Bytes
import CUSB

/// What libusb's codes mean for the person who owns the adapter.
enum USBTrouble {
  /// Where a user gets at a dongle that the kernel keeps for root.
  static let ruleHint =
    "the device node belongs to root; install ci/60-dictobench.rules into /etc/udev/rules.d, plug it in again, or run as root"

  /// That somebody else has the interface.
  static let claimed = AdapterTrouble.busy(
    "another program, or a virtual machine, has claimed the interface; end it, or unplug it there")

  /// The trouble for a failed call, while a device is taken.
  static func taking(_ code: Int32) -> AdapterTrouble {
    switch libusb_error(code) {
    case LIBUSB_ERROR_ACCESS: .permissionDenied(ruleHint)
    case LIBUSB_ERROR_BUSY: claimed
    case LIBUSB_ERROR_NO_DEVICE, LIBUSB_ERROR_NOT_FOUND: .unsuitable("unplugged: plug it in again")
    default: .unsuitable("\(using(code)): unplug it and plug it in again, or take another one")
    }
  }

  /// The trouble for a failed call, while a device is used; whoever loses it that way says what to do.
  static func using(_ code: Int32) -> AdapterTrouble {
    switch libusb_error(code) {
    case LIBUSB_ERROR_NO_DEVICE, LIBUSB_ERROR_NOT_FOUND: .unsuitable("unplugged")
    default: .unsuitable("libusb: \(String(cString: libusb_strerror(code)))")
    }
  }

  /// How a transfer with libusb's status ended.
  static func outcome(_ status: libusb_transfer_status) -> TransferOutcome {
    switch status {
    case LIBUSB_TRANSFER_COMPLETED: .completed
    case LIBUSB_TRANSFER_STALL: .stalled
    case LIBUSB_TRANSFER_OVERFLOW: .overflow
    case LIBUSB_TRANSFER_NO_DEVICE: .gone
    case LIBUSB_TRANSFER_CANCELLED: .cancelled
    default: .failed
    }
  }
}
