import Phone
import ScenarioLanguage

/// `newest`, `oldest`, or a record's sixteen digits.
enum RecordChoice: FieldValue, Hashable {
  case newest
  case oldest
  case named(RecordName)

  static var valueType: ValueType {
    .either([
      .choice([
        .init("newest", "The newest by the time in its identifier."),
        .init("oldest", "The oldest by the time in its identifier."),
      ]), .record,
    ])
  }

  init?(_ value: Value) {
    switch value {
    case .word("newest"): self = .newest
    case .word("oldest"): self = .oldest
    case .record(let name): self = .named(name)
    default: return nil
    }
  }

  var encoded: Value? {
    switch self {
    case .newest: .word("newest")
    case .oldest: .word("oldest")
    case .named(let name): .record(name)
    }
  }

  /// The choice in the phone's words.
  var selection: RecordSelection {
    switch self {
    case .newest: .newest
    case .oldest: .oldest
    case .named(let name): .identifier(name.description)
    }
  }
}
