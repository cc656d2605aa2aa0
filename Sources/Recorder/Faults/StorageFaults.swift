/// What can be wrong with the flash that holds records.
package struct StorageFaults: Hashable, Sendable {
  /// Whether a power cut while something was being written costs all records at the next boot.
  package var losesRecordsAtPowerCut = false
  /// Whether records are erased at power-off as soon as one was sent and none was confirmed.
  package var erasesUnconfirmed = false
  /// Whether records that were sent come back under other names at the next connection.
  package var renamesDeliveredRecords = false
  /// Whether a phone that says it has everything confirms records that were never sent to it.
  package var confirmsUnsent = false
  /// Whether a full flash is formatted as soon as one of its records is confirmed.
  package var formatsWhenOneIsConfirmed = false
  /// Whether the last page of a record is not written.
  package var losesLastPage = false
  /// Whether a full flash does not end a record.
  package var neverFull = false
  /// Whether a record that filled the flash ends like any other.
  package var hidesFullMemory = false
  /// Whether its status counts records that were never finished.
  package var countsUnfinished = false
  /// Whether its status leaves out the room that unfinished records take.
  package var hidesUnfinishedRoom = false
  /// Whether its status counts only records that no phone has confirmed.
  package var countsOnlyUnconfirmed = false
  /// Whether the room of erased records stays taken.
  package var keepsErasedRoom = false
  /// Whether a full flash is also formatted while the battery is low.
  package var formatsWhileBatteryLow = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofStorage = [
    RecorderFault("confirms-unsent", "It takes records for delivered that it never sent.") {
      $0.storage.confirmsUnsent = true
    },
    RecorderFault("formats-too-soon", "A full flash is erased although the phone confirmed only one record.") {
      $0.storage.formatsWhenOneIsConfirmed = true
    },
    RecorderFault("loses-last-page", "The last page of a record is not written.") {
      $0.storage.losesLastPage = true
    },
    RecorderFault("never-full", "A record that fills the flash does not end.") { $0.storage.neverFull = true },
    RecorderFault("hides-full-memory", "It does not show that a record filled its memory.") {
      $0.storage.hidesFullMemory = true
    },
    RecorderFault("counts-unfinished-records", "It counts records that were never finished.") {
      $0.storage.countsUnfinished = true
    },
    RecorderFault("hides-unfinished-room", "It states room as free that a lost record has taken.") {
      $0.storage.hidesUnfinishedRoom = true
    },
    RecorderFault("counts-only-unconfirmed", "It counts only records that no phone has confirmed.") {
      $0.storage.countsOnlyUnconfirmed = true
    },
    RecorderFault("keeps-erased-room", "The room of erased records stays taken.") {
      $0.storage.keepsErasedRoom = true
    },
    RecorderFault("formats-with-flat-battery", "It erases a full flash although its battery is low.") {
      $0.storage.formatsWhileBatteryLow = true
    },
    RecorderFault("resurrects-after-reconnect", "Records that the phone already has come back under other names.") {
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
