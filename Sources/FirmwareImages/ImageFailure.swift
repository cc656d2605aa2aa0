import Bytes

/// Why a file cannot be executed on a recorder's chip: one sentence with the file, what was found, and what was expected.
package struct ImageFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: Error, Hashable, Sendable {
    /// The file is larger than what is read.
    case tooLarge(octets: Int, limit: Int)
    /// Neither Intel HEX nor ELF; its first octets.
    case unknownFormat(first: [UInt8])
    /// A line of Intel HEX is wrong.
    case badLine(Int, String)
    /// The file ends before it is complete.
    case truncated(String)
    /// An ELF for something else than a 32-bit Arm.
    case foreign(String)
    /// The file puts two things at one address.
    case overlap(address: UInt32)
    /// Nothing in the file goes into flash.
    case empty
    /// It begins below the end of the SoftDevice.
    case overlapsSoftDevice(address: UInt32, start: UInt32)
    /// It begins above the end of the SoftDevice, where nothing starts it.
    case aboveStart(address: UInt32, start: UInt32)
    /// An application puts the address of a bootloader into this user register.
    case namesBootloader(at: UInt32, register: UInt32)
    /// A bootloader stands where the application does, which ends at this address.
    case overlapsApplication(address: UInt32, end: UInt64)
    /// A bootloader begins below the application.
    case belowApplication(address: UInt32, start: UInt32)
    /// A bootloader does not put its address into this user register.
    case noStart(register: UInt32)
    /// A bootloader puts another address than its own into this user register.
    case badStart(UInt32, register: UInt32, expected: UInt32)
    /// It ends beyond the chip's flash.
    case beyondFlash(address: UInt64, size: Int)
    /// A part that begins in the user registers ends behind them, where the chip has nothing.
    case beyondUserRegisters(address: UInt64, end: UInt32)
    /// There is no room for a stack pointer and a reset vector.
    case noVectorTable(octets: Int)
    /// The first word of the vector table points to no RAM.
    case badStackPointer(UInt32)
    /// The second word of the vector table is not a Thumb address within the image.
    case badResetVector(UInt32)
  }

  /// The file.
  package let name: String
  /// What is wrong.
  package let reason: Reason

  init(_ name: String, _ reason: Reason) {
    self.name = name
    self.reason = reason
  }

  /// One sentence.
  package var description: String { "\(name): \(reason.text)" }
}

extension ImageFailure.Reason {
  fileprivate var text: String {
    switch self {
    case .tooLarge(let octets, let limit): "\(octets) octets, but an image has at most \(limit)"
    case .unknownFormat(let first):
      first.isEmpty
        ? "the file is empty; expected an ELF or an Intel HEX file"
        : "begins with \(Hexadecimal.string(first)); expected an ELF file or an Intel HEX file (\":\")"
    case .badLine(let line, let text): "line \(line): \(text)"
    case .truncated(let text): "the file ends too early: \(text)"
    case .foreign(let text): "\(text); expected a 32-bit little-endian ELF for Arm"
    case .overlap(let address): "two parts of the file go to address \(Self.hex(address))"
    case .empty: "nothing in the file goes into flash"
    case .overlapsSoftDevice(let address, let start):
      "begins at \(Self.hex(address)), inside the SoftDevice; an application for this board begins at "
        + "\(Self.hex(start)) or above. Give the application alone, not merged with the SoftDevice"
    case .aboveStart(let address, let start):
      "begins at \(Self.hex(address)), but without a bootloader the chip starts at \(Self.hex(start)), where the SoftDevice "
        + "ends: link it to \(Self.hex(start)), or give the bootloader that starts it (--bootloader)"
    case .namesBootloader(let address, let register):
      "writes \(Self.hex(address)) into the user register at \(Self.hex(register)), where a bootloader begins; expected the "
        + "application alone, and its bootloader as --bootloader"
    case .overlapsApplication(let address, let end):
      "stands at \(Self.hex(address)), inside the application, which ends at \(Self.hex(end)); a bootloader stands above it. "
        + "Give the bootloader alone, and the application that was built for it"
    case .belowApplication(let address, let start):
      "begins at \(Self.hex(address)), below the application at \(Self.hex(start)); expected a bootloader above it"
    case .noStart(let register):
      "does not write where it begins into the user register at \(Self.hex(register)), so the chip would never start it: "
        + "not a bootloader?"
    case .badStart(let found, let register, let expected):
      "writes \(Self.hex(found)) into the user register at \(Self.hex(register)), where the chip would start, but begins at "
        + "\(Self.hex(expected))"
    case .beyondFlash(let address, let size):
      "ends at \(Self.hex(address)), beyond the \(size / 1024) KiB of the chip's flash: built for another board?"
    case .beyondUserRegisters(let address, let end):
      "writes user registers up to \(Self.hex(address)), but the chip's end at \(Self.hex(end)): built for another chip?"
    case .noVectorTable(let octets): "its first segment has \(octets) octets; a vector table needs at least 8"
    case .badStackPointer(let value):
      "its initial stack pointer is \(Self.hex(value)), which is not the address of a word in the chip's RAM: not an image "
        + "for this board"
    case .badResetVector(let value):
      "its reset vector is \(Self.hex(value)), which is not a Thumb address within the image"
    }
  }

  private static func hex(_ value: some FixedWidthInteger) -> String { "0x" + String(value, radix: 16) }
}
