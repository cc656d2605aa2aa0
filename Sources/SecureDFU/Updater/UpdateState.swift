/// What a phone shows about an update that runs (requirements APP-1.4.2.1 and APP-1.4.2.2).
public struct UpdateState: Hashable, Sendable {
  /// Which program of the recorder the phone is connected with.
  public enum Place: String, Hashable, Sendable {
    /// With none: it looks for the recorder, or the recorder is busy with itself.
    case nowhere
    /// With its application.
    case application
    /// With its bootloader.
    case bootloader
  }

  /// What is being done.
  public enum Phase: String, CaseIterable, Hashable, Sendable {
    /// The package is looked at; the recorder has not been touched.
    case checking
    /// The recorder is asked to start its bootloader.
    case entering
    /// The bootloader is looked for and connected to.
    case finding
    /// The init packet is sent and judged.
    case announcing
    /// The image is sent.
    case sending
    /// The recorder puts the image in place and starts it.
    case activating
    /// What runs on the recorder is found out.
    case verifying
    /// The update is over.
    case ended
  }

  /// Which program the phone is connected with.
  public var place: Place
  /// What is being done.
  public var phase: Phase
  /// Octets of the image that the bootloader has confirmed.
  public var octets: UInt32
  /// Octets of the image.
  public var total: UInt32
  /// Octets that went in a second, as measured over the last objects; `nil` before the first.
  public var octetsPerSecond: UInt32?

  public init(
    place: Place, phase: Phase, octets: UInt32 = 0, total: UInt32 = 0, octetsPerSecond: UInt32? = nil
  ) {
    self.place = place
    self.phase = phase
    self.octets = octets
    self.total = total
    self.octetsPerSecond = octetsPerSecond
  }

  /// Share of the image that the bootloader has confirmed, in whole percent, rounded down.
  public var percent: Int { total == 0 ? 0 : Int(UInt64(octets) * 100 / UInt64(total)) }

  /// Seconds until the image is sent, as far as the rate tells; `nil` before there is one.
  public var secondsLeft: UInt32? {
    guard let octetsPerSecond, octetsPerSecond > 0, total >= octets else { return nil }
    return (total - octets + octetsPerSecond - 1) / octetsPerSecond
  }
}

/// Which firmware a recorder has after an update ended, as far as the updater knows.
public enum InstalledAfterUpdate: String, Hashable, Sendable {
  /// The new one.
  case new
  /// The one it had before.
  case old
  /// The bootloader is there and has no application that it could start.
  case none
  /// The recorder could not be reached any more.
  case unknown
}
