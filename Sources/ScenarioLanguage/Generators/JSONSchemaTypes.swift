import Bytes

/// The pieces of the schema that stand for values.
extension Vocabulary {
  static func reference(_ name: String) -> JSONValue { .object([("$ref", .string("#/$defs/\(name)"))]) }

  static func any(_ schemas: [JSONValue]) -> JSONValue { .object([("anyOf", .array(schemas))]) }

  static func oneOrMany(_ schema: JSONValue) -> JSONValue {
    any([schema, .object([("type", .string("array")), ("items", schema)])])
  }

  static var null: JSONValue { .object([("type", .string("null"))]) }
  static var text: JSONValue { .object([("type", .strings(["string", "number", "boolean"]))]) }
  static var anyScalar: JSONValue { text }
  static var tag: JSONValue {
    .object([("type", .strings(["string", "number", "boolean"])), ("pattern", .string("^[A-Za-z0-9._-]+$"))])
  }
  /// Free keys with single values, as in `with`.
  static var values: JSONValue {
    .object([("type", .string("object")), ("additionalProperties", reference("value"))])
  }
  /// Text with a `$name` in it, which may stand for any single value.
  static var variable: JSONValue {
    .object([("type", .string("string")), ("pattern", .string("\\$[A-Za-z]"))])
  }

  /// An object with exactly these keys, each with its documentation, or with `more` under any other key.
  static func object(
    _ properties: [(String, JSONValue, String)], required: [String] = [], more: JSONValue = .boolean(false)
  ) -> JSONValue {
    let documented = properties.map { name, schema, documentation in
      guard case .object(let members) = schema, !documentation.isEmpty else { return (name, schema) }
      return (name, JSONValue.object([("description", .string(documentation))] + members))
    }
    return .object(
      [("type", .string("object")), ("properties", .object(documented)), ("additionalProperties", more)]
        + (required.isEmpty ? [] : [("required", .strings(required))]))
  }

  /// Free names for fields of an outcome.
  static func keeping(_ results: FieldGroup) -> JSONValue {
    object([], more: any([.object([("enum", .strings(results.fields.map(\.name)))]), reference("variable")]))
  }

  static func properties(_ group: FieldGroup) -> [(String, JSONValue, String)] {
    group.fields.map { ($0.name, value(of: $0), $0.documentation) }
  }

  static func schema(of field: FieldDeclaration?) -> JSONValue? { field.map(value) }

  private static func value(of field: FieldDeclaration) -> JSONValue {
    guard case .integer(let minimum)? = field.minimum, case .integer(let maximum)? = field.maximum,
      field.type == .integer
    else { return schema(of: field.type) }
    return any([integer(minimum, maximum), reference("variable")])
  }

  /// A whole number within limits, written without quotes.
  static func integer(_ minimum: Int, _ maximum: Int) -> JSONValue {
    .object([("type", .string("integer")), ("minimum", .integer(minimum)), ("maximum", .integer(maximum))])
  }

  /// What may be written for a type, or a `$name` in its place.
  static func schema(of type: ValueType) -> JSONValue {
    switch type {
    case .boolean: any([.object([("type", .strings(["boolean", "null"]))]), reference("variable")])
    case .integer: any([.object([("type", .string("integer"))]), reference("variable")])
    case .quantity(let dimension): reference(name(of: dimension))
    case .text, .name, .participant: text
    // Digits alone are a number for YAML, whatever they mean here.
    case .octets: any([string(#"^ *([0-9A-Fa-f] *[0-9A-Fa-f] *)*$"#), integer(0, .max)])
    case .dateTime: string(#"^[0-9]{4}-[0-9]{2}-[0-9]{2}( [0-9]{2}:[0-9]{2}(:[0-9]{2})?)?$"#)
    case .offset: string(#"^[+-][0-9]{2}:[0-9]{2}$"#)
    case .address: string(#"^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(/(P|R|public|random))?$"#)
    case .record: any([string(#"^[0-9]{16}$"#), integer(1_000_000_000_000_000, 9_999_999_999_999_999)])
    case .choice(let choices): any([.object([("enum", .strings(choices.map(\.word)))]), reference("variable")])
    case .list(let element): oneOrMany(schema(of: element))
    case .either(let types): any(types.map(schema))
    case .group(let group):
      any(
        [
          object(properties(group), required: group.fields.filter(\.isRequired).map(\.name)),
          schema(of: group.shorthand),
        ]
        .compactMap { $0 })
    }
  }

  private static func string(_ pattern: String) -> JSONValue {
    any([.object([("type", .string("string")), ("pattern", .string(pattern))]), reference("variable")])
  }

  static func name(of dimension: Dimension) -> String {
    dimension.rawValue.split(separator: " ").joined(separator: "-")
  }

  static func schema(of dimension: Dimension) -> JSONValue {
    guard case .object(let members) = string(pattern(of: dimension)) else { return text }
    return .object([("description", .string(dimension.sentence))] + members)
  }

  /// A quantity where no `$name` may stand in its place.
  static func written(_ dimension: Dimension) -> JSONValue {
    .object([("type", .string("string")), ("pattern", .string(pattern(of: dimension)))])
  }

  private static func pattern(of dimension: Dimension) -> String {
    "^[+-]?[0-9]+(\\.[0-9]+)? ?(\(dimension.units.map(\.symbol).joined(separator: "|")))$"
  }

  /// A value for each field, or comparisons in braces.
  static func matchers(_ group: FieldGroup) -> JSONValue {
    let fields = object(group.fields.map { ($0.name, matcher($0.type), $0.documentation) })
    return any([fields] + (group.shorthand.map { [matcher($0.type)] } ?? []))
  }

  /// The types whose comparisons are defined once, since many fields have them.
  static let commonTypes: [ValueType] =
    [.boolean, .integer, .text, .record, .octets] + Dimension.allCases.map { .quantity($0) }

  static func comparisonName(of type: ValueType) -> String {
    "compared-" + type.shortName.split { $0 == " " || $0 == "/" }.joined(separator: "-")
  }

  private static func matcher(_ type: ValueType) -> JSONValue {
    commonTypes.contains(type) ? reference(comparisonName(of: type)) : comparisons(of: type)
  }

  /// A value, or comparisons in braces.
  static func comparisons(of type: ValueType) -> JSONValue {
    let relations = FieldMatcher.Relation.allCases.filter { $0 != .equal && (type.isOrdered || !$0.needsOrder) }
    return any([schema(of: type), object(relations.map { ($0.rawValue, schema(of: $0.operandType(for: type)), "") })])
  }
}
