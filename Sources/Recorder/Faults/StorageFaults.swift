/// What can be wrong with the flash that holds records.
package struct StorageFaults: Hashable, Sendable {
  /// Whether a power cut while something was being written costs all records at the next boot.
  package var losesRecordsAtPowerCut = false
  /// Whether records are erased at power-off as soon as one was sent and none was confirmed.
  package var erasesUnconfirmed = false
  /// Whether records that were sent come back under other names at the next connection.
  package var renamesDeliveredRecords = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofStorage = [
    RecorderFault("resurrects-after-reconnect", "Records that the phone has come back under other names.") {
      $0.storage.renamesDeliveredRecords = true
    },
    RecorderFault("loses-records-at-power-cut", "A power cut costs all records.") {
      $0.storage.losesRecordsAtPowerCut = true
    },
    RecorderFault("erases-unconfirmed", "It erases records that the phone never confirmed.") {
      $0.storage.erasesUnconfirmed = true
    },
  ]
}
