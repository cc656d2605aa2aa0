/// The description of a field without its Swift type.
public struct FieldDeclaration: Hashable, Sendable {
  /// The key as it is written, in kebab case.
  public let name: String
  /// Its meaning in one sentence.
  public let documentation: String
  /// The type of its values.
  public let type: ValueType
  /// Whether a file must state it.
  public let isRequired: Bool
  /// The default value as it would be written; `nil` without a default.
  public let defaultText: String?
  /// The default value; `nil` without one that could be written.
  let defaultValue: Value?
  /// The least value allowed, where one is declared.
  public internal(set) var minimum: Value?
  /// The greatest value allowed, where one is declared.
  public internal(set) var maximum: Value?
  /// The amount of which values are whole multiples, where one is declared.
  public internal(set) var unit: Value?
  /// The capability that a target needs for the field; `nil` for none.
  public let capability: Capability?
  /// On which state of the products a value found for the field depends; `nil` for none in particular.
  public let touches: ProductState?
  /// The values of another field of the event with which this one can come; `nil` where it comes with all.
  public internal(set) var company: Company?

  /// Another field, and some of its values.
  public struct Company: Hashable, Sendable {
    /// The other field's name.
    public let field: String
    /// Its values.
    public let values: [Value]
  }
}

/// A field without its Swift type, so that fields of several types stand in one list.
public protocol FieldKey: Sendable {
  /// The description of the field without its Swift type.
  var declaration: FieldDeclaration { get }
}

/// A named, typed place in a verb, a section of `given` or an observation.
///
/// The Swift type decides what may be written and what is read back. An optional type makes an optional field,
/// a default makes a field that always has a value, neither makes a required one:
///
/// ```swift
/// static let hold = Field<Duration>("hold", "How long the button is held.", default: .seconds(2))
/// static let count = Field<Int?>("count", "How many records to take.").limited(to: 1...253)
/// ```
public struct Field<Content: FieldValue>: FieldKey {
  /// The description of the field without its Swift type.
  public let declaration: FieldDeclaration
  /// The value of a field that a file does not state; `nil` for a required field.
  let whenAbsent: Content?

  /// Declares a field.
  public init(
    _ name: String, _ documentation: String, default content: Content? = nil, needs capability: Capability? = nil,
    touches state: ProductState? = nil
  ) {
    let fallback = content ?? Content.whenAbsent
    whenAbsent = fallback
    declaration = FieldDeclaration(
      name: name, documentation: documentation, type: Content.valueType, isRequired: fallback == nil,
      defaultText: content?.encoded?.description, defaultValue: content?.encoded, minimum: nil, maximum: nil, unit: nil,
      capability: capability,
      touches: state, company: nil)
  }

  private init(_ declaration: FieldDeclaration, _ whenAbsent: Content?) {
    self.declaration = declaration
    self.whenAbsent = whenAbsent
  }

  /// The same field, accepting only this range; in lists it holds for every item. A duration may be negative only
  /// in a field whose range says so.
  public func limited<Bound: FieldValue & Comparable>(to range: ClosedRange<Bound>) -> Field {
    var limited = declaration
    limited.minimum = range.lowerBound.encoded
    limited.maximum = range.upperBound.encoded
    return Field(limited, whenAbsent)
  }

  /// The same field, accepting only this value and more, as of what is counted.
  public func limited<Bound: FieldValue & Comparable>(to range: PartialRangeFrom<Bound>) -> Field {
    var limited = declaration
    limited.minimum = range.lowerBound.encoded
    return Field(limited, whenAbsent)
  }

  /// The same field, accepting only whole multiples of `unit`, because nothing that uses it counts finer.
  public func counted(in unit: some QuantityValue) -> Field {
    var counted = declaration
    counted.unit = unit.encoded
    return Field(counted, whenAbsent)
  }

  /// The same field of an event that has it only where another field is one of these values, so that nobody waits for
  /// it, or forbids it, beside another one.
  public func only<Other: FieldValue>(where other: Field<Other>, is values: Other...) -> Field {
    var narrowed = declaration
    narrowed.company = .init(field: other.declaration.name, values: values.compactMap(\.encoded))
    return Field(narrowed, whenAbsent)
  }
}
