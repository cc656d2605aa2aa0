import Recorder
import ScenarioLanguage

/// A state of the recorder's state machine, as the firmware names it.
struct StateWord: FieldValue {
  static var valueType: ValueType { .choice(SystemState.allCases.map { .init($0.firmwareName) }) }

  private let name: String

  init(_ name: String) { self.name = name }

  init?(_ value: Value) {
    guard case .word(let name) = value else { return nil }
    self.name = name
  }

  var encoded: Value? { .word(name) }
}

/// What the recorder's LED shows, colour and glow: `dark blue slow`.
struct LightWord: FieldValue {
  /// What the LED of a recorder shows that is off.
  static let dark = LightWord("dark")

  static var valueType: ValueType {
    .choice([.init(dark.words)] + SystemState.lights.map { .init($0.description) })
  }

  private let words: String

  init(_ words: String) { self.words = words }

  init?(_ value: Value) {
    guard case .word(let words) = value else { return nil }
    self.words = words
  }

  var encoded: Value? { .word(words) }
}
