import ScenarioLanguage

extension NameKind {
  /// A WAV file by its path below the folder of scenarios.
  static let sound = NameKind("sound", "a WAV file below the folder of scenarios such as `audio/note-idea-en.wav`")
  /// A release by its name in the catalogue of firmware.
  static let release = NameKind("release", "a release of the catalogue such as `1.5.0`")
  /// A release, or a package by its path below the folder of firmware.
  static let package = NameKind(
    "package", "a release such as `1.5.0`, or a package below the folder of firmware such as `hostile/bomb.zip`")
}

/// The name of a sound that microphones hear.
struct SoundName: FieldValue, Hashable {
  let text: String

  static var valueType: ValueType { .name(.sound) }

  init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    self.text = text
  }

  var encoded: Value? { .text(text) }
}

/// The name of a release.
struct ReleaseName: FieldValue, Hashable {
  let text: String

  static var valueType: ValueType { .name(.release) }

  init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    self.text = text
  }

  var encoded: Value? { .text(text) }
}

/// The name of a release or of a package file.
struct PackageName: FieldValue, Hashable {
  let text: String

  static var valueType: ValueType { .name(.package) }

  init?(_ value: Value) {
    guard case .text(let text) = value else { return nil }
    self.text = text
  }

  var encoded: Value? { .text(text) }
}
