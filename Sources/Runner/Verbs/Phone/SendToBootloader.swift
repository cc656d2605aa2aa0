import Bytes
import Phone
import ScenarioLanguage
import World

/// `- phone: {send-to-bootloader: {package: 1.5.0, part: init-packet}}`
enum SendToBootloader: Verb {
  enum Part: String, FieldChoice {
    case initPacket = "init-packet"
    case image

    var meaning: String {
      switch self {
      case .initPacket: "The init packet, which describes the image."
      case .image: "The image."
      }
    }
  }

  static let package = Field<PackageName?>("package", "A release, or a package below the folder of firmware.")
  static let part = Field<Part>("part", "Which file of the package's last image.", default: .image)
  static let octets = Field<Octets?>("octets", "Octets in hexadecimal, instead of a package.")
  static let from = Field<ByteCount>("from", "Offset in the file of the first octet.", default: ByteCount(bytes: 0))
  static let size = Field<ByteCount?>("size", "Number of octets; up to the end of the file unless stated.")
  static let packet = Field<ByteCount>("packet", "Octets in one packet.", default: ByteCount(bytes: 244))
    .limited(to: ByteCount(bytes: 1)...ByteCount(bytes: 512))
  static let flipped = Field<ByteCount?>("flipped", "Offset of an octet that is corrupted on the way.")

  static let declaration = VerbDeclaration(
    "send-to-bootloader", of: .phone, "Writes raw octets to the bootloader's packet characteristic.",
    fields: [package, part, octets, from, size, packet, flipped],
    rules: [
      .some(of: package, octets), .single(of: package, octets), .owned(by: package, part),
      .offsets(in: octets, from, flipped),
    ],
    failures: FailureDeclaration.ofUpdates,
    touches: [.firmware, .bootloader], deadline: .seconds(600),
    example: "- phone: {send-to-bootloader: {package: 1.5.0, part: init-packet}}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    let arguments = call.arguments
    var file: [UInt8]
    if let name = arguments[Self.package] {
      guard let image = try stage.package(name.text).images.last else {
        throw ControlFailure.impossible("\(name.text) has no image")
      }
      file = arguments[Self.part] == .image ? image.image : image.initPacket
    } else {
      file = arguments[Self.octets]?.bytes ?? []
    }
    let part = try Self.part(of: file, arguments)
    if let flipped = arguments[Self.flipped]?.bytes {
      guard part.contains(flipped) else {
        throw ControlFailure.impossible(
          "octet \(flipped) is not sent, only \(part.lowerBound) to \(part.upperBound - 1)")
      }
      file[flipped] ^= 1
    }
    let sent = Array(file[part])
    _ = try await stage.run(.sendToBootloader(sent, packetSize: arguments[Self.packet].bytes), by: call)
    return Findings()
  }

  /// Which octets of a file are sent, at least one. Throws `impossible` where the file does not have them.
  private static func part(of file: [UInt8], _ arguments: Arguments) throws(ControlFailure) -> Range<Int> {
    let start = arguments[Self.from].bytes
    let count = arguments[Self.size]?.bytes ?? max(1, file.count - start)
    guard count > 0 else { throw .impossible("0 octets cannot be sent") }
    guard start + count <= file.count else {
      throw .impossible("octet \(start + count - 1) is to be sent, and the data has only \(file.count)")
    }
    return start..<start + count
  }
}
