import DictofunProtocol

/// What can be wrong with advertising.
package struct AdvertisingFaults: Hashable, Sendable {
  /// Whether the recorder never advertises.
  package var isSilent = false
  /// Whether it stops advertising for the power session when the first connection ends.
  package var endsWithFirstConnection = false
  /// Its advertising interval in units of 0.625 ms; `nil` for its profile's.
  package var intervalSlots: UInt16?
  /// Whether its advertisement does not name the File Transfer Service.
  package var hidesService = false

  /// The octet of the advertising data that is inverted; `nil` for none.
  package var invertedOctet: Int?
  /// The octet of the scan response that is inverted; `nil` for none.
  package var invertedResponseOctet: Int?

  /// Flags and shortened name, without the File Transfer Service.
  private static let dataWithoutService: [UInt8] =
    [0x02, 0x01, 0x06] + [0x05, 0x08] + Array(DictofunAdvertisement.shortenedLocalName.utf8)

  /// No fault.
  package init() {}

  /// The advertising data that leaves the recorder in place of `data`.
  func advertised(_ data: [UInt8]) -> [UInt8] {
    Self.inverted(hidesService ? Self.dataWithoutService : data, at: invertedOctet)
  }

  /// The scan response that leaves the recorder in place of `data`.
  func answered(_ data: [UInt8]) -> [UInt8] { Self.inverted(data, at: invertedResponseOctet) }

  private static func inverted(_ data: [UInt8], at index: Int?) -> [UInt8] {
    guard let index, data.indices.contains(index) else { return data }
    var data = data
    data[index] ^= 0xFF
    return data
  }
}

extension RecorderFault {
  /// One second in units of 0.625 ms.
  private static let oneSecondInSlots: UInt16 = 1600

  /// Where the flags of the advertising data stand.
  private static let flagsOffset = 6

  static let ofAdvertising = [
    RecorderFault("wrong-advertising-flags", "The flags of its advertisement are wrong.") {
      $0.advertising.invertedOctet = flagsOffset
    },
    RecorderFault("wrong-scan-response", "Its scan response names another service.") {
      $0.advertising.invertedResponseOctet = 2
    },
    RecorderFault("never-advertises", "It never advertises.") { $0.advertising.isSilent = true },
    RecorderFault("wrong-advertising-interval", "It advertises once a second instead of eight times.") {
      $0.advertising.intervalSlots = oneSecondInSlots
    },
    RecorderFault("hides-its-service", "Its advertisement does not name the File Transfer Service.") {
      $0.advertising.hidesService = true
    },
    RecorderFault("silent-after-disconnect", "It stops advertising after the first connection of a power session.") {
      $0.advertising.endsWithFirstConnection = true
    },
  ]
}
