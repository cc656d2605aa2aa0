import Bytes
import Crypto
import FirmwareImages
import Foundation
import SecureDFU
import Text
import Verdicts

/// `dictobench dfu pack` and `dictobench dfu keys`
enum DFUPacking {
  static func pack(_ arguments: ParsedArguments, _ console: Console) throws(UsageFailure) -> ExitCode {
    guard arguments.operands.count == 2 else { throw UsageFailure("dfu pack needs an application image") }
    guard let out = arguments.value("--out") else { throw UsageFailure("dfu pack needs --out") }
    guard let version = try arguments.number("--application-version", in: 0...UInt32.max) else {
      throw UsageFailure("dfu pack needs --application-version")
    }
    let requirements = try arguments.allValues("--sd-req").flatMap { $0.split(separator: ",") }.map(softDevice)
    guard (1...InitCommand.softDeviceRequirementLimit).contains(requirements.count) else {
      throw UsageFailure("dfu pack needs 1 to \(InitCommand.softDeviceRequirementLimit) times --sd-req")
    }
    let release = ApplicationRelease(
      version: version, hardwareVersion: try arguments.number("--hw-version", in: 0...UInt32.max) ?? 52,
      softDeviceRequirements: requirements, isDebug: arguments.isSet("--debug"))
    let key = try arguments.value("--key").map(KeyFiles.privateKey)
    let path = arguments.operands[1]
    let image = try image(try bytes(path), path)
    let name = name(of: path)
    let archive: [UInt8]
    do throws(PackageRefusal) {
      archive = try release.package(image, name: name, key: key).archive()
    } catch { throw UsageFailure("\(path): \(error)") }
    try OutputFile.write(archive, to: out)
    console.note("\(PlainText.escaped(out)): \(archive.count) octets" + (key == nil ? ", not signed" : ""))
    return .passed
  }

  /// What stands in flash from the first octet of an application to its last: a raw image as it is, an Intel HEX file
  /// with its gaps as erased flash reads, as nrfutil has it. A raw image begins with a stack pointer, which is a multiple
  /// of four, so that it is not taken for another format.
  private static func image(_ file: [UInt8], _ path: String) throws(UsageFailure) -> [UInt8] {
    if file.starts(with: [0x7F] + Array("ELF".utf8)) {
      throw UsageFailure("\(path) is an ELF file; expected the .hex or .bin that objcopy makes of it")
    }
    guard file.first == UInt8(ascii: ":") else { return file }
    let image: FirmwareImages.FirmwareImage
    do throws(ImageFailure) { image = try FirmwareImages.FirmwareImage(file, name: path) } catch {
      throw UsageFailure("\(error)")
    }
    guard let first = image.flashSegments.first, let last = image.flashSegments.last else {
      throw UsageFailure("nothing in \(path) goes into flash")
    }
    let lowest = BootloaderBuild.all.map(\.bankStart).min() ?? 0
    guard first.address >= lowest else {
      throw UsageFailure(
        "\(path) begins at 0x\(String(first.address, radix: 16)), inside the SoftDevice; expected the application alone, at "
          + "0x\(String(lowest, radix: 16)) or above")
    }
    guard Int(last.address - first.address) + last.octets.count <= largestImage else {
      throw UsageFailure(
        "\(path) goes on to 0x\(String(last.address, radix: 16)); expected at most \(largestImage) octets from "
          + "0x\(String(first.address, radix: 16)) on")
    }
    return image.flashOctets
  }

  /// Octets of flash in the largest chip.
  private static let largestImage = 1 << 20

  static func keys(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    if arguments.operands.count == 2 {
      show(try KeyFiles.publicKey(arguments.operands[1]), console)
      return .passed
    }
    guard let out = arguments.value("--out") else {
      throw UsageFailure("dfu keys needs a key file to show, or --out for a new one")
    }
    guard !FileManager.default.fileExists(atPath: out) else {
      throw UsageFailure("\(out) exists; choose another file, because an overwritten key is lost")
    }
    // One draw in about 2³² is not a scalar, and is drawn again.
    for _ in 0..<8 {
      let scalar = try OperatingSystemEntropy.bytes(32)
      guard let text = try? KeyFile.pem(scalar: scalar), let key = try? P256PrivateKey(scalar: scalar) else { continue }
      try OutputFile.write(Array(text.utf8), to: out, isPrivate: true)
      show(key.publicKey, console)
      return .passed
    }
    throw CryptoFailure.entropyUnavailable
  }

  private static func show(_ key: P256PublicKey, _ console: Console) {
    console.out("public key (X and Y, least significant octet first, as in the bootloader's source):")
    console.out(Hexadecimal.string(key.littleEndian))
    console.out(KeyFile.pem(key))
  }

  private static func softDevice(_ text: Substring) throws(UsageFailure) -> UInt32 {
    let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text
    guard let number = UInt16(digits, radix: text.hasPrefix("0x") ? 16 : 10) else {
      throw UsageFailure("--sd-req needs a number such as 0x0101, not \"\(text)\"")
    }
    return UInt32(number)
  }

  /// A file's name without folders and extension.
  static func name(of path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  static func bytes(_ path: String) throws(UsageFailure) -> [UInt8] {
    try LimitedFile.octets(path)
  }
}
