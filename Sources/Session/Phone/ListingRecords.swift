import DictofunProtocol
import Phone

/// One record of a recorder, and what the phone has of it.
package struct RecordRow: Sendable {
  /// What the phone has of a record.
  package enum State: String, Sendable {
    /// The phone never had it.
    case new
    /// It is in the phone's library.
    case here
    /// It was in the library, and was removed there.
    case removed
  }

  /// Why a listed record cannot be described.
  package enum Trouble: Sendable {
    /// The recorder lists the record but does not find it.
    case unknown
    /// The recorder cannot open the record.
    case unreadable
  }

  /// The identifier, as listed.
  package var identifier: String
  /// Its size in octets; `nil` where the recorder does not tell.
  package var size: UInt32?
  /// What the phone has of it.
  package var state = State.new
  /// What is said in it, where the phone has it and knows.
  package var transcript: String?
  /// Why the size is missing; `nil` when nothing is wrong.
  package var trouble: Trouble?

  /// How long it plays: whole frames only (`RecordAudio`).
  package var duration: Duration? {
    size.map { size in
      let samples = Int64(size) / Int64(RecordAudio.octetsPerFrame) * Int64(RecordAudio.samplesPerFrame)
      return .milliseconds(samples * 1_000 / Int64(RecordAudio.sampleRate))
    }
  }
}

extension RecorderConversation {
  /// Connects, and lists the recorder's records with size and what the phone has of each.
  package func listRecords() async throws -> [RecordRow] {
    try await connect()
    let identifiers = try await list()
    let known = try await phone.knownRecords()
    var rows: [RecordRow] = []
    for identifier in identifiers { rows.append(try await row(identifier, known.records, known.tombstones)) }
    return rows
  }

  private func row(
    _ identifier: String, _ records: [LibraryRecord], _ tombstones: [Tombstone]
  ) async throws -> RecordRow {
    var row = RecordRow(identifier: identifier)
    switch try await phone.perform(.inform(.identifier(identifier)), within: Self.connectionLimit) {
    case .success(.size(let size)): row.size = size
    case .success: break
    case .failure(.recordNotFound): row.trouble = .unknown
    case .failure(.fileSystemCorrupt): row.trouble = .unreadable
    case .failure(let failure): throw failure
    }
    func isThis(_ other: RecordIdentifier, _ size: UInt32) -> Bool {
      other.description == identifier && size == row.size
    }
    if let here = records.first(where: { $0.isListed && $0.isComplete && isThis($0.identifier, $0.size) }) {
      row.state = .here
      row.transcript = here.transcript
    } else if tombstones.contains(where: { $0.isListed && isThis($0.identifier, $0.size) }) {
      row.state = .removed
    }
    return row
  }
}
