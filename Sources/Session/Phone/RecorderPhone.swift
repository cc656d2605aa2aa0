import Bench
import Bytes
import DictofunProtocol
import Phone
import Timeline
import World

/// The phone that a conversation uses. Tests put a scripted one in the place of ``PhoneDesk``.
package protocol RecorderPhone: Sendable {
  /// The instant on the phone's loop.
  var now: Instant { get }

  /// The instant on the phone's loop, and what that has missed of real time because the machine was busy.
  var realTime: Instant { get }

  /// Runs one operation until it ends or `limit` has passed.
  ///
  /// - Throws: ``ControlFailure`` when it did not end.
  func perform(
    _ operation: PhoneOperation, within limit: Duration
  ) async throws(ControlFailure) -> Result<PhoneResult, PhoneFailure>

  /// The records in the library, newest first.
  func records() async throws(ControlFailure) -> [LibraryEntry]

  /// All that the library knows of records, present and removed.
  func knownRecords() async throws(LibraryFailure) -> (records: [LibraryRecord], tombstones: [Tombstone])

  /// The records in the library that have no transcript yet, newest first.
  func recordsWithoutTranscript() async throws(LibraryFailure) -> [UntranscribedRecord]

  /// Keeps what is said in a record.
  func keep(transcript: String, of number: RecordNumber) async throws(LibraryFailure)

  /// Runs a program to its end.
  ///
  /// - Throws: ``ControlFailure`` when it could not be started or took too long.
  func run(_ program: ExternalProgram) async throws(ControlFailure) -> ExternalProgram.Outcome

  /// The recorder that the phone is paired with.
  func pairedRecorder() async throws(LibraryFailure) -> BluetoothAddress?

  /// How long the key is that the phone has in common with a recorder, in octets; `nil` where it has none.
  func keySize(with recorder: BluetoothAddress) async throws(LibraryFailure) -> UInt8?

  /// What the phone's clock shows.
  func localTime() async throws(ControlFailure) -> LocalSeconds

  /// Lets time pass until `limit` is over, or until `isDone` holds after one of the phone's events.
  func wait(_ limit: Duration, until isDone: @escaping @Sendable () -> Bool) async

  /// Does something to the recorder by another way than its radio.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` where nothing can do it.
  func perform(_ deed: Deed) async throws(ControlFailure)

  /// Calls `handler` for each of the phone's events from now on.
  func onEvent(_ handler: @escaping @Sendable (PhoneEvent) -> Void) async
}

extension PhoneDesk: RecorderPhone {
  package nonisolated var now: Instant { loop.now }
  package nonisolated var realTime: Instant { loop.now.advanced(by: loop.slipped) }
}
