import Bytes

/// One thing that a person, or a program in a person's place, does with somebody else's application. The raw value is
/// its name in bench files and, after `phone.`, the capability's.
public enum ApplicationAction: String, Hashable, Sendable, CaseIterable {
  case reset
  case connect
  case pair
  case unpair
  case disconnect
  case list
  case inform
  case download
  case fileSystem = "file-system"
  case readBattery = "read-battery"
  case sync
  case delete
  case library
  case restart
  case show
  case setClock = "set-clock"
  case ask

  /// As reports name what a target lacks: `phone.sync`.
  public var capability: String { "phone.\(rawValue)" }
}

/// What an action is about, where it is about anything.
public struct ApplicationParameters: Hashable, Sendable {
  /// The recorder that is meant; `nil` for the paired one.
  public var recorder: BluetoothAddress?
  /// The record that is meant: `newest`, `oldest`, or its sixteen digits.
  public var record: String?
  /// Seconds of civil local time since 1970.
  public var seconds: Int64?
  /// `foreground` or `background`.
  public var place: String?
  /// A question about what the phone shows.
  public var question: String?
  /// Whether "receive complete" is the last word of a sync.
  public var finishes: Bool?

  public init(recorder: BluetoothAddress? = nil, record: String? = nil, seconds: Int64? = nil) {
    self.recorder = recorder
    self.record = record
    self.seconds = seconds
  }
}

/// What came of an action, as whoever did it says.
public enum ApplicationAnswer: Hashable, Sendable {
  /// It is done; what the application shows of it.
  case done(ApplicationView)
  /// The application could not do it: a word of `PhoneFailures`, and more text.
  case failed(String, String)
}

/// What an application shows after an action; nothing of it has to be known.
public struct ApplicationView: Hashable, Sendable {
  /// Records that the recorder listed.
  public var listed: Int?
  /// Records that were fetched.
  public var downloaded: Int?
  /// The battery's level in percent.
  public var battery: Int?
  /// The records of its library, newest first.
  public var records: [LibraryEntry]?
  /// The answer to a question.
  public var answer: Bool?

  public init() {}
}

/// Does things with somebody else's application: by programs, or by an operator's hands.
public protocol ApplicationDriver: AnyObject {
  /// Does it, and says what came of it.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` where nobody can do it, ``ControlFailure/bench(_:)`` where whoever should
  ///   has failed.
  func perform(
    _ action: ApplicationAction, _ parameters: ApplicationParameters
  ) async throws(ControlFailure) -> ApplicationAnswer
}
