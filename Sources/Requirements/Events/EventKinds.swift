/// Which happenings an observer wants to see; it gets no others.
///
/// Most observers ignore notifications of file data; a mask is the cheapest way to skip them.
public struct EventKinds: OptionSet, Hashable, Sendable {
  public let rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Advertising started, stopped.
  public static let advertising = EventKinds(rawValue: 1 << 0)
  /// Advertisements heard.
  public static let advertisements = EventKinds(rawValue: 1 << 1)
  /// Links up, down, failed, their parameters and MTU, and whether what happens on them can be known.
  public static let links = EventKinds(rawValue: 1 << 2)
  /// Pairing and encryption.
  public static let security = EventKinds(rawValue: 1 << 3)
  /// Battery asked, read, notified.
  public static let battery = EventKinds(rawValue: 1 << 4)
  /// Time asked, served, refused.
  public static let time = EventKinds(rawValue: 1 << 5)
  /// Services used, unpairing.
  public static let services = EventKinds(rawValue: 1 << 6)
  /// File transfer except ``fileData``.
  public static let fileTransfer = EventKinds(rawValue: 1 << 7)
  /// Octets of files.
  public static let fileData = EventKinds(rawValue: 1 << 8)
  /// Malformed packets.
  public static let malformed = EventKinds(rawValue: 1 << 9)
  /// What only a simulated world knows.
  public static let oracle = EventKinds(rawValue: 1 << 10)
  /// Firmware updates except ``firmwareData``.
  public static let firmwareUpdate = EventKinds(rawValue: 1 << 11)
  /// Octets of firmware.
  public static let firmwareData = EventKinds(rawValue: 1 << 12)
  /// Links, encryption, battery and requests as the end sees them that is not the viewpoint of a ``MonitorSet``.
  public static let otherEnd = EventKinds(rawValue: 1 << 13)
  /// What is too frequent to be told one by one; a capture has it.
  public static let unnarrated: EventKinds = [.fileData, .firmwareData, .advertisements]
  /// Everything.
  public static let all = EventKinds(rawValue: .max)

  /// The place of the kind, where it is one.
  var bit: Int { rawValue.trailingZeroBitCount }
}

extension Happening {
  /// The kind by which observers choose.
  public var kind: EventKinds {
    switch self {
    case .advertisingStarted, .advertisingStopped: .advertising
    case .advertisementHeard: .advertisements
    case .linkUp, .linkFailed, .linkDown, .parametersChanged, .physicalLayers, .dataLength, .parametersAsked,
      .maximumTransmissionUnit, .attributesKnown, .undetermined:
      .links
    case .pairingStarted, .paired, .pairingFailed, .encrypted, .encryptionFailed: .security
    case .batteryAsked, .batteryRead, .batteryNotified, .batterySubscribed, .batteryMalformed: .battery
    case .timeAsked, .timeServed, .timeRefused: .time
    case .serviceUsed, .unpairRequested, .unpairAnswered, .nameWritten: .services
    case .fileTransfer(.data): .fileData
    case .fileTransfer: .fileTransfer
    case .firmwareUpdate(.packet): .firmwareData
    case .firmwareUpdate: .firmwareUpdate
    case .malformed: .malformed
    case .oracle: .oracle
    }
  }
}
