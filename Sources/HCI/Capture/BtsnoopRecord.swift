/// The btsnoop capture format: what its numbers mean, and the limits that its readers set.
///
/// The layout is that of BlueZ `src/shared/btsnoop.h`; everything in a file is big-endian.
public enum Btsnoop {
  /// What stands at the beginning of every file.
  static let magic: [UInt8] = Array("btsnoop\0".utf8)
  static let version: UInt32 = 1
  static let fileHeaderLength = 16
  static let recordHeaderLength = 24

  /// Octets of data that BlueZ's readers accept in one record; writers cut longer data there.
  public static let recordLimit = 1490

  /// Octets of data in one record beyond which a reader holds a file for broken.
  public static let hostileRecordLimit = 0x1_0000

  /// Microseconds from the first day of the year 0, where btsnoop counts from, to 1970.
  public static let unixEpochMicroseconds: Int64 = 0x00DC_DDB3_0F2F_8000

  /// What the records of a file look like.
  public enum DataLink: UInt32, Hashable, Sendable {
    /// HCI packets without an indicator; the flags tell their kind.
    case hci = 1001
    /// HCI packets with their H4 indicator.
    case h4 = 1002
    /// Packets, notes and adapters of a Linux Bluetooth monitor.
    case linuxMonitor = 2001
  }
}

/// One record of a btsnoop file.
public struct BtsnoopRecord: Hashable, Sendable {
  /// Which adapter; 0xFFFF where the record belongs to none.
  public var adapter: UInt16
  /// What the record tells.
  public var content: Content
  /// When, in microseconds since 1970 UTC.
  public var unixMicroseconds: Int64
  /// How long the data was before it was cut to what stands in the record.
  public var originalLength: Int
  /// Packets lost by whoever captured between the first record of the file and this one.
  public var cumulativeDrops: UInt32

  /// The adapter number of records that belong to none.
  public static let noAdapter: UInt16 = 0xFFFF

  public init(
    adapter: UInt16, _ content: Content, unixMicroseconds: Int64, originalLength: Int, cumulativeDrops: UInt32 = 0
  ) {
    self.adapter = adapter
    self.content = content
    self.unixMicroseconds = unixMicroseconds
    self.originalLength = originalLength
    self.cumulativeDrops = cumulativeDrops
  }

  /// What a record tells.
  public enum Content: Hashable, Sendable {
    /// An adapter appeared (opcode 0).
    case newIndex(BtsnoopAdapter)
    /// An adapter vanished (opcode 1).
    case deletedIndex
    /// An adapter was opened (opcode 8).
    case openIndex
    /// An adapter was closed (opcode 9).
    case closeIndex
    /// A packet from host to controller.
    case sent(HCIPacket)
    /// A packet from controller to host.
    case received(HCIPacket)
    /// A remark of a program, with a priority of 3 (error) to 7 (debug) and the program's name (opcode 13).
    case userLogging(priority: UInt8, identifier: String, text: String)
    /// A remark of the system (opcode 12).
    case systemNote(String)
    /// A record of another opcode: its number and data.
    case other(opcode: UInt16, data: [UInt8])
    /// A packet of data link 1002 that is empty or begins with an indicator that no kind of packet has.
    case unknownPacket([UInt8])
  }
}

/// An adapter as a monitor announces it.
public struct BtsnoopAdapter: Hashable, Sendable {
  /// Kind of controller: 0 is a primary one.
  public var type: UInt8 = 0
  /// How it is attached: 0 virtual, 1 USB, 3 UART.
  public var bus: UInt8 = 0
  /// The address shown for it, least significant octet first, six octets.
  public var address: [UInt8]
  /// Its name, at most seven octets of UTF-8.
  public var name: String

  static let addressLength = 6
  static let nameLength = 8

  /// Announces a virtual adapter; traps when the address does not have six octets.
  public init(address: [UInt8], name: String) {
    precondition(address.count == Self.addressLength, "an address has six octets")
    self.address = address
    self.name = name
  }
}
