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

  /// The first octet of a notification.
  public enum Code: UInt8, CaseIterable, Sendable {
    /// All is well.
    case ok = 0x01
    /// There is no such file.
    case fileNotFound = 0x02
    /// The file system does not answer.
    case fileSystemCorrupt = 0x03
    /// It was given up.
    case aborted = 0x04
    /// Anything else.
    case genericFailure = 0x05

    /// What follows the code.
    fileprivate var fields: [WireField] {
      switch self {
      case .fileNotFound: [RecordIdentifier.field]
      case .aborted: [.number("reason")]
      case .ok, .fileSystemCorrupt, .genericFailure: []
      }
    }
  }

  /// Octets of the longest notification.
  public static let maximumLength = 1 + RecordIdentifier.octetCount

  /// The notification.
  public static let layout = WireLayout(
    "general status", [WireField("status", .choice(Code.allCases.map { WireChoice($0, $0.fields) }))])

  /// The octets of the notification.
  public var encoded: [UInt8] {
    switch self {
    case .ok: [Code.ok.rawValue]
    case .fileNotFound(let identifier): [Code.fileNotFound.rawValue] + identifier.octets
    case .fileSystemCorrupt: [Code.fileSystemCorrupt.rawValue]
    case .aborted(let reason): [Code.aborted.rawValue, reason]
    case .genericFailure: [Code.genericFailure.rawValue]
    }
  }

  /// Reads a notification. Throws when the code is unknown or its length is another.
  public init(decoding octets: [UInt8]) throws(DecodingFailure) {
    var reader = ByteReader(octets.span)
    let code = try reader.readUInt8("general status code")
    switch Code(rawValue: code) {
    case .ok: self = .ok
    case .fileNotFound:
      let octets = try reader.readBytes(RecordIdentifier.octetCount, "general status identifier")
      self = .fileNotFound(RecordIdentifier(octets) ?? .fallback)
    case .fileSystemCorrupt: self = .fileSystemCorrupt
    case .aborted: self = .aborted(reason: try reader.readUInt8("general status reason"))
    case .genericFailure: self = .genericFailure
    case nil: throw DecodingFailure(.invalid(value: UInt64(code)), field: "general status code", offset: 0)
    }
    try reader.expectEnd("general status")
  }
}
