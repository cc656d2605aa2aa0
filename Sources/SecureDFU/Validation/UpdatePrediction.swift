import Bytes

/// The predicted answer of a bootloader to an image.
public struct UpdatePrediction: Hashable, Sendable {
  /// The response to the execution of the command object.
  public let reply: [UInt8]
  /// The response to selecting the command object afterwards: limit, offset and checksum.
  public let selectReply: [UInt8]
  /// The response to the execution of the last data object; `nil` where it never comes to that, or without an image.
  public let finalReply: [UInt8]?
  /// The reason of a refusal; `nil` where the image is accepted.
  public let reason: String?
}

extension InitPacketValidator {
  /// The predicted answer to an init packet and, where one is given, to its image.
  public func predict(
    initPacket: [UInt8], image: [UInt8]? = nil, installed: InstalledFirmware
  ) -> UpdatePrediction {
    guard initPacket.count <= InitPacket.lengthLimit else {
      return UpdatePrediction(
        reply: DFUResult.code(.insufficientResources).reply(to: .createObject), selectReply: Self.selectReply([]),
        finalReply: nil, reason: "is longer than a command object")
    }
    guard !initPacket.isEmpty else {
      return UpdatePrediction(
        reply: DFUResult.code(.invalidParameter).reply(to: .createObject), selectReply: Self.selectReply([]),
        finalReply: nil, reason: "is empty")
    }
    do throws(InitPacketRefusal) {
      let accepted = try judge(initPacket, installed: installed)
      let refusal = image.flatMap { objection(to: $0, accepted) }
      return UpdatePrediction(
        reply: DFUResult.success.reply(to: .executeObject), selectReply: Self.selectReply(initPacket),
        finalReply: image.map { _ in (refusal?.result ?? .success).reply(to: .executeObject) },
        reason: refusal.map(\.description))
    } catch {
      return UpdatePrediction(
        reply: error.result.reply(to: .executeObject),
        selectReply: Self.selectReply(error.keepsProgress ? initPacket : []), finalReply: nil,
        reason: error.description)
    }
  }

  private func objection(to image: [UInt8], _ accepted: AcceptedImage) -> ImageRefusal? {
    do throws(ImageRefusal) {
      try check(image, accepted.command)
      return nil
    } catch { return error }
  }

  private static func selectReply(_ content: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(DFUResult.success.reply(to: .selectObject))
    writer.write(UInt32(InitPacket.lengthLimit))
    writer.write(UInt32(content.count))
    writer.write(content.isEmpty ? 0 : CRC32.checksum(content))
    return writer.bytes
  }
}
