import Bench
import Bytes
import Phone
import Text
import World

/// Lets a program write down what is said in records.
package struct Transcribing: Sendable {
  /// The longest that a program may take for one record.
  private static let limit = Duration.seconds(30 * 60)

  /// The program and its arguments; the path of a WAV file is added as the last one.
  let words: [String]
  /// Where the records were written as sound; transcripts are written beside them.
  let files: PulledFiles

  package init(_ words: [String], _ files: PulledFiles) {
    self.words = words
    self.files = files
  }

  /// The program for one record. What it writes to standard error is for the user, and not part of the transcript.
  func program(for path: String) -> ExternalProgram {
    ExternalProgram(words + [path], within: Self.limit, takesErrors: false)
  }
}

/// What a program made of records.
package struct TranscribedRecords: Sendable {
  /// Identifiers of the records that have a transcript now.
  package var identifiers: [String] = []
  /// Identifiers of the records for which the program failed, and why.
  package var failures: [(identifier: String, reason: String)] = []
}

extension RecorderConversation {
  /// Lets a program write down what is said in each record that has no transcript yet. Where it fails for a record, the
  /// record stays without one, and the next call tries again.
  package func transcribe(_ transcribing: Transcribing) async throws -> TranscribedRecords {
    var result = TranscribedRecords()
    for record in try await phone.recordsWithoutTranscript() {
      let identifier = record.entry.identifier
      _ = try transcribing.files.write([record.entry])
      switch try await outcome(of: transcribing.program(for: transcribing.files.soundPath(of: record.entry))) {
      case .failure(let fault): result.failures.append((identifier, fault.description))
      case .success(let text):
        try await phone.keep(transcript: text, of: record.number)
        try transcribing.files.write(transcript: text, of: record.entry)
        result.identifiers.append(identifier)
      }
    }
    return result
  }

  /// What a transcriber wrote, its words separated by single spaces, or why it wrote nothing.
  private func outcome(of program: ExternalProgram) async throws(ControlFailure) -> Result<String, ControlFailure> {
    let outcome: ExternalProgram.Outcome
    do { outcome = try await phone.run(program) } catch {
      if case .bench = error { return .failure(error) }
      throw error
    }
    guard outcome.code == 0 else {
      let end = outcome.code.map { "exit code \($0)" } ?? "a signal"
      return .failure(.bench(BenchFault("the transcriber ended with \(end)", advice: "run it by hand to see why")))
    }
    return .success(outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }
}
