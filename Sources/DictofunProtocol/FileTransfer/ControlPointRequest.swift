import Bytes

/// A request of the File Transfer Service, as it is written to the control point.
///
/// The firmware accepts a request only when its opcode is known and its length is exact. It answers every write
/// with success and has no immediate status: anything else is silently ignored.
public enum ControlPointRequest: Hashable, Sendable {
  /// Opcode 01: sent to learn which files there are.
  case listFiles
  /// Opcode 02: sent to learn the size of a file.
  case fileInformation(RecordIdentifier)
  /// Opcode 03: sent to receive the bytes of a file, always from the first.
  case fileData(RecordIdentifier)
  /// Opcode 04: sent to learn how much room is left.
  case fileSystemStatus
  /// Opcode 06: sent as the last request of a session; the recorder then disconnects.
  case receiveComplete
  /// Anything that the firmware ignores: another opcode, another length, nothing at all.
  case unaccepted([UInt8])

  /// The first octet of a request that the firmware accepts.
  public enum Opcode: UInt8, CaseIterable, Sendable {
    /// The files are to be listed.
    case listFiles = 0x01
    /// A file is to be described.
    case fileInformation = 0x02
    /// A file is to be sent.
    case fileData = 0x03
    /// The file system is to be described.
    case fileSystemStatus = 0x04
    /// The session ends.
    case receiveComplete = 0x06

    /// Whether the identifier of a file follows.
    public var namesFile: Bool { self == .fileInformation || self == .fileData }
  }

  /// The longest write that the control point takes.
  public static let maximumLength = 1 + RecordIdentifier.octetCount

  /// The layout of a request.
  public static let layout = WireLayout(
    "control point",
    [
      WireField(
        "request", .choice(Opcode.allCases.map { WireChoice($0, $0.namesFile ? [RecordIdentifier.field] : []) }))
    ])

  /// Reads a value that was written to the control point; every sequence of octets is one of the cases.
  public init(decoding octets: [UInt8]) {
    let identifier = RecordIdentifier(octets.dropFirst())
    switch octets.first.flatMap(Opcode.init) {
    case .listFiles? where octets.count == 1: self = .listFiles
    case .fileInformation?: self = identifier.map(Self.fileInformation) ?? .unaccepted(octets)
    case .fileData?: self = identifier.map(Self.fileData) ?? .unaccepted(octets)
    case .fileSystemStatus? where octets.count == 1: self = .fileSystemStatus
    case .receiveComplete? where octets.count == 1: self = .receiveComplete
    default: self = .unaccepted(octets)
    }
  }

  /// The octets to be written.
  public var encoded: [UInt8] {
    switch self {
    case .listFiles: [Opcode.listFiles.rawValue]
    case .fileInformation(let identifier): [Opcode.fileInformation.rawValue] + identifier.octets
    case .fileData(let identifier): [Opcode.fileData.rawValue] + identifier.octets
    case .fileSystemStatus: [Opcode.fileSystemStatus.rawValue]
    case .receiveComplete: [Opcode.receiveComplete.rawValue]
    case .unaccepted(let octets): octets
    }
  }

  /// The first octet, where there is one.
  public var opcode: UInt8? { encoded.first }

  /// Whether the firmware acts on this request.
  public var isAccepted: Bool { if case .unaccepted = self { false } else { true } }
}

/// Values that are written to the pairing characteristic 0x10FE, which needs an encrypted link.
public enum PairingControl {
  /// Deletes every bond of the recorder; the link stays. The stack refuses a longer value, which the attribute cannot
  /// hold (ATT error 0x0D).
  public static let unpair: UInt8 = 0xAD
  /// The application writes this only to provoke pairing; the recorder ignores the value.
  public static let provokePairing: UInt8 = 0x01
  /// Octets of the value.
  public static let length = 1

  /// The layout of the value.
  public static let layout = WireLayout(
    "pairing",
    [WireField("request", .choice([WireChoice(unpair, "unpair"), WireChoice(provokePairing, "provoke pairing")]))])
}
