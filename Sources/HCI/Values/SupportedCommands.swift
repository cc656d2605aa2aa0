/// The bit table of commands that a controller has (Core Specification Vol 4, Part E, 6.27): 64 octets.
public struct SupportedCommands: Hashable, Sendable {
  /// The table as it stands in the answer.
  public private(set) var octets: [UInt8]

  /// Octets of the table.
  public static let length = 64

  /// A table in which exactly `opcodes` are marked; opcodes that have no bit are passed over.
  public init(_ opcodes: [Opcode] = []) {
    octets = [UInt8](repeating: 0, count: Self.length)
    for opcode in opcodes {
      guard let place = Self.place(of: opcode) else { continue }
      octets[place.octet] |= 1 << place.bit
    }
  }

  init(octets: [UInt8]) {
    precondition(octets.count == Self.length, "the table of commands has 64 octets")
    self.octets = octets
  }

  /// Whether the command is marked; false for one that has no bit.
  public func contains(_ opcode: Opcode) -> Bool {
    guard let place = Self.place(of: opcode) else { return false }
    return octets[place.octet] & 1 << place.bit != 0
  }

  static func hasPlace(for opcode: Opcode) -> Bool { place(of: opcode) != nil }

  private static func place(of opcode: Opcode) -> (octet: Int, bit: Int)? {
    guard let entry = places.first(where: { $0.opcode == opcode }) else { return nil }
    return (entry.octet, entry.bit)
  }

  private static let places: [(opcode: Opcode, octet: Int, bit: Int)] = [
    (.disconnect, 0, 5), (.readRemoteVersionInformation, 2, 7), (.setEventMask, 5, 6), (.reset, 5, 7),
    (.readLocalVersionInformation, 14, 3), (.readLocalSupportedFeatures, 14, 5), (.readBufferSize, 14, 7),
    (.readDeviceAddress, 15, 1), (.readRSSI, 15, 5), (.setEventMaskPage2, 22, 2),
    (.leSetEventMask, 25, 0), (.leReadBufferSize, 25, 1), (.leReadLocalSupportedFeatures, 25, 2),
    (.leSetRandomAddress, 25, 4), (.leSetAdvertisingParameters, 25, 5),
    (.leReadAdvertisingPhysicalChannelTxPower, 25, 6), (.leSetAdvertisingData, 25, 7),
    (.leSetScanResponseData, 26, 0), (.leSetAdvertisingEnable, 26, 1), (.leSetScanParameters, 26, 2),
    (.leSetScanEnable, 26, 3), (.leCreateConnection, 26, 4), (.leCreateConnectionCancel, 26, 5),
    (.leReadFilterAcceptListSize, 26, 6), (.leClearFilterAcceptList, 26, 7),
    (.leAddDeviceToFilterAcceptList, 27, 0), (.leRemoveDeviceFromFilterAcceptList, 27, 1),
    (.leConnectionUpdate, 27, 2), (.leReadRemoteFeatures, 27, 5), (.leEncrypt, 27, 6), (.leRand, 27, 7),
    (.leEnableEncryption, 28, 0), (.leLongTermKeyRequestReply, 28, 1), (.leLongTermKeyRequestNegativeReply, 28, 2),
    (.leReadSupportedStates, 28, 3), (.leRemoteConnectionParameterRequestReply, 33, 4),
    (.leRemoteConnectionParameterRequestNegativeReply, 33, 5), (.leSetDataLength, 33, 6),
    (.leReadSuggestedDefaultDataLength, 33, 7), (.leWriteSuggestedDefaultDataLength, 34, 0),
    (.leReadMaximumDataLength, 35, 3), (.leReadPHY, 35, 4), (.leSetDefaultPHY, 35, 5), (.leSetPHY, 35, 6),
    (.leReadBufferSizeV2, 41, 5),
  ]
}
