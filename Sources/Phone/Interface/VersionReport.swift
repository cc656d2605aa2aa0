/// The hardware and firmware of a recorder, as far as they are known (requirement APP-1.4.3).
public struct VersionReport: Hashable, Sendable {
  /// The source of a version.
  public enum Source: String, Hashable, Sendable {
    /// The application reports it in its Device Information Service.
    case deviceInformation = "device information"
    /// This phone installed it, and knows of no later change.
    case installedByThisPhone = "installed by this phone"
    /// The recorder's controller reports it.
    case controller = "controller"
    /// The recorder's name says it.
    case deviceName = "device name"
  }

  /// A version with where it comes from.
  public struct Fact: Hashable, Sendable {
    /// The version; it may contain anything.
    public var text: String
    /// Its source.
    public var source: Source
  }

  /// The application; `nil` where not reported.
  public var application: Fact?
  /// Version of the application that bootloaders compare; `nil` where not reported.
  public var applicationVersion: UInt32?
  /// The board; `nil` where not reported.
  public var board: Fact?
  /// The SoftDevice; `nil` where not reported.
  public var softDevice: Fact?
  /// The reason why the bootloader's version is missing: Nordic's bootloader does not report it over the air.
  public static let bootloader = "cannot be read over the air"

  init() {}
}
