/// One application image that is known by its digest: a line of `firmware-images/catalogue.json`.
public struct FirmwareRelease: Hashable, Sendable {
  /// Its name, such as `1.5.0`.
  public var name: String
  /// Its package, a file beside the catalogue.
  public var file: String
  /// Version in its init packet; bootloaders compare it.
  public var version: UInt32
  /// Name of the board it is for, such as `s140`.
  public var board: String
  /// Name of the recorder profile that shows how it behaves.
  public var profile: String
  /// Whether the release feed offers it to phones.
  public var isOffered: Bool
  /// Release notes.
  public var notes: String
  /// SHA-256 of its image, most significant octet first.
  public var imageDigest: [UInt8]

  public init(
    name: String, file: String, version: UInt32, board: String, profile: String, isOffered: Bool, notes: String,
    imageDigest: [UInt8]
  ) {
    self.name = name
    self.file = file
    self.version = version
    self.board = board
    self.profile = profile
    self.isOffered = isOffered
    self.notes = notes
    self.imageDigest = imageDigest
  }
}

/// The known firmware: the releases that simulated recorders can run and that the feed offers to phones.
public struct FirmwareCatalogue: Hashable, Sendable {
  /// The releases in the order of the catalogue.
  public let releases: [FirmwareRelease]

  public init(_ releases: [FirmwareRelease]) { self.releases = releases }

  /// The release of that name.
  public func release(named name: String) -> FirmwareRelease? { releases.first { $0.name == name } }

  /// The release whose image has this SHA-256.
  public func release(imageDigest: [UInt8]) -> FirmwareRelease? { releases.first { $0.imageDigest == imageDigest } }

  /// The newest release that the feed offers for a board; `nil` where there is none.
  public func newestOffer(board: String) -> FirmwareRelease? {
    releases.filter { $0.isOffered && $0.board == board }.max { $0.version < $1.version }
  }
}
