/// An expression over tags: `smoke and not slow`, `(dfu or library) and smoke`.
///
/// `not` binds tighter than `and`, `and` tighter than `or`.
package struct TagExpression: Hashable, Sendable {
  indirect enum Node: Hashable, Sendable {
    case tag(String)
    case not(Node)
    case and(Node, Node)
    case or(Node, Node)
  }

  let root: Node

  /// Why a text is not a tag expression.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence, with the text as it was given.
    package let description: String
  }

  /// Reads an expression.
  package init(_ text: String) throws(Failure) {
    let tokens = Parser.tokens(of: text)
    guard !tokens.isEmpty else { throw Failure(description: "an empty text is not a tag expression: expected a tag") }
    guard tokens.count <= Parser.maximumTokens else { throw Failure(description: "the tag expression is too long") }
    var parser = Parser(tokens: tokens, text: text)
    root = try parser.disjunction(depth: 0)
    guard parser.isAtEnd else { throw parser.failure }
  }

  /// The tags that it names, in its order.
  package var names: [String] { Self.names(root) }

  private static func names(_ node: Node) -> [String] {
    switch node {
    case .tag(let tag): [tag]
    case .not(let operand): names(operand)
    case .and(let left, let right), .or(let left, let right): names(left) + names(right)
    }
  }

  /// Whether a scenario with these tags is meant.
  package func matches(_ tags: [String]) -> Bool { Self.matches(root, tags) }

  /// Whether a word can be a tag.
  package static func isTag(_ word: String) -> Bool {
    !word.isEmpty && !["and", "or", "not"].contains(word) && word.allSatisfy(Parser.isWordCharacter)
  }

  private static func matches(_ node: Node, _ tags: [String]) -> Bool {
    switch node {
    case .tag(let tag): tags.contains(tag)
    case .not(let operand): !matches(operand, tags)
    case .and(let left, let right): matches(left, tags) && matches(right, tags)
    case .or(let left, let right): matches(left, tags) || matches(right, tags)
    }
  }

  private struct Parser {
    let tokens: [String]
    let text: String
    private var index = 0

    /// Parentheses and negations may nest so deep, which keeps recursion bounded.
    private static let maximumDepth = 32
    /// Words and signs of one expression.
    static let maximumTokens = 256

    init(tokens: [String], text: String) {
      self.tokens = tokens
      self.text = text
    }

    var isAtEnd: Bool { index >= tokens.count }

    var failure: Failure {
      let place = isAtEnd ? "at the end" : "at `\(tokens[index])`"
      return Failure(description: "`\(text)` is not a tag expression: expected a tag, `not` or `(` \(place)")
    }

    static func tokens(of text: String) -> [String] {
      var tokens: [String] = []
      var rest = text[...]
      while let character = rest.first {
        let word = rest.prefix(while: isWordCharacter)
        if !word.isEmpty { tokens.append(String(word)) } else if character != " " { tokens.append(String(character)) }
        rest = rest.dropFirst(max(1, word.count))
      }
      return tokens
    }

    static func isWordCharacter(_ character: Character) -> Bool {
      character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }

    mutating func disjunction(depth: Int) throws(Failure) -> Node {
      var node = try conjunction(depth: depth)
      while take("or") { node = .or(node, try conjunction(depth: depth)) }
      return node
    }

    private mutating func conjunction(depth: Int) throws(Failure) -> Node {
      var node = try operand(depth: depth)
      while take("and") { node = .and(node, try operand(depth: depth)) }
      return node
    }

    private mutating func operand(depth: Int) throws(Failure) -> Node {
      guard depth < Self.maximumDepth, !isAtEnd else { throw failure }
      if take("not") { return .not(try operand(depth: depth + 1)) }
      if take("(") {
        let node = try disjunction(depth: depth + 1)
        guard take(")") else { throw failure }
        return node
      }
      let word = tokens[index]
      guard TagExpression.isTag(word) else { throw failure }
      index += 1
      return .tag(word)
    }

    private mutating func take(_ token: String) -> Bool {
      guard !isAtEnd, tokens[index] == token else { return false }
      index += 1
      return true
    }
  }
}
