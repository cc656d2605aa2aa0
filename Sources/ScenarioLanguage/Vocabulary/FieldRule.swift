/// What must hold among the fields of one group, beside what each of them takes by itself: lint reports a field without
/// effect. A truth value that is `false` counts as not stated.
public struct FieldRule: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// At least one of the fields is stated.
    case some
    /// At most one of the fields is stated.
    case single
    /// The fields are stated only beside the one of this name.
    case owned(by: String)
    /// The fields are offsets in the octets that the field of this name states.
    case offsets(in: String)
    /// The field, or its default, is at most the first one, or its default.
    case bounded(by: FieldDeclaration, FieldDeclaration)
  }

  let kind: Kind
  /// The names of the fields that it binds.
  let names: [String]

  private init(_ kind: Kind, _ fields: [any FieldKey]) {
    self.kind = kind
    names = fields.map(\.declaration.name)
  }

  /// The names of all fields that it mentions.
  var mentioned: [String] {
    switch kind {
    case .some, .single: names
    case .owned(by: let other), .offsets(in: let other): names + [other]
    case .bounded(by: let limit, _): names + [limit.name]
    }
  }

  /// At least one of these fields must be stated, for there is nothing to do otherwise.
  public static func some(of fields: any FieldKey...) -> FieldRule { FieldRule(.some, fields) }

  /// At most one of these fields may be stated, for each takes the place of the others.
  public static func single(of fields: any FieldKey...) -> FieldRule { FieldRule(.single, fields) }

  /// These fields may be stated only beside `owner`, for they say more about it.
  public static func owned(by owner: any FieldKey, _ fields: any FieldKey...) -> FieldRule {
    FieldRule(.owned(by: owner.declaration.name), fields)
  }

  /// These fields are offsets of octets which `octets`, where it is stated, must have.
  public static func offsets(in octets: any FieldKey, _ fields: any FieldKey...) -> FieldRule {
    FieldRule(.offsets(in: octets.declaration.name), fields)
  }

  /// This field may not be more than `limit`, for the rest of it would have no effect. Where one of them is not stated, its
  /// default counts.
  public static func bounded<Content: FieldValue>(by limit: Field<Content>, _ field: Field<Content>) -> FieldRule {
    FieldRule(.bounded(by: limit.declaration, field.declaration), [field])
  }
}
