import Bytes
import YAML

/// The type of a field's values. Reader, lint, schema and reference use it.
public indirect enum ValueType: Hashable, Sendable {
  /// `true` or `false`; a key that stands alone in braces means `true`.
  case boolean
  /// A whole number without a unit.
  case integer
  /// A number with one of the units of its dimension.
  case quantity(Dimension)
  /// `2024-12-31 23:59:58`.
  case dateTime
  /// `+01:00`.
  case offset
  /// `C0:01:02:03:04:05`, random unless it ends in `/P`.
  case address
  /// Sixteen digits in quotes.
  case record
  /// Free text.
  case text
  /// Octets in hexadecimal, with spaces where they help.
  case octets
  /// Text that names something outside of the file.
  case name(NameKind)
  /// The name that `given:` gives somebody who performs this actor's verbs.
  case participant(Actor)
  /// One of a few words.
  case choice([Choice])
  /// A list; a single value is a list of one.
  case list(ValueType)
  /// The first of these that fits.
  case either([ValueType])
  /// Named fields in braces.
  case group(FieldGroup)

  /// One of the words of a choice.
  public struct Choice: Hashable, Sendable {
    /// The word as it is written.
    public let word: String
    /// What it means, for the reference; may be empty.
    public let meaning: String

    public init(_ word: String, _ meaning: String = "") {
      self.word = word
      self.meaning = meaning
    }

    /// The word as it must be written, in quotes where YAML would read it otherwise, such as `"off"`.
    var written: String { Self.written(word) }

    static func written(_ word: String) -> String {
      PlainScalar.ambiguity(of: word, rules: .scenario) == nil ? word : JSONValue.string(word).text
    }
  }

  /// The type in a message: an article, a noun, an example.
  public var sentence: String {
    switch self {
    case .boolean: "`true` or `false`"
    case .integer: "a whole number"
    case .quantity(let dimension): dimension.sentence
    case .dateTime: "a date and time such as `2024-12-31 23:59:58`"
    case .offset: "an offset from UTC such as `+01:00`"
    case .address: "an address such as `C0:01:02:03:04:05`"
    case .record: "a record's sixteen digits in quotes, such as `\"0000240131120000\"`"
    case .text: "text"
    case .octets: "octets in hexadecimal such as `\"02 03\"`"
    case .name(let kind): kind.sentence
    case .participant(let actor): "the name of a \(actor.participant) in `given`"
    case .choice(let choices):
      choices.count == 1
        ? "`\(choices[0].written)`" : "one of " + choices.map { "`\($0.written)`" }.joined(separator: ", ")
    case .list(let element): "a list, each item \(element.sentence)"
    case .either(let types): types.map(\.sentence).joined(separator: "; or ")
    case .group(let group): "fields in braces: " + group.fields.map { "`\($0.name)`" }.joined(separator: ", ")
    }
  }

  /// The shortest name of this type, for tables and help.
  public var shortName: String {
    switch self {
    case .boolean: "true/false"
    case .integer: "number"
    case .quantity(let dimension): dimension.rawValue
    case .dateTime: "date and time"
    case .offset: "UTC offset"
    case .address: "address"
    case .record: "record"
    case .text: "text"
    case .octets: "octets"
    case .name(let kind): kind.word
    case .participant(let actor): "\(actor.participant)'s name"
    case .choice(let choices): choices.map(\.written).joined(separator: " | ")
    case .list(let element): "list of \(element.shortName)"
    case .either(let types): types.map(\.shortName).joined(separator: " | ")
    case .group: "fields"
    }
  }
}

/// Fields that stand together in braces, and the one that may stand alone without them.
public struct FieldGroup: Hashable, Sendable {
  /// The fields in the order of the reference.
  public let fields: [FieldDeclaration]
  /// The field that a bare value means: with `count`, `records: 7` is `records: {count: 7}`.
  public let shorthand: FieldDeclaration?
  /// What must hold among the fields.
  let rules: [FieldRule]

  /// Makes a group; traps when two fields share a name, or when the shorthand or a field of a rule is none of them, all
  /// bugs of the declaration.
  public init(_ fields: [any FieldKey], shorthand: (any FieldKey)? = nil, rules: [FieldRule] = []) {
    self.init(fields.map(\.declaration), shorthand: shorthand?.declaration, rules: rules)
  }

  init(_ fields: [FieldDeclaration], shorthand: FieldDeclaration?, rules: [FieldRule] = []) {
    let names = Set(fields.map(\.name))
    precondition(names.count == fields.count, "two fields of one group share a name")
    precondition(shorthand.map { fields.contains($0) } ?? true, "the shorthand is not a field of its group")
    precondition(rules.allSatisfy { names.isSuperset(of: $0.mentioned) }, "a rule is about a field of another group")
    self.fields = fields
    self.shorthand = shorthand
    self.rules = rules
  }

  /// The field of this name, or `nil`.
  public func field(_ name: String) -> FieldDeclaration? { fields.first { $0.name == name } }
}
