import Bytes
import Phone

/// What a step can do with a phone, whichever it is: ours in a simulated world, ours on a real adapter, or somebody
/// else's in the hands of an operator.
public protocol PhoneControl: AnyObject {
  /// How the scenario calls it.
  var name: String { get }
  /// Runs one operation to its end.
  func perform(_ operation: PhoneOperation) async throws(ControlFailure) -> Result<PhoneResult, PhoneFailure>
  /// Begins one operation without waiting for its end.
  func begin(_ operation: PhoneOperation) throws(ControlFailure)
  /// Ends the application and starts it again; its library stays.
  func restart() async throws(ControlFailure)
  /// Brings the application to the foreground or sends it to the background.
  func setForeground(_ isForeground: Bool) async throws(ControlFailure)
  /// Sets the phone's clock to this civil local time.
  func setClock(_ seconds: LocalSeconds) async throws(ControlFailure)
  /// The release feed that the phone looks into offers one more firmware.
  func publish(_ offer: FirmwareOffer) throws(ControlFailure)
  /// The phone's civil local time now.
  func readClock() throws(ControlFailure) -> LocalSeconds
  /// The records in its library that have not been removed, newest first.
  func records() async throws(ControlFailure) -> [LibraryEntry]
  /// What the phone shows of these records, newest first.
  func shownRecords() async throws(ControlFailure) -> [ShownRecord]
  /// What the phone remembers of its connections, oldest first.
  func connectionHistory() throws(ControlFailure) -> [ConnectionStatusEntry]
  /// The answer to a question about what the phone shows.
  func answer(_ question: String) async throws(ControlFailure) -> SpokenAnswer
}

/// One record as the phone shows it.
public struct LibraryEntry: Hashable, Sendable {
  /// The sixteen digits.
  public var identifier: String
  /// The record's octets.
  public var bytes: [UInt8]

  public init(identifier: String, bytes: [UInt8]) {
    self.identifier = identifier
    self.bytes = bytes
  }
}

/// Turns the sound of records into text.
public protocol Transcriber: Sendable {
  /// The text of a sound; `nil` where it finds none.
  func transcript(of samples: [Int16]) -> String?
}

/// Why a control did not do what was asked: never the device's fault.
public enum ControlFailure: Error, Hashable, Sendable {
  /// The target cannot do it; with the name of the missing capability.
  case lacking(String)
  /// The bench failed: an adapter, a cable, an actuator.
  case bench(BenchFault)
  /// The world cannot be in that state; the text says why, and the scenario is wrong.
  case impossible(String)
  /// The step timed out, or the simulation went idle.
  case ended(WaitEnd)
}
