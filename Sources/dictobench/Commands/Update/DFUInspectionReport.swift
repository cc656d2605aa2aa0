import Bytes
import Crypto
import ScenarioLanguage
import SecureDFU
import Text

extension DFUInspection {
  /// The report for machines. With one board its answer stands at the top as well.
  var document: JSONValue {
    var members: [(String, JSONValue)] = [
      ("file", .string(path)), ("publicKey", .string(Hexadecimal.string(publicKey.littleEndian))),
      ("publicKeySource", .string(keyName)),
    ]
    if isForOneBoard, let answer = answers.first { members += described(answer) }
    members += [
      ("findings", .strings(findings.map(\.description))), ("images", .array(parts.map(document))),
      ("predictions", .array(answers.map { .object(described($0)) })),
    ]
    return .object(members)
  }

  private func described(_ answer: Answer) -> [(String, JSONValue)] {
    [
      ("board", .string(answer.board)), ("installedVersion", .integer(Int(answer.installed.applicationVersion))),
      ("installedBootloaderVersion", .integer(Int(answer.installed.bootloaderVersion))),
    ] + described(answer.decisive)
      + [("parts", .array(answer.parts.map { .object([("part", .string($0.name))] + described($0.prediction)) }))]
  }

  private func described(_ prediction: UpdatePrediction?) -> [(String, JSONValue)] {
    [
      ("predictedReply", prediction.map { .string(Hexadecimal.string($0.reply)) } ?? .null),
      ("predictedSelectReply", prediction.map { .string(Hexadecimal.string($0.selectReply)) } ?? .null),
      ("predictedFinalReply", prediction?.finalReply.map { .string(Hexadecimal.string($0)) } ?? .null),
      ("reason", prediction?.reason.map { .string($0) } ?? .null),
    ]
  }

  private func document(_ part: Part) -> JSONValue {
    var members: [(String, JSONValue)] = [("part", .string(part.name))]
    if let image = part.image {
      members.append(("image", file(image.imageName, image.image)))
      members.append(("initPacket", file(image.initPacketName, part.initPacket)))
    } else {
      members.append(("initPacket", file(path, part.initPacket)))
    }
    if let packet = part.packet { members += document(packet.command) }
    members.append(("signed", .boolean(part.packet?.signature != nil)))
    members.append(("signatureValid", part.isSignatureValid.map { .boolean($0) } ?? .null))
    members.append(("findings", .strings(part.findings.map(\.description))))
    return .object(members)
  }

  private func file(_ name: String, _ bytes: [UInt8]) -> JSONValue {
    .object([
      ("file", .string(name)), ("size", .integer(bytes.count)),
      ("crc32", .string(hexadecimal(CRC32.checksum(bytes), digits: 8))),
      ("sha256", .string(Hexadecimal.string(SHA256.digest(bytes)))),
    ])
  }

  private func document(_ command: InitCommand) -> [(String, JSONValue)] {
    func number(_ value: UInt32?) -> JSONValue { value.map { .integer(Int($0)) } ?? .null }
    let softDevices = command.softDeviceRequirements.map { "0x" + hexadecimal($0, digits: 4) }
    let members: [(String, JSONValue)] = [
      ("type", command.type.map { .string("\($0)") } ?? .null), ("firmwareVersion", number(command.firmwareVersion)),
      ("hardwareVersion", number(command.hardwareVersion)),
      ("softDeviceRequirements", .strings(softDevices)),
      ("applicationSize", number(command.applicationSize)), ("softDeviceSize", number(command.softDeviceSize)),
      ("bootloaderSize", number(command.bootloaderSize)), ("isDebug", .boolean(command.isDebug)),
      ("statedSHA256", command.hash.map { .string(Hexadecimal.string($0.digest.reversed())) } ?? .null),
      ("bootValidations", .array(command.bootValidations.map { .integer(Int($0.type)) })),
    ]
    return members
  }

  private func hexadecimal(_ value: UInt32, digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
  }

  /// The report for people.
  var text: String {
    var lines = [PlainText.escaped(path)]
    for part in parts { lines += text(part) }
    for finding in findings { lines.append("  problem: " + PlainText.escaped("\(finding)")) }
    lines.append("predicted answers, with \(PlainText.escaped(keyName)):")
    for answer in answers {
      let reply = answer.decisive.map { Hexadecimal.string($0.finalReply ?? $0.reply) } ?? "none"
      let words = answer.decisive.map { $0.reason ?? "accepted" } ?? "not sent"
      lines.append(
        "  \(answer.board), version \(answer.installed.applicationVersion) installed: \(reply)  "
          + PlainText.escaped(words))
    }
    return lines.joined(separator: "\n")
  }

  private func text(_ part: Part) -> [String] {
    var lines = ["\(PlainText.escaped(part.name)):"]
    func add(_ name: String, _ value: String?) {
      guard let value else { return }
      lines.append("  " + name + String(repeating: " ", count: max(1, 14 - name.count)) + value)
    }
    if let image = part.image {
      add(
        "image",
        "\(PlainText.escaped(image.imageName)), \(image.image.count) octets, CRC "
          + hexadecimal(CRC32.checksum(image.image), digits: 8))
    }
    add(
      "init packet", "\(part.initPacket.count) octets, CRC " + hexadecimal(CRC32.checksum(part.initPacket), digits: 8))
    guard let command = part.packet?.command else { return lines }
    add("type", command.type.map { "\($0)" + (command.isDebug ? ", debug" : "") })
    add("version", command.firmwareVersion.map(String.init))
    add("hardware", command.hardwareVersion.map(String.init))
    add("SoftDevice", command.softDeviceRequirements.map { "0x" + hexadecimal($0, digits: 4) }.joined(separator: ", "))
    add("SHA-256", command.hash.map { Hexadecimal.string($0.digest.reversed()) })
    add("signature", part.isSignatureValid.map { $0 ? "valid" : "not valid" } ?? "none")
    return lines
  }
}
