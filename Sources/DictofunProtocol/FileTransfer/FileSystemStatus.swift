import Bytes

/// The answer to a file system status request: fourteen octets, whose first two hold their own number.
public struct FileSystemStatus: Hashable, Sendable {
  /// Octets not occupied.
  public var freeBytes: UInt32
  /// Octets of the table and of all files, each counted with its exact size.
  public var occupiedBytes: UInt32
  /// Files in the table.
  public var fileCount: UInt32

  /// Octets of the notification.
  public static let length = 14

  /// The notification.
  public static let layout = WireLayout(
    "FS status",
    [
      WireField("length", .length(octets: 2, countsItself: true)), .number("free", octets: 4, unit: "octets"),
      .number("occupied", octets: 4, unit: "octets"), .number("files", octets: 4),
    ])

  /// A status with the numbers of a notification, consistent or not.
  public init(freeBytes: UInt32, occupiedBytes: UInt32, fileCount: UInt32) {
    self.freeBytes = freeBytes
    self.occupiedBytes = occupiedBytes
    self.fileCount = fileCount
  }

  /// The status of a file system that holds files of these sizes in octets.
  public init(fileSizes: some Collection<Int>) {
    let occupied = fileSizes.reduce(FileSystemGeometry.tableBytes, +)
    self.init(
      freeBytes: UInt32(clamping: FileSystemGeometry.capacityBytes - occupied),
      occupiedBytes: UInt32(clamping: occupied), fileCount: UInt32(clamping: fileSizes.count))
  }

  /// The octets of the notification.
  public var encoded: [UInt8] { Self.layout.octets(of: [0, freeBytes, occupiedBytes, fileCount]) }

  /// Reads a notification. Throws when it is not fourteen octets long or does not say so.
  public init(decoding octets: [UInt8]) throws(DecodingFailure) {
    let numbers = try Self.layout.numbers(of: octets)
    (freeBytes, occupiedBytes, fileCount) = (numbers[1], numbers[2], numbers[3])
  }
}

/// The flash of the recorder as its file system divides it.
public enum FileSystemGeometry {
  /// Octets that the file system manages: 4095 sectors of 4096.
  public static let capacityBytes = 16_773_120
  /// Octets of the table of 256 descriptors, which count as occupied.
  public static let tableBytes = 8192
  /// Octets of a flash page, the unit of writing.
  public static let pageBytes = 256
  /// The most files the firmware can mount again.
  public static let maximumFiles = 253

  /// Octets of flash that a file of `size` octets takes: whole pages, and one more when it ends on a page.
  public static func extent(ofFileSize size: Int) -> Int { (size / pageBytes + 1) * pageBytes }
}
