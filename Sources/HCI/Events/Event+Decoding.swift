import Bytes

extension Event {
  /// Reads one event that fills all of the reader; throws where lengths disagree, parameters are cut off or left
  /// over, or an octet has a value that its parameter cannot take.
  public init(decoding reader: inout ByteReader) throws(DecodingFailure) {
    let code = EventCode(rawValue: try reader.readUInt8("event code"))
    let length = Int(try reader.readUInt8("parameter length"))
    try reader.expectRemaining(length, "event parameters")
    self = try code == .leMeta ? Self.decodeLowEnergy(&reader) : Self.decode(code, &reader)
    try reader.expectEnd("event parameters")
  }

  /// Reads one event from all of `bytes`.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    try self.init(decoding: &reader)
  }

  private static func decode(_ code: EventCode, _ reader: inout ByteReader) throws(DecodingFailure) -> Event {
    switch code {
    case .numberOfCompletedPackets:
      let count = Int(try reader.readUInt8("number of handles"))
      var entries: [CompletedPackets] = []
      for _ in 0..<count {
        entries.append(CompletedPackets(try reader.readHandle(), try reader.readUInt16("completed packets")))
      }
      return .numberOfCompletedPackets(entries)
    case .disconnectionComplete:
      return .disconnectionComplete(
        try reader.readErrorCode(), try reader.readHandle(), reason: try reader.readErrorCode("reason"))
    case .encryptionChange:
      // 1 and 2 both mean encrypted; over LE only 1 occurs.
      return .encryptionChange(
        try reader.readErrorCode(), try reader.readHandle(),
        isEncrypted: try reader.readUInt8("encryption enabled") != 0)
    case .encryptionChangeV2:
      return .encryptionChangeV2(
        try reader.readErrorCode(), try reader.readHandle(),
        isEncrypted: try reader.readUInt8("encryption enabled") != 0, keySize: try reader.readUInt8("key size"))
    case .encryptionKeyRefreshComplete:
      return .encryptionKeyRefreshComplete(try reader.readErrorCode(), try reader.readHandle())
    case .readRemoteVersionInformationComplete:
      return .readRemoteVersionInformationComplete(
        try reader.readErrorCode(), try reader.readHandle(), try RemoteVersion(decoding: &reader))
    case .commandComplete:
      let credits = try reader.readUInt8("command credits")
      let opcode = Opcode(rawValue: try reader.readUInt16("opcode"))
      return .commandComplete(opcode, credits: credits, try ReturnParameters(of: opcode, decoding: &reader))
    case .commandStatus:
      let status = try reader.readErrorCode()
      let credits = try reader.readUInt8("command credits")
      return .commandStatus(Opcode(rawValue: try reader.readUInt16("opcode")), credits: credits, status)
    case .hardwareError: return .hardwareError(try reader.readUInt8("hardware code"))
    case .dataBufferOverflow: return .dataBufferOverflow(try reader.readUInt8("link type"))
    default: return .unknown(code, reader.readRemaining())
    }
  }

  private static func decodeLowEnergy(_ reader: inout ByteReader) throws(DecodingFailure) -> Event {
    let code = LESubeventCode(rawValue: try reader.readUInt8("subevent code"))
    switch code {
    case .advertisingReport:
      var reports: [LEAdvertisingReport] = []
      for _ in 0..<(try reader.readUInt8("number of reports")) {
        reports.append(try LEAdvertisingReport(decoding: &reader))
      }
      return .leAdvertisingReport(reports)
    case .extendedAdvertisingReport:
      var reports: [LEExtendedAdvertisingReport] = []
      for _ in 0..<(try reader.readUInt8("number of reports")) {
        reports.append(try LEExtendedAdvertisingReport(decoding: &reader))
      }
      return .leExtendedAdvertisingReport(reports)
    case .connectionComplete: return .leConnectionComplete(try .init(decoding: &reader))
    case .enhancedConnectionComplete: return .leEnhancedConnectionComplete(try .init(decoding: &reader))
    case .connectionUpdateComplete:
      return .leConnectionUpdateComplete(
        try reader.readErrorCode(), try reader.readHandle(), try LELinkParameters(decoding: &reader))
    case .readRemoteFeaturesComplete:
      return .leReadRemoteFeaturesComplete(
        try reader.readErrorCode(), try reader.readHandle(),
        LEFeatures(rawValue: try reader.readUInt64("LE features")))
    case .longTermKeyRequest:
      return .leLongTermKeyRequest(
        try reader.readHandle(), randomNumber: try reader.readUInt64("random number"),
        encryptedDiversifier: try reader.readUInt16("encrypted diversifier"))
    case .remoteConnectionParameterRequest:
      return .leRemoteConnectionParameterRequest(try reader.readHandle(), try LEParameterRequest(decoding: &reader))
    case .dataLengthChange:
      return .leDataLengthChange(try reader.readHandle(), try LEDataLengths(decoding: &reader))
    case .phyUpdateComplete:
      let status = try reader.readErrorCode()
      let handle = try reader.readHandle()
      return .lePHYUpdateComplete(
        status, handle, transmit: try reader.readPHY("TX PHY", status),
        receive: try reader.readPHY("RX PHY", status))
    default: return .leUnknown(code, reader.readRemaining())
    }
  }
}

extension ByteReader {
  /// A PHY, which means nothing, and may be 0, after a failure.
  fileprivate mutating func readPHY(
    _ field: StaticString, _ status: ErrorCode
  ) throws(DecodingFailure) -> PhysicalLayer {
    if status == .success { return try readValue(field, PhysicalLayer.self) }
    return PhysicalLayer(rawValue: try readUInt8(field)) ?? .le1M
  }
}
