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
  /// The least value allowed, where one is declared.
  public let minimum: Value?
  /// The greatest value allowed, where one is declared.
  public let maximum: Value?
  /// The capability that a target needs for the field; `nil` for none.
  public let capability: Capability?
  /// On which state of the products a value found for the field depends; `nil` for none in particular.
  public let touches: ProductState?
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
      defaultText: content?.encoded?.description, minimum: nil, maximum: nil, capability: capability,
      touches: state)
  }

  private init(_ declaration: FieldDeclaration, _ whenAbsent: Content?) {
    self.declaration = declaration
    self.whenAbsent = whenAbsent
  }

  /// The same field, accepting only this range; in lists it holds for every item. A duration may be negative only
  /// in a field whose range says so.
  public func limited<Bound: FieldValue & Comparable>(to range: ClosedRange<Bound>) -> Field {
    let old = declaration
    return Field(
      FieldDeclaration(
        name: old.name, documentation: old.documentation, type: old.type, isRequired: old.isRequired,
        defaultText: old.defaultText, minimum: range.lowerBound.encoded, maximum: range.upperBound.encoded,
        capability: old.capability, touches: old.touches), whenAbsent)
  }
}
