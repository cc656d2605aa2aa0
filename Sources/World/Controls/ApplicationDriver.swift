import Bytes

/// One thing that a person, or a program in a person's place, does with another vendor's application. The raw value is
/// its name in bench files and, after `phone.`, the capability's.
package enum ApplicationAction: String, Hashable, Sendable, CaseIterable {
  /// Forget every recorder and every record, as a fresh installation.
  case reset
  /// Connect to the recorder.
  case connect
  /// Pair with the connected recorder.
  case pair
  /// Unpair from the recorder.
  case unpair
  /// End the connection.
  case disconnect
  /// Look at the recorder's list.
  case list
  /// Ask for the size of a record.
  case inform
  /// Fetch one record.
  case download
  /// Ask for the state of the file system.
  case fileSystem = "file-system"
  /// Ask for the battery level.
  case readBattery = "read-battery"
  /// Fetch everything that is new.
  case sync
  /// Remove a record from the phone's library.
  case delete
  /// Report what is in the library.
  case library
  /// End the application and start it again.
  case restart
  /// Bring it to the foreground or send it to the background.
  case show
  /// Set the phone's clock.
  case setClock = "set-clock"
  /// Answer a question about what the phone shows.
  case ask

  /// As reports name what a target lacks: `phone.sync`.
  package var capability: String { "phone.\(rawValue)" }
}

/// The parameters of an action; those that it does not need are `nil`.
package struct ApplicationParameters: Hashable, Sendable {
  /// The recorder to use; `nil` for the paired one.
  package var recorder: BluetoothAddress?
  /// The record to use: `newest`, `oldest`, or its sixteen digits.
  package var record: String?
  /// Seconds of civil local time since 1970.
  package var seconds: Int64?
  /// `foreground` or `background`.
  package var place: String?
  /// A question about what the phone shows.
  package var question: String?
  /// Whether "receive complete" is the last word of a sync.
  package var finishes: Bool?

  package init(recorder: BluetoothAddress? = nil, record: String? = nil, seconds: Int64? = nil) {
    self.recorder = recorder
    self.record = record
    self.seconds = seconds
  }
}

/// The result of an action, as the person or program that performed it reports it.
package enum ApplicationAnswer: Hashable, Sendable {
  /// It succeeded; with what the application shows.
  case done(ApplicationView)
  /// The application could not do it: a word of `PhoneFailures`, and more text.
  case failed(String, String)
}

/// What an application shows after an action; `nil` where it was not reported.
package struct ApplicationView: Hashable, Sendable {
  /// Records that the recorder listed.
  package var listed: Int?
  /// Records that were fetched.
  package var downloaded: Int?
  /// The battery's level in percent.
  package var battery: Int?
  /// The records of its library, newest first.
  package var records: [LibraryEntry]?
  /// The answer to a question.
  package var answer: SpokenAnswer?

  package init() {}
}

/// The answer to a question about what a phone shows.
public struct SpokenAnswer: Hashable, Sendable {
  /// What it means.
  public let isYes: Bool
  /// What was said, as it was typed.
  public let text: String

  public init(isYes: Bool, text: String) {
    self.isYes = isYes
    self.text = text
  }
}

/// Performs actions with another vendor's application: by programs, or by an operator's hands.
package protocol ApplicationDriver: AnyObject {
  /// Performs an action and returns its result.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` where the bench has no way to do it,
  ///   ``ControlFailure/bench(_:)`` where its way failed.
  func perform(
    _ action: ApplicationAction, _ parameters: ApplicationParameters
  ) async throws(ControlFailure) -> ApplicationAnswer
}
