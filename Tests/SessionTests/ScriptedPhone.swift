import Bench
import Bytes
import DictofunProtocol
import Phone
import Session
import Synchronization
import Timeline
import World

/// A phone that answers by a script, on a clock that moves only when the script or a wait moves it.
final class ScriptedPhone: RecorderPhone {
  typealias Answer = Result<PhoneResult, PhoneFailure>

  private struct State {
    var now = Instant.zero
    var operations: [PhoneOperation] = []
    var handlers: [@Sendable (PhoneEvent) -> Void] = []
    var library: [LibraryEntry] = []
    var paired: BluetoothAddress?
    var waiting: [[PhoneEvent]] = []
    var transcripts: [Int64: String] = [:]
  }

  private let state = Mutex(State())
  private let script: @Sendable (PhoneOperation, ScriptedPhone) -> Answer

  init(paired: BluetoothAddress? = nil, _ script: @escaping @Sendable (PhoneOperation, ScriptedPhone) -> Answer) {
    self.script = script
    state.withLock { $0.paired = paired }
  }

  /// Everything that was asked for, in order.
  var operations: [PhoneOperation] { state.withLock { $0.operations } }

  /// Tells whoever listens.
  func emit(_ event: PhoneEvent) {
    for handler in state.withLock({ $0.handlers }) { handler(event) }
  }

  /// Lets time pass.
  func pass(_ span: Duration) { state.withLock { $0.now = $0.now.advanced(by: span) } }

  /// Puts a record into the library.
  func store(_ identifier: String, _ octets: [UInt8]) {
    state.withLock { $0.library.append(LibraryEntry(identifier: identifier, bytes: octets)) }
    emit(.recordStored(identifier: identifier, octets: UInt32(octets.count)))
  }

  /// What comes in the next wait.
  func prepare(_ events: [PhoneEvent]) { state.withLock { $0.waiting.append(events) } }

  func pair(with address: BluetoothAddress?) { state.withLock { $0.paired = address } }

  var now: Instant { state.withLock { $0.now } }
  var realTime: Instant { now }

  func perform(_ operation: PhoneOperation, within limit: Duration) async throws(ControlFailure) -> Answer {
    state.withLock { $0.operations.append(operation) }
    return script(operation, self)
  }

  func perform(_ deed: Deed) async throws(ControlFailure) { throw .lacking("nothing") }

  func records() async throws(ControlFailure) -> [LibraryEntry] { state.withLock { $0.library } }

  func knownRecords() async throws(LibraryFailure) -> (records: [LibraryRecord], tombstones: [Tombstone]) { ([], []) }

  func recordsWithoutTranscript() async throws(LibraryFailure) -> [UntranscribedRecord] {
    state.withLock { state in
      state.library.enumerated().filter { state.transcripts[Int64($0.offset)] == nil }
        .map { UntranscribedRecord(number: RecordNumber(rawValue: Int64($0.offset)), entry: $0.element) }
    }
  }

  func keep(transcript: String, of number: RecordNumber) async throws(LibraryFailure) {
    state.withLock { $0.transcripts[number.rawValue] = transcript }
  }

  /// What the phone keeps of what is said, by the place of the record.
  var transcripts: [Int64: String] { state.withLock { $0.transcripts } }

  /// Answers in a program's place: its words are in the text, and one for a silent record fails.
  func run(_ program: ExternalProgram) async throws(ControlFailure) -> ExternalProgram.Outcome {
    let path = program.words.last ?? ""
    if path.contains("silent") { return ExternalProgram.Outcome(code: 3, output: "") }
    return ExternalProgram.Outcome(code: 0, output: "words of\n  \(path.split(separator: "/").last ?? "")\n")
  }

  func keySize(with recorder: BluetoothAddress) async throws(LibraryFailure) -> UInt8? { 16 }

  func pairedRecorder() async throws(LibraryFailure) -> BluetoothAddress? { state.withLock { $0.paired } }

  func localTime() async throws(ControlFailure) -> LocalSeconds { 800_000_000 }

  func wait(_ limit: Duration, until isDone: @escaping @Sendable () -> Bool) async {
    let events = state.withLock { $0.waiting.isEmpty ? [] : $0.waiting.removeFirst() }
    for event in events {
      pass(.milliseconds(10))
      emit(event)
      if isDone() { return }
    }
    pass(limit)
  }

  func onEvent(_ handler: @escaping @Sendable (PhoneEvent) -> Void) async {
    state.withLock { $0.handlers.append(handler) }
  }
}
