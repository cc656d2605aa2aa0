import Bytes

extension Command {
  /// Appends the command; traps when the parameters are longer than 255 octets.
  public func encode(into writer: inout ByteWriter) {
    var parameters = ByteWriter(capacity: 40)
    encodeParameters(into: &parameters)
    writer.write(opcode.rawValue)
    writer.writeCounted(parameters.bytes)
  }

  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: 40)
    encode(into: &writer)
    return writer.bytes
  }

  private func encodeParameters(into writer: inout ByteWriter) {
    switch self {
    case .unknown(_, let parameters): writer.write(parameters)
    case .setEventMask(let mask): writer.write(mask.rawValue)
    case .setEventMaskPage2(let mask): writer.write(mask)
    case .leSetEventMask(let mask): writer.write(mask.rawValue)
    case .leSetRandomAddress(let address): writer.write(address)
    case .leSetAdvertisingParameters(let parameters): parameters.encode(into: &writer)
    case .leSetAdvertisingData(let data), .leSetScanResponseData(let data): data.encode(into: &writer)
    case .leSetAdvertisingEnable(let isEnabled): writer.write(isEnabled)
    case .leSetScanParameters(let parameters): parameters.encode(into: &writer)
    case .leSetScanEnable(let isEnabled, let filterDuplicates):
      writer.write(isEnabled)
      writer.write(filterDuplicates)
    case .leCreateConnection(let parameters): parameters.encode(into: &writer)
    case .leAddDeviceToFilterAcceptList(let entry), .leRemoveDeviceFromFilterAcceptList(let entry):
      entry.encode(into: &writer)
    case .leEncrypt(let key, let plaintext):
      key.encode(into: &writer)
      plaintext.encode(into: &writer)
    case .leEnableEncryption(let parameters): parameters.encode(into: &writer)
    case .leWriteSuggestedDefaultDataLength(let length): length.encode(into: &writer)
    case .leSetDefaultPHY(let preference): preference.encode(into: &writer)
    default: encodeConnectionParameters(into: &writer)
    }
  }

  /// Commands on a connection begin with its handle; those not listed have no parameters.
  private func encodeConnectionParameters(into writer: inout ByteWriter) {
    switch self {
    case .readRemoteVersionInformation(let handle), .readRSSI(let handle), .leReadRemoteFeatures(let handle),
      .leLongTermKeyRequestNegativeReply(let handle), .leReadPHY(let handle):
      writer.write(handle)
    case .disconnect(let handle, let reason), .leRemoteConnectionParameterRequestNegativeReply(let handle, let reason):
      writer.write(handle)
      writer.write(reason)
    case .leConnectionUpdate(let handle, let timing), .leRemoteConnectionParameterRequestReply(let handle, let timing):
      writer.write(handle)
      timing.encode(into: &writer)
    case .leLongTermKeyRequestReply(let handle, let key):
      writer.write(handle)
      key.encode(into: &writer)
    case .leSetDataLength(let handle, let length):
      writer.write(handle)
      length.encode(into: &writer)
    case .leSetPHY(let handle, let preference, let options):
      writer.write(handle)
      preference.encode(into: &writer)
      writer.write(options)
    default: break
    }
  }
}
