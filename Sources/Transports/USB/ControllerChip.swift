import Bytes

/// What is known of controllers on USB that do not work by the specification alone.
///
/// Numbers and behaviour are those of Linux's driver (drivers/bluetooth/btusb.c, 6.18) and of the drivers that it calls.
struct ControllerChip: Hashable, Sendable {
  /// What has to be known.
  enum Trait: Hashable, Sendable {
    /// Without firmware or a patch, which the kernel's driver loads after the device was plugged in, it works badly or
    /// not at all.
    case needsFirmware(driver: String)
    /// The numbers are also those of imitations, which claim commands that they do not have.
    case oftenImitated
    /// It does what the text says.
    case misbehaves(String)
  }

  let vendor: UInt16
  /// `nil` for all products of the vendor.
  let product: UInt16?
  let name: String
  let trait: Trait

  /// The most special first.
  static let table: [ControllerChip] = [
    ControllerChip(vendor: 0x0A12, product: 0x0001, name: "CSR8510", trait: .oftenImitated),
    ControllerChip(
      vendor: 0x33FA, product: 0x0010, name: "Barrot", trait: .misbehaves("extra octets after events")),
    ControllerChip(
      vendor: 0x33FA, product: 0x0012, name: "Barrot", trait: .misbehaves("extra octets after events")),
    ControllerChip(
      vendor: 0x2357, product: 0x0604, name: "TP-Link UB500 (RTL8761BU)", trait: .needsFirmware(driver: "btrtl")),
    ControllerChip(
      vendor: 0x0B05, product: 0x190E, name: "ASUS USB-BT500 (RTL8761BU)", trait: .needsFirmware(driver: "btrtl")),
    ControllerChip(vendor: 0x0BDA, product: nil, name: "Realtek", trait: .needsFirmware(driver: "btrtl")),
    ControllerChip(vendor: 0x8087, product: nil, name: "Intel", trait: .needsFirmware(driver: "btintel")),
    ControllerChip(vendor: 0x0E8D, product: nil, name: "MediaTek", trait: .needsFirmware(driver: "btmtk")),
    ControllerChip(vendor: 0x0A5C, product: nil, name: "Broadcom", trait: .needsFirmware(driver: "btbcm")),
    ControllerChip(vendor: 0x0CF3, product: nil, name: "Qualcomm Atheros", trait: .needsFirmware(driver: "btusb")),
    ControllerChip(vendor: 0x13D3, product: nil, name: "IMC Networks", trait: .needsFirmware(driver: "btusb")),
    ControllerChip(vendor: 0x04CA, product: nil, name: "Lite-On", trait: .needsFirmware(driver: "btusb")),
    ControllerChip(vendor: 0x0489, product: nil, name: "Foxconn", trait: .needsFirmware(driver: "btusb")),
  ]

  /// Versions (`bcdDevice`) that only imitations of the CSR8510 have, according to the driver.
  static let imitatedReleases: [UInt16] = [0x0100, 0x0134, 0x1915, 0x2520, 0x7558]

  /// The table's entry for a device.
  static func find(vendor: UInt16, product: UInt16) -> ControllerChip? {
    table.first { $0.vendor == vendor && ($0.product ?? product) == product }
  }

  /// What the owner of a device should know before trusting what it does.
  static func notes(about device: USBDescription) -> [String] {
    guard let chip = find(vendor: device.vendor, product: device.product) else { return [] }
    switch chip.trait {
    case .needsFirmware(let driver):
      return [
        "\(chip.name): these controllers need firmware that the kernel's driver (\(driver)) loads when they are plugged in; "
          + "if it does not answer, or misbehaves, reach it by hci-socket: instead"
      ]
    case .misbehaves(let how):
      return ["\(chip.name): these controllers are known for \(how); what fails may be the adapter's fault"]
    case .oftenImitated:
      let isImitation = chip.vendor == 0x0A12 && imitatedReleases.contains(device.release)
      return [
        "\(chip.name): this is \(isImitation ? "" : "perhaps ")one of the imitations that claim commands they do not have and "
          + "leave some unanswered; what fails may be the adapter's fault"
      ]
    }
  }
}
