// What belongs to a record besides its content: how far its user has listened, and what is said in it. Both belong to
// the record and not to its identifier, which a later record can have again.

extension PhoneLibrary {
  /// The longest transcript that is kept, in characters; the rest of a longer one is dropped.
  static let transcriptLimit = 16_384

  /// Notes how far its user has listened to a record, which is new no longer. Throws `unknownRecord` where there is no
  /// such record.
  package func keep(position: Duration, in number: RecordNumber) throws(LibraryFailure) {
    try database.transaction("keep a position") { () throws(LibraryFailure) in
      _ = try recordTable.record(number)
      try recordTable.setPosition(of: number, to: position)
    }
  }

  /// Keeps what is said in a record. Throws `unknownRecord` where the record was removed meanwhile.
  package func keep(transcript: String, of number: RecordNumber) throws(LibraryFailure) {
    try database.transaction("keep a transcript") { () throws(LibraryFailure) in
      _ = try recordTable.record(number)
      try recordTable.setTranscript(of: number, to: String(transcript.prefix(Self.transcriptLimit)))
    }
  }

  /// Number of the records that are here and that nobody has listened to.
  package func newRecordCount() throws(LibraryFailure) -> Int { try recordTable.newCount() }

  /// The records that are here and have no transcript, newest first.
  package func recordsWithoutTranscript() throws(LibraryFailure) -> [LibraryRecord] {
    try records().filter { $0.isComplete && $0.transcript == nil }
  }
}
