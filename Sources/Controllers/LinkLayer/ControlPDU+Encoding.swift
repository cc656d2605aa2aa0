import Bytes
import HCI

// What a control PDU is on the air, for those who listen to it (Core Specification Vol 6, Part B, 2.4.2).
extension ControlPDU {
  /// Opcode and parameters.
  var encoded: [UInt8] {
    var writer = ByteWriter(capacity: shape.length)
    writer.write(opcode)
    encode(into: &writer)
    return writer.bytes
  }

  private func encode(into writer: inout ByteWriter) {
    switch self {
    case .connectionUpdateIndication(let update):
      // The offset counts in units of 1.25 ms from the old anchor; the window is one such unit.
      writer.write(UInt8(1))
      writer.write(UInt16(truncatingIfNeeded: update.anchorOffset / 1_250_000))
      update.link.encode(into: &writer)
      writer.write(update.instant)
    case .terminateIndication(let reason), .rejectIndication(let reason): writer.write(reason.rawValue)
    case .encryptionRequest(let request):
      writer.write(request.randomNumber)
      writer.write(request.encryptedDiversifier)
      writer.write(request.diversifier)
      writer.write(request.vector)
    case .encryptionResponse(let diversifier, let vector):
      writer.write(diversifier)
      writer.write(vector)
    case .startEncryptionRequest, .startEncryptionResponse, .pauseEncryptionRequest, .pauseEncryptionResponse: break
    case .unknownResponse(let opcode): writer.write(opcode)
    case .featureRequest(let features), .featureResponse(let features), .peripheralFeatureRequest(let features):
      writer.write(features.rawValue)
    case .versionIndication(let version): version.encode(into: &writer)
    case .connectionParameterRequest(let request):
      request.encode(into: &writer)
      // No preferred periodicity, and no preferred anchors.
      writer.write([UInt8](repeating: 0, count: 3) + [UInt8](repeating: 0xFF, count: 12))
    case .rejectExtendedIndication(let opcode, let reason):
      writer.write(opcode)
      writer.write(reason.rawValue)
    case .lengthRequest(let lengths), .lengthResponse(let lengths):
      for length in [lengths.receive, lengths.transmit] {
        writer.write(length.octets)
        writer.write(length.microseconds)
      }
    case .phyRequest(let transmit, let receive), .phyResponse(let transmit, let receive):
      writer.write(transmit.rawValue)
      writer.write(receive.rawValue)
    case .phyUpdateIndication(let update):
      writer.write(update.centralToPeripheral?.asSet.rawValue ?? 0)
      writer.write(update.peripheralToCentral?.asSet.rawValue ?? 0)
      writer.write(update.instant)
    }
  }
}
