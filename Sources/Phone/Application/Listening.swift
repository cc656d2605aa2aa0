import DictofunProtocol
import HostStack

/// The number of new records, as it was shown last.
struct NewRecords {
  private var shown = 0

  /// Returns the number where it differs from what is shown, and remembers it as shown.
  mutating func change(to count: Int) -> Int? {
    guard count != shown else { return nil }
    shown = count
    return count
  }

  /// The application began anew, and shows nothing yet.
  mutating func clear() { shown = 0 }
}

extension PhoneApplication {
  /// The user listens to a record of the library, from the position in it to `end`; needs no link.
  mutating func listen(_ selection: RecordSelection, until end: Duration, _ effects: inout ApplicationEffects) {
    do throws(LibraryFailure) {
      guard let chosen = selection.choose(from: try presentRecords()) else { return fail(.noSuchRecord, &effects) }
      let duration = RecordAudio.duration(of: try configuration.library.content(of: chosen.number) ?? [])
      let position = has(.listensBeyondEnds) ? end : min(end, duration)
      try configuration.library.keep(position: position, in: chosen.number)
    } catch {
      return fail(.library(error.description), &effects)
    }
    showNewRecords(&effects)
    finish(.success(.done), &effects)
  }

  /// The records that are here, newest first.
  func presentRecords() throws(LibraryFailure) -> [LibraryRecord] {
    try configuration.library.records().filter(\.isComplete)
  }

  /// What the user sees of the records that are here, newest first.
  func shownRecords() throws(LibraryFailure) -> [ShownRecord] {
    var shown: [ShownRecord] = []
    for record in try presentRecords() {
      let duration = RecordAudio.duration(of: try configuration.library.content(of: record.number) ?? [])
      let date = has(.datesByArrival) ? record.arrivedAt?.civilTime : RecordOrder.date(of: record.identifier)
      var entry = ShownRecord(record, duration: duration, date: date)
      if has(.countsHeardAsNew) { entry.isNew = true }
      shown.append(entry)
    }
    return shown
  }

  /// Shows the number of new records where it has changed. In the foreground only.
  mutating func showNewRecords(_ effects: inout ApplicationEffects) {
    guard background.isForeground else { return }
    let countsAll = has(.countsHeardAsNew)
    let count = consult(&effects) { library throws(LibraryFailure) in
      countsAll ? try library.records().count(where: \.isComplete) : try library.newRecordCount()
    }
    if let count, let count = newRecords.change(to: count) { effects.append(.event(.newRecords(count))) }
  }

  // MARK: Transcripts

  /// Asks for the transcripts that are missing, such as after a restart that came before an answer.
  mutating func askForTranscripts(_ effects: inout ApplicationEffects) {
    guard configuration.transcribes else { return }
    let missing = consult(&effects) { library throws(LibraryFailure) in try library.recordsWithoutTranscript() } ?? []
    for record in missing { askForTranscript(of: record.number, &effects) }
  }

  /// Asks for the transcript of a record that has arrived.
  mutating func askForTranscript(of number: RecordNumber, _ effects: inout ApplicationEffects) {
    guard configuration.transcribes else { return }
    let content = consult(&effects) { library throws(LibraryFailure) in try library.content(of: number) } ?? nil
    if let content { effects.append(.event(.transcriptWanted(number, content))) }
  }

  /// A transcriber has told what is said in a record, which may be removed by now.
  mutating func transcribed(_ number: RecordNumber, _ text: String, _ effects: inout ApplicationEffects) {
    let takesNewest = has(.mixesTranscripts)
    _ = consult(&effects) { library throws(LibraryFailure) in
      do throws(LibraryFailure) {
        let owner = takesNewest ? try library.records().first?.number : number
        if let owner { try library.keep(transcript: text, of: owner) }
      } catch .unknownRecord {}
    }
  }

  // MARK: Faults

  /// The fault of keeping positions by name: a record begins where one of the same name was left.
  mutating func inheritPosition(_ number: RecordNumber, _ effects: inout ApplicationEffects) {
    _ = consult(&effects) { library throws(LibraryFailure) in
      let record = try library.record(number)
      let namesake = try library.records().first {
        $0.identifier == record.identifier && $0.number != number && $0.isHeard
      }
      if let namesake { try library.keep(position: namesake.position, in: number) }
    }
  }

  /// The fault of forgetting positions: every record begins at its beginning again.
  mutating func forgetPositions(_ effects: inout ApplicationEffects) {
    _ = consult(&effects) { library throws(LibraryFailure) in
      for record in try library.records() where record.isHeard { try library.keep(position: .zero, in: record.number) }
    }
  }
}
