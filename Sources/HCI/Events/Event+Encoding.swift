import Bytes

extension Event {
  /// Appends the event; traps when the parameters are longer than 255 octets.
  public func encode(into writer: inout ByteWriter) {
    var parameters = ByteWriter(capacity: 72)
    if let subeventCode { parameters.write(subeventCode.rawValue) }
    encodeParameters(into: &parameters)
    writer.write(code.rawValue)
    writer.writeCounted(parameters.bytes)
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 72)
    encode(into: &writer)
    return writer.bytes
  }

  private func encodeParameters(into writer: inout ByteWriter) {
    switch self {
    case .disconnectionComplete(let status, let handle, let reason):
      writer.write(status)
      writer.write(handle)
      writer.write(reason)
    case .encryptionChange(let status, let handle, let isEncrypted):
      writer.write(status)
      writer.write(handle)
      writer.write(isEncrypted)
    case .encryptionChangeV2(let status, let handle, let isEncrypted, let keySize):
      writer.write(status)
      writer.write(handle)
      writer.write(isEncrypted)
      writer.write(keySize)
    case .encryptionKeyRefreshComplete(let status, let handle):
      writer.write(status)
      writer.write(handle)
    case .readRemoteVersionInformationComplete(let status, let handle, let version):
      writer.write(status)
      writer.write(handle)
      version.encode(into: &writer)
    case .commandComplete(let opcode, let credits, let parameters):
      writer.write(credits)
      writer.write(opcode.rawValue)
      parameters.encode(into: &writer)
    case .commandStatus(let opcode, let credits, let status):
      writer.write(status)
      writer.write(credits)
      writer.write(opcode.rawValue)
    case .hardwareError(let octet), .dataBufferOverflow(let octet): writer.write(octet)
    case .numberOfCompletedPackets(let entries):
      writer.write(UInt8(entries.count))
      for entry in entries {
        writer.write(entry.handle)
        writer.write(entry.count)
      }
    case .unknown(_, let octets), .leUnknown(_, let octets): writer.write(octets)
    default: encodeLowEnergyParameters(into: &writer)
    }
  }

  private func encodeLowEnergyParameters(into writer: inout ByteWriter) {
    switch self {
    case .leConnectionComplete(let parameters): parameters.encode(into: &writer)
    case .leEnhancedConnectionComplete(let parameters): parameters.encode(into: &writer)
    case .leAdvertisingReport(let reports):
      writer.write(UInt8(reports.count))
      for report in reports { report.encode(into: &writer) }
    case .leExtendedAdvertisingReport(let reports):
      writer.write(UInt8(reports.count))
      for report in reports { report.encode(into: &writer) }
    case .leConnectionUpdateComplete(let status, let handle, let link):
      writer.write(status)
      writer.write(handle)
      link.encode(into: &writer)
    case .leReadRemoteFeaturesComplete(let status, let handle, let features):
      writer.write(status)
      writer.write(handle)
      writer.write(features.rawValue)
    case .leLongTermKeyRequest(let handle, let randomNumber, let encryptedDiversifier):
      writer.write(handle)
      writer.write(randomNumber)
      writer.write(encryptedDiversifier)
    case .leRemoteConnectionParameterRequest(let handle, let request):
      writer.write(handle)
      request.encode(into: &writer)
    case .leDataLengthChange(let handle, let lengths):
      writer.write(handle)
      lengths.encode(into: &writer)
    case .lePHYUpdateComplete(let status, let handle, let transmit, let receive):
      writer.write(status)
      writer.write(handle)
      writer.write(transmit.rawValue)
      writer.write(receive.rawValue)
    default: preconditionFailure("an event has no parameters")
    }
  }
}
