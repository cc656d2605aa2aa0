import Charts

/// The state of what a library knows under one identifier of one recorder.
enum LibraryEntryState: UInt8, ChartSymbol {
  /// Nothing.
  case unknown
  /// The size of a record that the recorder lists, and not its content.
  case awaited
  /// A record that the recorder lists.
  case present
  /// That a record which the recorder lists was removed here.
  case removed
  /// A record that the recorder no longer has under this identifier.
  case kept
  /// The size of a record that went before its content arrived.
  case lost
  /// That a record was removed here which the recorder no longer has under this identifier.
  case buried

  init(_ record: LibraryRecord) {
    self =
      switch (record.isListed, record.isComplete) {
      case (true, true): .present
      case (true, false): .awaited
      case (false, true): .kept
      case (false, false): .lost
      }
  }
}

/// What changes an entry.
enum LibraryEntryEvent: UInt8, ChartSymbol {
  case sizeTold, otherSizeTold, contentArrived, leftOutOfList, removedByUser
}

/// The chart of an entry of the phone's library.
///
/// The rules are the product's: a record that was downloaded or removed is never fetched again (APP-2.3, APP-2.3.1), and
/// the recorder may use an identifier again for another record (see ``PhoneLibrary``). An entry that is no longer marked
/// as listed names an older record for good: the identifier then begins again as `unknown`.
package enum RecordEntry {
  /// The chart in words.
  package static let outline = chart.outline

  static let chart = StateChart<LibraryEntryState, LibraryEntryEvent>(
    "library-entry", "What the phone's library knows of one record of a recorder.", initial: .unknown,
    [
      (.unknown, .sizeTold, .awaited),
      (.awaited, .sizeTold, .awaited),
      (.awaited, .otherSizeTold, .awaited),
      (.awaited, .contentArrived, .present),
      (.awaited, .leftOutOfList, .lost),
      (.awaited, .removedByUser, .removed),
      (.present, .sizeTold, .present),
      (.present, .otherSizeTold, .kept),
      (.present, .contentArrived, .present),
      (.present, .leftOutOfList, .kept),
      (.present, .removedByUser, .removed),
      (.removed, .sizeTold, .removed),
      (.removed, .otherSizeTold, .buried),
      (.removed, .leftOutOfList, .buried),
      (.kept, .contentArrived, .kept),
      (.kept, .removedByUser, .buried),
      (.lost, .contentArrived, .kept),
      (.lost, .removedByUser, .buried),
    ])
}
