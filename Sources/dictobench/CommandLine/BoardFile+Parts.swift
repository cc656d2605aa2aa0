import Board
import ScenarioLanguage
import YAML

/// `chip: {part: nRF52840, variant: AAD0, flash: 1024 KiB, ram: 256 KiB, revision: [8, 2]}`
struct ChipPlan: FieldGroupValue {
  /// The chips whose blocks are simulated.
  enum Part: String, FieldChoice {
    case nRF52832, nRF52840

    /// INFO.PART of the factory registers.
    var number: UInt32 { self == .nRF52832 ? 0x52832 : 0x52840 }
    /// Pins of each port (Product Specifications, pin assignments).
    var pinCounts: [Int] { self == .nRF52832 ? [32] : [32, 16] }
  }

  static let partField = Field<Part>("part", "The chip.")
  static let variantField = Field<String>("variant", "INFO.VARIANT of the factory registers: four letters or digits.")
  static let flashField = Field<ByteCount>("flash", "Its flash.")
    .limited(to: ByteCount(bytes: 64 << 10)...ByteCount(bytes: 2 << 20))
  static let ramField = Field<ByteCount>("ram", "Its RAM.")
    .limited(to: ByteCount(bytes: 16 << 10)...ByteCount(bytes: 512 << 10))
  static let revisionField = Field<[Int]>(
    "revision", "The two numbers at 0xF0000FE0 and 0xF0000FE8, by which start-up code tells revisions apart."
  )
  .limited(to: 0...255)
  static var group: FieldGroup { FieldGroup([partField, variantField, flashField, ramField, revisionField]) }

  let part: Part
  let variant: String
  let flash: ByteCount
  let ram: ByteCount
  let revision: [Int]
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    part = arguments[Self.partField]
    variant = arguments[Self.variantField]
    flash = arguments[Self.flashField]
    ram = arguments[Self.ramField]
    revision = arguments[Self.revisionField]
    self.arguments = arguments
  }

  /// The letters as one word, the first in its highest octet; `nil` for anything but four letters or digits.
  var variantWord: UInt32? {
    let octets = Array(variant.utf8)
    guard octets.count == 4, variant.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else { return nil }
    return octets.reduce(0) { $0 << 8 | UInt32($1) }
  }

  func problems(at top: SourceLocation) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    if variantWord == nil {
      problems.append(
        Diagnostic(
          at: arguments.location(of: Self.variantField) ?? top, "this is not a variant of a chip",
          expected: "four letters or digits, such as `AAD0`"))
    }
    for (field, size) in [(Self.flashField, flash), (Self.ramField, ram)] where size.bytes % PagePlan.pageSize != 0 {
      problems.append(
        Diagnostic(
          at: arguments.location(of: field) ?? top, "\(size.bytes) octets are not whole pages of 4 KiB",
          expected: "a multiple of 4 KiB"))
    }
    if revision.count != 2 {
      problems.append(
        Diagnostic(
          at: arguments.location(of: Self.revisionField) ?? top, "the revision has \(revision.count) numbers",
          expected: "two numbers, such as `[8, 2]`"))
    }
    return problems
  }
}

/// `softdevice: {size: 156 KiB, identifier: 256}`
struct SoftDevicePlan: FieldGroupValue {
  static let sizeField = Field<ByteCount>("size", "Flash below the application: master boot record and SoftDevice.")
  static let identifierField = Field<Int>(
    "identifier", "The SoftDevice's firmware identifier, as update packages name it."
  )
  .limited(to: 0...0xFFFF)
  static var group: FieldGroup { FieldGroup([sizeField, identifierField]) }

  let size: ByteCount
  let identifier: Int
  private let location: SourceLocation?

  init(_ arguments: Arguments) {
    size = arguments[Self.sizeField]
    identifier = arguments[Self.identifierField]
    location = arguments.location(of: Self.sizeField)
  }

  func problems(at top: SourceLocation, _ chip: ChipPlan) -> [Diagnostic] {
    if size.bytes % PagePlan.pageSize == 0, size < chip.flash { return [] }
    return [
      Diagnostic(
        at: location ?? top, "no application can begin at \(size.bytes) octets of flash",
        expected: "a multiple of 4 KiB below the \(chip.flash.bytes / 1024) KiB of the chip's flash")
    ]
  }
}

/// `pages: {mode: 956 KiB, bonds: 1012 KiB}`
struct PagePlan: FieldGroupValue {
  /// Octets that the chip's flash erases at once.
  static let pageSize = 4096

  static let modeField = Field<ByteCount>("mode", "Offset of the page with the mode of operation.")
  static let bondsField = Field<ByteCount>("bonds", "Offset of the first of three pages for bonds.")
  static var group: FieldGroup { FieldGroup([modeField, bondsField]) }

  let mode: ByteCount
  let bonds: ByteCount
  private let arguments: Arguments

  init(_ arguments: Arguments) {
    mode = arguments[Self.modeField]
    bonds = arguments[Self.bondsField]
    self.arguments = arguments
  }

  func problems(at top: SourceLocation, _ chip: ChipPlan, _ softDevice: SoftDevicePlan) -> [Diagnostic] {
    let pages = [(Self.modeField, mode.bytes, 1), (Self.bondsField, bonds.bytes, 3)]
    var problems: [Diagnostic] = []
    for (field, start, count) in pages {
      let end = start + count * Self.pageSize
      if start % Self.pageSize == 0, start >= softDevice.size.bytes, end <= chip.flash.bytes { continue }
      problems.append(
        Diagnostic(
          at: arguments.location(of: field) ?? top, "\(start) octets are not the offset of a page of the application",
          expected: "a multiple of 4 KiB from \(softDevice.size.bytes / 1024) KiB to "
            + "\((chip.flash.bytes - count * Self.pageSize) / 1024) KiB"))
    }
    if problems.isEmpty, mode.bytes >= bonds.bytes, mode.bytes < bonds.bytes + 3 * Self.pageSize {
      problems.append(
        Diagnostic(
          at: arguments.location(of: Self.modeField) ?? top, "the mode of operation is in a page for bonds",
          expected: "a page outside of the three from \(bonds.bytes / 1024) KiB on"))
    }
    return problems
  }
}

/// `pins: {button: P1.13, storage-select: P1.06, latch-data: P0.02, latch-clock: P1.15, lights: [P1.00, P0.24, P0.22]}`
struct PinPlan: FieldGroupValue {
  static let buttonField = Field<PinName>("button", "The button; high while it is pressed.")
  static let storageSelectField = Field<PinName>(
    "storage-select", "Chip select of the flash for records; low while selected.")
  static let latchDataField = Field<PinName>("latch-data", "Data input of the power latch.")
  static let latchClockField = Field<PinName>("latch-clock", "Clock input of the power latch.")
  static let lightsField = Field<[PinName]>("lights", "Red, green and blue light.")
  static var group: FieldGroup {
    FieldGroup([buttonField, storageSelectField, latchDataField, latchClockField, lightsField])
  }

  let button: PinName
  let storageSelect: PinName
  let latchData: PinName
  let latchClock: PinName
  let lights: [PinName]
  private let lightsLocation: SourceLocation?

  init(_ arguments: Arguments) {
    button = arguments[Self.buttonField]
    storageSelect = arguments[Self.storageSelectField]
    latchData = arguments[Self.latchDataField]
    latchClock = arguments[Self.latchClockField]
    lights = arguments[Self.lightsField]
    lightsLocation = arguments.location(of: Self.lightsField)
  }

  func problems(at top: SourceLocation, _ chip: ChipPlan) -> [Diagnostic] {
    let all = [button, storageSelect, latchData, latchClock] + lights
    var problems: [Diagnostic] = []
    for (index, name) in all.enumerated() {
      let place = name.location ?? top
      guard let pin = name.pin, pin.port < chip.part.pinCounts.count, pin.number < chip.part.pinCounts[pin.port] else {
        let last = chip.part.pinCounts.enumerated().map { "P\($0).00 to P\($0).\($1 - 1)" }.joined(separator: " or ")
        problems.append(
          Diagnostic(at: place, "`\(name.text)` is not a pin of the \(chip.part.rawValue)", expected: last))
        continue
      }
      if all[..<index].contains(where: { $0.text == name.text }) {
        problems.append(
          Diagnostic(at: place, "\(name.text) goes to two places", expected: "every pin once"))
      }
    }
    if lights.count != 3 {
      problems.append(
        Diagnostic(
          at: lightsLocation ?? top, "there are \(lights.count) lights", expected: "three pins: red, green and blue"))
    }
    return problems
  }
}

/// `P1.13`: a pin, as Nordic writes it.
struct PinName: FieldGroupValue {
  static let pinField = Field<String>("pin", "A pin, such as P1.13.")
  static var group: FieldGroup { FieldGroup([pinField], shorthand: pinField) }

  let text: String
  let location: SourceLocation?
  /// The pin; `nil` for a text that is not one.
  var pin: BoardDescription.Pin? { BoardDescription.Pin(text) }

  init(_ arguments: Arguments) {
    text = arguments[Self.pinField]
    location = arguments.location(of: Self.pinField)
  }
}
