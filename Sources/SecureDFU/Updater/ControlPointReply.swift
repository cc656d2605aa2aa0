import Bytes

/// A notification of a bootloader's control point: the answer to a request, or a receipt for packets
/// (nRF5 SDK 17.1.0, `nrf_dfu_ble.c`, `response_send`).
public struct ControlPointReply: Hashable, Sendable {
  /// Octets of the longest reply that is read.
  public static let lengthLimit = 32

  /// The progress of an object.
  public struct ObjectState: Hashable, Sendable {
    /// Octets that arrived.
    public var offset: UInt32
    /// CRC-32 of them.
    public var checksum: UInt32

    public init(offset: UInt32, checksum: UInt32) {
      self.offset = offset
      self.checksum = checksum
    }
  }

  /// The opcode of the request, as in the reply.
  public var opCode: UInt8
  /// The result code, as in the reply.
  public var resultCode: UInt8
  /// The octet after a result that says `extendedError`.
  public var extendedError: UInt8?
  /// Octets of the longest object, after a successful selection.
  public var limit: UInt32?
  /// State of the object, after a successful selection or request for the checksum.
  public var object: ObjectState?

  /// Reads a reply. Throws where it is too short, or not a reply; octets after it are ignored.
  public init(decoding bytes: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(bytes.span)
    let head = try reader.readUInt8("response code")
    guard head == DFUOpCode.response, bytes.count <= Self.lengthLimit else {
      throw DecodingFailure(.invalid(value: UInt64(head)), field: "response code", offset: 0)
    }
    opCode = try reader.readUInt8("request")
    resultCode = try reader.readUInt8("result code")
    if resultCode == DFUResultCode.extendedError.rawValue { extendedError = try reader.readUInt8("extended error") }
    guard isSuccess else { return }
    guard let known = DFUOpCode(rawValue: opCode) else { return }
    let numbers = try reader.readNumbers(known.reply)
    if known == .selectObject { limit = numbers.first }
    if numbers.count >= 2 {
      object = ObjectState(offset: numbers[numbers.count - 2], checksum: numbers[numbers.count - 1])
    }
  }

  /// Whether the request was carried out.
  public var isSuccess: Bool { resultCode == DFUResultCode.success.rawValue }

  /// Whether this answers that request.
  public func answers(_ request: DFUOpCode) -> Bool { opCode == request.rawValue }
}

extension ControlPointReply: CustomStringConvertible {
  /// The reply in the words of the protocol.
  public var description: String {
    if let extendedError {
      return DFUExtendedError(rawValue: extendedError).map { "\($0)" } ?? "extended error \(extendedError)"
    }
    return DFUResultCode(rawValue: resultCode).map { "\($0)" } ?? "result \(resultCode)"
  }
}
