/// One thing that `given:` states, or that decides how a schedule ends, with the values that it can have.
package struct SettingKind: Hashable, Sendable {
  /// Of whom it is stated.
  package enum Subject: Hashable, Sendable {
    /// The recorder.
    case device
    /// The owner's phone.
    case owner
    /// Every phone.
    case everybody
    /// The steps that end the schedule; nothing is stated of it.
    case closing
  }

  /// Of whom it is stated.
  package let subject: Subject
  /// The field.
  package let field: String
  /// Its values, the simplest first; `nil` where the field is left out.
  package let choices: [String?]

  init(_ subject: Subject, _ field: String, _ choices: String?...) {
    self.subject = subject
    self.field = field
    self.choices = choices
  }

  /// Whether a recorder or phone begins with keys: see ``Schedule/isBonded``.
  static let bonded = SettingKind(.owner, "bonded", "true", nil)

  /// Whether the recorder switches itself off.
  static let timeouts = SettingKind(.device, "timeouts", nil, "field")

  /// What the recorder has stored.
  static let records = SettingKind(
    .device, "records", nil, "1", "3", "{count: 3, seconds: 4 s}", "{count: 250, seconds: 24 ms}",
    "{count: 252, seconds: 24 ms}")

  /// What is said into the recorder at the end, so that somebody can listen to it.
  static let sound = SettingKind(.closing, "sound", nil, "audio/note-idea-en.wav", "audio/note-shopping-en.wav")

  /// Every setting. The place of a kind in this list is its number.
  package static let all = [
    SettingKind(.device, "power", nil, "\"off\""), timeouts,
    records,
    SettingKind(.device, "security", nil, "secure-connections"), bonded, SettingKind(.owner, "automatic", nil, "true"),
    SettingKind(
      .everybody, "clock", nil, "\"2024-12-31 23:59:50\"", "\"2024-02-29 12:00:00\"", "\"2024-03-31 01:59:50\""),
    SettingKind(.owner, "mtu", nil, "185 B", "23 B"),
    SettingKind(.owner, "interval", nil, "7500 us", "50 ms", "200 ms"),
    SettingKind(.owner, "background", nil, "true"), SettingKind(.owner, "parameters", nil, "refuses", "ignores"),
    SettingKind(.owner, "address", nil, "private"), sound,
  ]
}
