import Bytes
import Crypto
import SecureDFU
import Verdicts

/// `dictobench dfu inspect`: the contents of a package or an init packet, and how bootloaders would answer it.
struct DFUInspection {
  /// Names of the known bootloaders.
  static let boards = BootloaderBuild.all.map(\.name)

  /// One init packet, with its image where there is a package.
  struct Part {
    let name: String
    let image: FirmwareImage?
    let initPacket: [UInt8]
    let packet: InitPacket?
    /// Whether the signature verifies; `nil` without one.
    let isSignatureValid: Bool?
    let findings: [PackageFinding]
  }

  /// The predicted answer of one bootloader.
  struct Answer {
    let board: String
    let installed: InstalledFirmware
    let parts: [(name: String, prediction: UpdatePrediction)]

    /// The answer that decides: that of the first part that is refused, else of the last.
    var decisive: UpdatePrediction? { (parts.first { $0.prediction.reason != nil } ?? parts.last)?.prediction }
  }

  let path: String
  let keyName: String
  let publicKey: P256PublicKey
  /// Whether one board was asked for.
  let isForOneBoard: Bool
  let findings: [PackageFinding]
  let parts: [Part]
  let answers: [Answer]

  static func run(_ arguments: ParsedArguments, _ console: Console) throws(UsageFailure) -> ExitCode {
    let inspection = try DFUInspection(arguments)
    if FormatOption.isJSON(arguments) {
      console.out(DocumentSchema.named("dfu-inspect").stamped(inspection.document).indentedText)
    } else {
      console.out(inspection.text)
    }
    return inspection.isSound ? .passed : .deviceFailed
  }

  private init(_ arguments: ParsedArguments) throws(UsageFailure) {
    guard arguments.operands.count == 2 else { throw UsageFailure("dfu inspect needs a package or an init packet") }
    path = arguments.operands[1]
    let bytes = try DFUPacking.bytes(path)
    let keyPath = arguments.value("--public-key")
    let key = try keyPath.map(KeyFiles.publicKey) ?? TestKey.publicKey
    keyName = keyPath ?? "the bench's test key"
    publicKey = key
    let installed = InstalledFirmware(
      applicationVersion: try arguments.number("--installed-version", in: 0...UInt32.max) ?? 1,
      bootloaderVersion: try arguments.number("--installed-bootloader-version", in: 0...UInt32.max) ?? 1)
    let board = arguments.value("--board")
    isForOneBoard = board != nil
    if bytes.starts(with: Array("PK".utf8)) || path.hasSuffix(".zip") {
      (parts, findings) = Self.package(bytes, key)
    } else {
      parts = [Self.part(path, nil, bytes, key)]
      findings = parts[0].findings
    }
    let parts = parts
    answers = BootloaderBuild.all.filter { board == nil || $0.name == board }.map { build in
      let validator = InitPacketValidator(build: build, publicKey: key)
      return Answer(
        board: build.name, installed: installed,
        parts: parts.map { part in
          (
            part.name,
            validator.predict(initPacket: part.initPacket, image: part.image?.image, installed: installed)
          )
        })
    }
  }

  private static func package(_ bytes: [UInt8], _ key: P256PublicKey) -> ([Part], [PackageFinding]) {
    do throws(PackageRefusal) {
      let package = try FirmwarePackage(decoding: bytes)
      return (package.images.map { part($0.part.rawValue, $0, $0.initPacket, key) }, package.findings)
    } catch { return ([], error.findings) }
  }

  private static func part(_ name: String, _ image: FirmwareImage?, _ bytes: [UInt8], _ key: P256PublicKey) -> Part {
    var findings = image?.findings ?? []
    var packet: InitPacket?
    do { packet = try InitPacket(decoding: bytes) } catch {
      if image == nil { findings.append(PackageFinding(name, .malformedInitPacket("\(error)"))) }
    }
    let isValid = packet.flatMap { packet in
      packet.signature.map { signature in
        signature.mostSignificantFirst.map { ECDSA.isValid($0, for: packet.signedBytes, publicKey: key) } ?? false
      }
    }
    return Part(
      name: name, image: image, initPacket: bytes, packet: packet, isSignatureValid: isValid, findings: findings)
  }

  /// Whether it has no problems, and the board that was named, or without one any board, accepts it.
  private var isSound: Bool {
    guard findings.isEmpty else { return false }
    return isForOneBoard
      ? answers.allSatisfy { $0.decisive?.reason == nil } : answers.contains { $0.decisive?.reason == nil }
  }
}
