import Bytes

/// The shape of a JSON document, read from a short notation.
///
/// `text`, `int`, `number`, `flag` and `any` are values; `"word"` is that word alone. `T?` may be null, `[T]` is a list,
/// `{name: T, other?: T}` an object whose `other` may be missing, `{*: T}` an object with any names, and `A | B` either.
/// An object that ends in `, …` may have more members.
indirect enum DocumentShape {
  case text, whole, number, flag, any
  case word(String)
  case nullable(DocumentShape)
  case list(DocumentShape)
  case object([Member], isOpen: Bool)
  case map(DocumentShape)
  case either([DocumentShape])

  /// A member of an object.
  struct Member {
    let name: String
    let shape: DocumentShape
    let isOptional: Bool
  }

  /// Reads a notation; traps on one that is wrong, which is a bug of the program.
  init(_ notation: String) {
    var reader = NotationReader(notation)
    self = reader.alternatives()
    precondition(reader.isAtEnd, "the notation of a document is not read to its end: \(notation)")
  }

  /// The shape with members before those of each of its objects at the top.
  func adding(_ first: [Member]) -> DocumentShape {
    switch self {
    case .object(let members, let isOpen): .object(first + members, isOpen: isOpen)
    case .either(let shapes): .either(shapes.map { $0.adding(first) })
    default: self
    }
  }

  /// The shape as a JSON Schema.
  var schema: JSONValue {
    switch self {
    case .text: Self.type("string")
    case .whole: Self.type("integer")
    case .number: Self.type("number")
    case .flag: Self.type("boolean")
    case .any: .object([])
    case .word(let word): .object([("const", .string(word))])
    case .nullable(let shape): .object([("anyOf", .array([shape.schema, Self.type("null")]))])
    case .list(let shape): .object([("type", .string("array")), ("items", shape.schema)])
    case .map(let shape): .object([("type", .string("object")), ("additionalProperties", shape.schema)])
    case .either(let shapes): .object([("anyOf", .array(shapes.map(\.schema)))])
    case .object(let members, let isOpen):
      .object([
        ("type", .string("object")), ("properties", .object(members.map { ($0.name, $0.shape.schema) })),
        ("required", .strings(members.filter { !$0.isOptional }.map(\.name))),
        ("additionalProperties", .boolean(isOpen)),
      ])
    }
  }

  private static func type(_ name: String) -> JSONValue { .object([("type", .string(name))]) }
}

/// Reads the notation of a shape.
private struct NotationReader {
  private var rest: Substring

  init(_ text: String) { rest = text[...] }

  var isAtEnd: Bool { rest.allSatisfy(\.isWhitespace) }

  mutating func alternatives() -> DocumentShape {
    var shapes = [shape()]
    while take("|") { shapes.append(shape()) }
    return shapes.count == 1 ? shapes[0] : .either(shapes)
  }

  private mutating func shape() -> DocumentShape {
    let plain = plainShape()
    return take("?") ? .nullable(plain) : plain
  }

  private mutating func plainShape() -> DocumentShape {
    if take("[") {
      let element = alternatives()
      require("]")
      return .list(element)
    }
    if take("{") { return object() }
    if take("\"") {
      let word = rest.prefix { $0 != "\"" }
      rest = rest.dropFirst(word.count)
      require("\"")
      return .word(String(word))
    }
    switch name() {
    case "text": return .text
    case "int": return .whole
    case "number": return .number
    case "flag": return .flag
    case "any": return .any
    case let name: preconditionFailure("the notation of a document has no type \(name)")
    }
  }

  private mutating func object() -> DocumentShape {
    if take("*") {
      require(":")
      let element = alternatives()
      require("}")
      return .map(element)
    }
    var members: [DocumentShape.Member] = []
    while !take("}") {
      if take("…") {
        require("}")
        return .object(members, isOpen: true)
      }
      let name = name()
      let isOptional = take("?")
      require(":")
      members.append(DocumentShape.Member(name: name, shape: alternatives(), isOptional: isOptional))
      _ = take(",")
    }
    return .object(members, isOpen: false)
  }

  private mutating func name() -> String {
    skip()
    let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    precondition(!name.isEmpty, "the notation of a document lacks a name before \(rest)")
    rest = rest.dropFirst(name.count)
    return String(name)
  }

  private mutating func skip() { rest = rest.drop { $0.isWhitespace } }

  private mutating func take(_ character: Character) -> Bool {
    skip()
    guard rest.first == character else { return false }
    rest = rest.dropFirst()
    return true
  }

  private mutating func require(_ character: Character) {
    let isThere = take(character)
    precondition(isThere, "the notation of a document lacks \(character) before \(rest)")
  }
}
