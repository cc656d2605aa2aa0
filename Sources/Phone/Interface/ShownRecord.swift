import DictofunProtocol

/// A record as the phone shows it to its user (requirement APP-2.2).
public struct ShownRecord: Hashable, Sendable {
  /// The sixteen digits.
  public var identifier: String
  /// When it was spoken, by the recorder's clock; `nil` where the identifier does not say.
  public var date: CivilTime?
  /// Its playing time.
  public var duration: Duration
  /// How far its user has listened.
  public var position: Duration
  /// What is said in it; `nil` until it was transcribed.
  public var transcript: String?
  /// Whether its user has not listened to it yet.
  public var isNew: Bool

  init(_ record: LibraryRecord, duration: Duration, date: CivilTime?) {
    identifier = record.identifier.description
    self.date = date
    self.duration = duration
    position = record.position
    transcript = record.transcript
    isNew = record.isNew
  }
}
