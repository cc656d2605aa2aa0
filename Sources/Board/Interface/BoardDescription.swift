/// A board as data: which chip stands on it, and which of its pins goes where. Another board is another value.
package struct BoardDescription: Codable, Hashable, Sendable {
  /// A pin of the chip (nRF52840 Product Specification, GPIO).
  package struct Pin: Codable, Hashable, Sendable {
    /// 0 or 1.
    package var port: Int
    /// 0 to 31.
    package var number: Int

    /// P`port`.`number`.
    package init(_ port: Int, _ number: Int) {
      self.port = port
      self.number = number
    }
  }

  /// The chip and its memories.
  package struct Chip: Codable, Hashable, Sendable {
    /// INFO.PART of the factory registers, such as 0x52840.
    package var part: UInt32
    /// INFO.VARIANT, four letters.
    package var variant: UInt32
    /// Octets of flash.
    package var flashSize: Int
    /// Octets of RAM.
    package var ramSize: Int
    /// What the registers say by which Nordic's start-up code tells revisions apart: FICR 0x130 and 0x134.
    package var revision: [UInt32]

    /// A chip; sizes in octets.
    package init(part: UInt32, variant: UInt32, flashSize: Int, ramSize: Int, revision: [UInt32]) {
      self.part = part
      self.variant = variant
      self.flashSize = flashSize
      self.ramSize = ramSize
      self.revision = revision
    }
  }

  /// The name by which the board is asked for.
  package var name: String
  /// The chip.
  package var chip: Chip
  /// Octets of flash below the application: master boot record and SoftDevice.
  package var softDeviceSize: Int
  /// The firmware identifier of the SoftDevice that belongs to the board (DFU packages, link layer's subversion).
  package var softDeviceIdentifier: UInt16
  /// The button; high while it is pressed.
  package var button: Pin
  /// Chip select of the flash for records; low while selected.
  package var storageSelect: Pin
  /// Data input of the power latch.
  package var latchData: Pin
  /// Clock input of the power latch; it takes the data at the rising edge.
  package var latchClock: Pin
  /// Red, green and blue light.
  package var lights: [Pin]
  /// Where the firmware keeps its mode of operation, an address of the chip's flash.
  package var modeRecord: UInt32
  /// Three pages of the chip's flash in which the firmware keeps bonds, where there is no bootloader: one for swapping,
  /// two for data.
  package var bondPages: UInt32

  /// A board; what each value means stands at its property.
  package init(
    name: String, chip: Chip, softDeviceSize: Int, softDeviceIdentifier: UInt16, button: Pin, storageSelect: Pin,
    latchData: Pin, latchClock: Pin, lights: [Pin], modeRecord: UInt32, bondPages: UInt32
  ) {
    self.name = name
    self.chip = chip
    self.softDeviceSize = softDeviceSize
    self.softDeviceIdentifier = softDeviceIdentifier
    self.button = button
    self.storageSelect = storageSelect
    self.latchData = latchData
    self.latchClock = latchClock
    self.lights = lights
    self.modeRecord = modeRecord
    self.bondPages = bondPages
  }

  /// Dictofun 1.4: nRF52840 with SoftDevice S140.
  package static let s140 = BoardDescription(
    name: "s140",
    chip: Chip(part: 0x52840, variant: 0x4141_4430, flashSize: 1 << 20, ramSize: 256 << 10, revision: [8, 2]),
    softDeviceSize: 0x27000, softDeviceIdentifier: 0x100, button: Pin(1, 13), storageSelect: Pin(1, 6),
    latchData: Pin(0, 2), latchClock: Pin(1, 15), lights: [Pin(1, 0), Pin(0, 24), Pin(0, 22)], modeRecord: 0xEF000,
    bondPages: 0xFD000)

  /// Dictofun 1.3: nRF52832 with SoftDevice S132.
  package static let s132 = BoardDescription(
    name: "s132",
    chip: Chip(part: 0x52832, variant: 0x4141_4230, flashSize: 512 << 10, ramSize: 64 << 10, revision: [6, 0x50]),
    softDeviceSize: 0x26000, softDeviceIdentifier: 0x101, button: Pin(0, 25), storageSelect: Pin(0, 8),
    latchData: Pin(0, 27), latchClock: Pin(0, 26), lights: [Pin(0, 15), Pin(0, 14), Pin(0, 13)], modeRecord: 0x70000,
    bondPages: 0x7D000)

  /// The boards that are known by name.
  package static let all = [s140, s132]
}

/// What follows from which chip it is (nRF52832 and nRF52840 Product Specifications).
extension BoardDescription.Chip {
  private var isSmaller: Bool { part == 0x52832 }

  /// The bits that the number of octets of a transfer has (UARTE and SPIM, MAXCNT): 8 or 16.
  var transferMask: UInt32 { isSmaller ? 0xFF : 0xFFFF }

  /// Cycles of erasing a page of flash, at 64 MHz (NVMC, the longest time): 89.7 or 85 ms.
  package var eraseCycles: UInt64 { isSmaller ? 5_740_800 : 5_440_000 }

  /// Cycles of writing a word to flash, at 64 MHz (NVMC, the longest time): 338 or 41 µs.
  package var wordCycles: UInt64 { isSmaller ? 21_632 : 2_624 }
}
