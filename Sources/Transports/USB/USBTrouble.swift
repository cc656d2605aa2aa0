import Bytes
import CUSB

/// What libusb's codes mean for the person who owns the adapter.
enum USBTrouble {
  /// The kernel keeps the dongle for root.
  static let notPermitted = AdapterTrouble.permissionDenied(
    "the device node belongs to root",
    advice: "install ci/60-dictobench.rules into /etc/udev/rules.d and plug the dongle in again, or run as root")

  /// Somebody else has the interface.
  static let claimed = AdapterTrouble.busy(
    "another program, or a virtual machine, has claimed the interface", advice: "stop it, or detach the dongle there")

  /// The trouble for a failed call, while a device is taken.
  static func taking(_ code: Int32) -> AdapterTrouble {
    switch libusb_error(code) {
    case LIBUSB_ERROR_ACCESS: notPermitted
    case LIBUSB_ERROR_BUSY: claimed
    case LIBUSB_ERROR_NO_DEVICE, LIBUSB_ERROR_NOT_FOUND: unplugged
    default: failed(code)
    }
  }

  /// The trouble for a failed call, while a device is used.
  static func using(_ code: Int32) -> AdapterTrouble {
    switch libusb_error(code) {
    case LIBUSB_ERROR_NO_DEVICE, LIBUSB_ERROR_NOT_FOUND: unplugged
    default: failed(code)
    }
  }

  private static let unplugged = AdapterTrouble.unsuitable("unplugged", advice: "plug it in again")

  private static func failed(_ code: Int32) -> AdapterTrouble {
    .unsuitable(
      "libusb: \(String(cString: libusb_strerror(code)))",
      advice: "unplug it and plug it in again, or use another one")
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
