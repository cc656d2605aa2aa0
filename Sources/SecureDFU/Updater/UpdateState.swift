/// The state of a running update as a phone shows it (requirements APP-1.4.2.1 and APP-1.4.2.2).
public struct UpdateState: Hashable, Sendable {
  /// The program of the recorder that the phone is connected with.
  public enum Place: String, Hashable, Sendable {
    /// None: it looks for the recorder, or the recorder is busy.
    case nowhere
    /// With its application.
    case application
    /// With its bootloader.
    case bootloader
  }

  /// The phase of an update.
  public enum Phase: String, CaseIterable, Hashable, Sendable {
    /// The package is checked; the recorder has not been touched.
    case checking
    /// The recorder is asked to start its bootloader.
    case entering
    /// The phone looks for the bootloader and connects to it.
    case finding
    /// The init packet is sent and judged.
    case announcing
    /// The image is sent.
    case sending
    /// The recorder puts the image in place and starts it.
    case activating
    /// The phone finds out which program the recorder runs.
    case verifying
    /// The update is over.
    case ended
  }

  /// The program that the phone is connected with.
  public var place: Place
  /// The phase of an update.
  public var phase: Phase
  /// Octets of the image that the bootloader has confirmed.
  public var octets: UInt32
  /// Octets of the image.
  public var total: UInt32
  /// Octets a second, measured over the last objects; `nil` before the first.
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

  /// Estimated seconds until the image is sent; `nil` before a rate is known.
  public var secondsLeft: UInt32? {
    guard let octetsPerSecond, octetsPerSecond > 0, total >= octets else { return nil }
    return (total - octets + octetsPerSecond - 1) / octetsPerSecond
  }
}

/// The firmware on a recorder after an update ended, as far as the updater knows.
public enum InstalledAfterUpdate: String, Hashable, Sendable {
  /// The new one.
  case new
  /// The one it had before.
  case old
  /// The bootloader runs, and it has no application to start.
  case none
  /// The recorder could not be reached any more.
  case unknown
}
