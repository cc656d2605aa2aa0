import Bytes

/// Why a request has no other answer; notified on the general status characteristic.
///
/// The published firmware only ever sends 02 and 03. The others are in its header and are understood.
public enum GeneralStatus: Hashable, Sendable {
  /// Code 01, one octet.
  case ok
  /// Code 02 with the identifier as requested: when no such file can be described or opened.
  case fileNotFound(RecordIdentifier)
  /// Code 03, one octet: when the file system did not answer or a file was never finished.
  case fileSystemCorrupt
  /// Code 04 and a reason.
  case aborted(reason: UInt8)
  /// Code 05, one octet.
  case genericFailure

  /// The octets of the notification.
  public var encoded: [UInt8] {
    switch self {
    case .ok: [0x01]
    case .fileNotFound(let identifier): [0x02] + identifier.octets
    case .fileSystemCorrupt: [0x03]
    case .aborted(let reason): [0x04, reason]
    case .genericFailure: [0x05]
    }
  }

  /// Reads a notification. Throws when the code is unknown or its length is another.
  public init(decoding octets: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(octets.span)
    let code = try reader.readUInt8("general status code")
    switch code {
    case 0x01: self = .ok
    case 0x02:
      let octets = try reader.readBytes(RecordIdentifier.octetCount, "general status identifier")
      self = .fileNotFound(RecordIdentifier(octets) ?? .fallback)
    case 0x03: self = .fileSystemCorrupt
    case 0x04: self = .aborted(reason: try reader.readUInt8("general status reason"))
    case 0x05: self = .genericFailure
    default: throw DecodingFailure(.invalid(value: UInt64(code)), field: "general status code", offset: 0)
    }
    try reader.expectEnd("general status")
  }
}
