import Bytes
import SecureDFU

extension BluetoothAddress {
  /// The address from which the bootloader of the recorder with this one advertises.
  package var ofBootloader: BluetoothAddress {
    BluetoothAddress(littleEndian: Bootloader.address(ofApplication: littleEndian), kind)
  }

  /// The address of the application whose bootloader advertises from this one.
  var ofApplication: BluetoothAddress {
    var octets = littleEndian
    octets[0] &-= 1
    return BluetoothAddress(littleEndian: octets, kind)
  }
}
