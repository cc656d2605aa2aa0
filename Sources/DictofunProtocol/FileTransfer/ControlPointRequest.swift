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

  /// The longest write that the control point takes.
  public static let maximumLength = 17

  /// Reads what was written to the control point; every sequence of octets is one of the cases.
  public init(decoding octets: [UInt8]) {
    switch (octets.first, octets.count) {
    case (0x01, 1): self = .listFiles
    case (0x02, 17): self = RecordIdentifier(octets.dropFirst()).map(Self.fileInformation) ?? .unaccepted(octets)
    case (0x03, 17): self = RecordIdentifier(octets.dropFirst()).map(Self.fileData) ?? .unaccepted(octets)
    case (0x04, 1): self = .fileSystemStatus
    case (0x06, 1): self = .receiveComplete
    default: self = .unaccepted(octets)
    }
  }

  /// The octets to be written.
  public var encoded: [UInt8] {
    switch self {
    case .listFiles: [0x01]
    case .fileInformation(let identifier): [0x02] + identifier.octets
    case .fileData(let identifier): [0x03] + identifier.octets
    case .fileSystemStatus: [0x04]
    case .receiveComplete: [0x06]
    case .unaccepted(let octets): octets
    }
  }

  /// The first octet, where there is one.
  public var opcode: UInt8? { encoded.first }

  /// Whether the firmware acts on this request.
  public var isAccepted: Bool { if case .unaccepted = self { false } else { true } }
}

/// What is written to the pairing characteristic 0x10FE, which needs an encrypted link.
public enum PairingControl {
  /// Deletes every bond of the recorder; the link stays. Any longer value with this first octet does the same.
  public static let unpair: UInt8 = 0xAD
  /// What the application writes only to provoke pairing; the recorder ignores the value.
  public static let provokePairing: UInt8 = 0x01
}
