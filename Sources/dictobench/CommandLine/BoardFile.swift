import Board
import ScenarioLanguage
import YAML

/// A board as a file states it, in the same values as the boards that are known by name:
///
/// ```yaml
/// name: dictofun-1.4
/// chip: {part: nRF52840, variant: AAD0, flash: 1024 KiB, ram: 256 KiB, revision: [8, 2]}
/// softdevice: {size: 156 KiB, identifier: 256}
/// pins:
///   button: P1.13
/// ```
struct BoardFile: Sendable {
  static let nameField = Field<String>("name", "What reports call the board.")
  static let chipField = Field<ChipPlan>("chip", "The chip and its memories.")
  static let softDeviceField = Field<SoftDevicePlan>("softdevice", "The software in flash below the application.")
  static let pinsField = Field<PinPlan>("pins", "Which pins go where.")
  static let pagesField = Field<PagePlan>("pages", "Where the firmware keeps settings, in the chip's flash.")
  static let group = FieldGroup([nameField, chipField, softDeviceField, pinsField, pagesField])

  /// Longest name of a board.
  private static let nameLimit = 40

  /// Reads a board file; every mistake has its message.
  static func read(_ file: SourceFile) -> (board: BoardDescription?, diagnostics: [Diagnostic]) {
    let (arguments, diagnostics) = DocumentReader.read(file, as: group, called: "a board file")
    guard let arguments else { return (nil, diagnostics) }
    let top = SourceLocation(file: file.path, line: 1, column: 1)
    let (name, chip, softDevice) = (arguments[nameField], arguments[chipField], arguments[softDeviceField])
    let (pins, pages) = (arguments[pinsField], arguments[pagesField])
    var problems = diagnostics
    if name.isEmpty || name.utf8.count > nameLimit || !name.allSatisfy(isPlain) {
      problems.append(
        Diagnostic(
          at: arguments.location(of: nameField) ?? top, "this is not a name for a board",
          expected: "up to \(nameLimit) letters, digits, dots, dashes or underscores"))
    }
    problems += chip.problems(at: top) + softDevice.problems(at: top, chip) + pages.problems(at: top, chip, softDevice)
    problems += pins.problems(at: top, chip)
    guard problems.isEmpty, let description = description(name, chip, softDevice, pins, pages) else {
      return (nil, problems)
    }
    return (description, [])
  }

  private static func isPlain(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
  }

  private static func description(
    _ name: String, _ chip: ChipPlan, _ softDevice: SoftDevicePlan, _ pins: PinPlan, _ pages: PagePlan
  ) -> BoardDescription? {
    guard let variant = chip.variantWord, let button = pins.button.pin, let select = pins.storageSelect.pin,
      let data = pins.latchData.pin, let clock = pins.latchClock.pin
    else { return nil }
    return BoardDescription(
      name: name,
      chip: BoardDescription.Chip(
        part: chip.part.number, variant: variant, flashSize: chip.flash.bytes, ramSize: chip.ram.bytes,
        revision: chip.revision.map { UInt32(clamping: $0) }),
      softDeviceSize: softDevice.size.bytes, softDeviceIdentifier: UInt16(clamping: softDevice.identifier),
      button: button, storageSelect: select, latchData: data, latchClock: clock, lights: pins.lights.compactMap(\.pin),
      modeRecord: UInt32(clamping: pages.mode.bytes), bondPages: UInt32(clamping: pages.bonds.bytes))
  }

  /// A board in the form in which it is read, as the beginning of another one's file.
  static func text(of board: BoardDescription) -> String {
    func kibibytes(_ octets: some BinaryInteger) -> String { "\(octets / 1024) KiB" }
    let chip = board.chip
    let letters = (0..<4).reversed().map {
      Character(Unicode.Scalar(UInt8(truncatingIfNeeded: chip.variant >> ($0 * 8))))
    }
    let part = ChipPlan.Part.allCases.first { $0.number == chip.part }?.rawValue ?? ""
    return """
      name: \(board.name)
      chip:
        part: \(part)
        variant: \(String(letters))
        flash: \(kibibytes(chip.flashSize))
        ram: \(kibibytes(chip.ramSize))
        revision: [\(chip.revision.map(String.init).joined(separator: ", "))]
      softdevice:
        size: \(kibibytes(board.softDeviceSize))   # with the master boot record: where the application begins
        identifier: \(board.softDeviceIdentifier)
      pins:
        button: \(board.button.text)   # high while it is pressed
        storage-select: \(board.storageSelect.text)   # low while the flash for records is selected
        latch-data: \(board.latchData.text)
        latch-clock: \(board.latchClock.text)
        lights: [\(board.lights.map(\.text).joined(separator: ", "))]   # red, green, blue
      pages:   # offsets in the chip's flash
        mode: \(kibibytes(board.modeRecord))
        bonds: \(kibibytes(board.bondPages))   # the first of three
      """
  }
}

extension BoardDescription.Pin {
  /// The pin as Nordic writes it, such as `P1.13` or `P0.02`.
  var text: String { "P\(port).\(number < 10 ? "0" : "")\(number)" }

  /// Reads `P1.13`; `nil` for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "P0" || parts[0] == "P1", parts[1].utf8.count == 2,
      parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(parts[1]), number < 32
    else { return nil }
    self.init(parts[0] == "P1" ? 1 : 0, number)
  }
}
