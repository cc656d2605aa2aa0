import CYAML
import Text

/// Reads one YAML document into nodes with locations. Accepts any bytes without trapping.
///
/// Refused with a message at its place: anchors, aliases, tags, merge keys, directives, further documents, keys
/// that are not scalars, duplicate keys, ambiguous plain scalars, nesting and files beyond the limits of
/// the rules, invalid UTF-8 and control characters. Since nothing can be repeated by reference, the tree is never larger
/// than the file.
package struct YAMLReader {
  private let file: SourceFile
  private let rules: YAMLRules
  private var problems: [YAMLProblem] = []
  private var root: Node?
  private var frames: [Frame] = []

  /// Reads a file.
  ///
  /// The root is `nil` for a file without content and for one whose structure is broken. Refused parts of a root
  /// are `Node.Content.refused`; every one of them has its message.
  package static func read(_ file: SourceFile, rules: YAMLRules) -> (root: Node?, problems: [YAMLProblem]) {
    var reader = YAMLReader(file: file, rules: rules)
    let isStructured = reader.checkText() && reader.readEvents()
    return (isStructured ? reader.root : nil, reader.problems)
  }

  private init(file: SourceFile, rules: YAMLRules) {
    self.file = file
    self.rules = rules
  }

  /// A list or mapping that is still open.
  private struct Frame {
    var location: SourceLocation
    var isMapping: Bool
    var items: [Node] = []
    var entries: [Node.Entry] = []
    var keys: Set<String> = []
    var hasUnusableKeys = false
    /// The key whose value comes next; a refused key keeps its place without a name.
    var key: (text: String, location: SourceLocation, isUsable: Bool)?
  }

  // MARK: Text

  private mutating func checkText() -> Bool {
    guard file.bytes.count <= rules.bytes else {
      refuse(
        SourceLocation(file: file.path, line: 1, column: 1),
        "the file has \(file.bytes.count) bytes", expected: "at most \(rules.bytes) bytes")
      return false
    }
    guard let problem = SourceTextCheck.problem(in: file) else { return true }
    refuse(problem.location, problem.message, expected: problem.expected)
    return false
  }

  private mutating func refuse(
    _ location: SourceLocation, _ message: String, expected: String? = nil, suggestion: String? = nil,
    notes: [YAMLProblem.Note] = [], kind: YAMLProblem.Kind = .structure
  ) {
    guard problems.count < rules.problems else { return }
    problems.append(
      YAMLProblem(at: location, message, expected: expected, suggestion: suggestion, notes: notes, kind: kind))
  }

  // MARK: Events

  /// Feeds libyaml's events into the tree; false when the structure cannot be trusted.
  private mutating func readEvents() -> Bool {
    // The parser keeps pointers to itself, so it must not move.
    let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    defer { parser.deallocate() }
    guard yaml_parser_initialize(parser) == 1 else {
      refuse(SourceLocation(file: file.path, line: 1, column: 1), "out of memory")
      return false
    }
    defer { yaml_parser_delete(parser) }
    let bytes = file.bytes.starts(with: SourceFile.byteOrderMark) ? Array(file.bytes.dropFirst(3)) : file.bytes
    guard !bytes.isEmpty else { return true }
    return bytes.withUnsafeBufferPointer { buffer in
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, buffer.baseAddress, buffer.count)
      return readEvents(of: parser)
    }
  }

  private mutating func readEvents(of parser: UnsafeMutablePointer<yaml_parser_t>) -> Bool {
    var documents = 0
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(parser, &event) == 1 else {
        reportSyntax(of: parser)
        return false
      }
      defer { yaml_event_delete(&event) }
      switch event.type {
      case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return true
      case YAML_DOCUMENT_START_EVENT:
        documents += 1
        guard documents == 1 else {
          refuse(location(of: event), "a second document begins here", expected: "one document per file")
          return false
        }
        reportDirectives(of: event)
      case YAML_MAPPING_START_EVENT, YAML_SEQUENCE_START_EVENT:
        guard open(event) else { return false }
      case YAML_MAPPING_END_EVENT, YAML_SEQUENCE_END_EVENT: close()
      case YAML_SCALAR_EVENT: addScalar(event)
      case YAML_ALIAS_EVENT:
        let place = location(of: event)
        refuse(place, "aliases are not allowed", expected: rules.sharing)
        add(Node(.refused, at: place))
      default: break
      }
    }
  }

  private func location(of mark: yaml_mark_t, length: Int = 1) -> SourceLocation {
    SourceLocation(file: file.path, line: Int(mark.line) + file.firstLine, column: Int(mark.column) + 1, length: length)
  }

  private func location(of event: yaml_event_t) -> SourceLocation {
    let (start, end) = (event.start_mark, event.end_mark)
    let isOneLine = start.line == end.line && end.column > start.column
    return location(of: start, length: isOneLine ? Int(end.column) - Int(start.column) : 1)
  }

  private mutating func reportDirectives(of event: yaml_event_t) {
    let start = event.data.document_start
    if start.version_directive != nil || start.tag_directives.start != start.tag_directives.end {
      let place = location(of: event.start_mark)
      refuse(place, "directives are not allowed", expected: "the document itself")
    }
  }

  private mutating func reportSyntax(of parser: UnsafeMutablePointer<yaml_parser_t>) {
    let problem = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
    let place = location(of: parser.pointee.problem_mark)
    var notes: [YAMLProblem.Note] = []
    if let context = parser.pointee.context, parser.pointee.context_mark.line < parser.pointee.problem_mark.line {
      notes = [.init(location: location(of: parser.pointee.context_mark), message: String(cString: context))]
    }
    let advice = SyntaxAdvice.advice(for: problem, line: file.line(place.line), column: place.column)
    refuse(place, "this is not YAML: \(advice.message)", expected: advice.expected, notes: notes)
  }

  // MARK: Tree

  private mutating func open(_ event: yaml_event_t) -> Bool {
    let place = location(of: event.start_mark)
    guard frames.count < rules.depth else {
      refuse(place, "lists and mappings nest deeper than \(rules.depth)", expected: "fewer levels")
      return false
    }
    let isMapping = event.type == YAML_MAPPING_START_EVENT
    let start = (event.data.mapping_start, event.data.sequence_start)
    reportProperties(
      anchor: isMapping ? start.0.anchor : start.1.anchor, tag: isMapping ? start.0.tag : start.1.tag, at: place)
    if let last = frames.indices.last, frames[last].isMapping, frames[last].key == nil {
      refuse(place, "a \(isMapping ? "mapping" : "list") cannot be a key", expected: "a word and a colon")
    }
    frames.append(Frame(location: place, isMapping: isMapping))
    return true
  }

  private mutating func close() {
    guard let frame = frames.popLast() else { return }
    // A mapping that lost all its keys has been reported; nothing more is to be said about it.
    let isLost = frame.hasUnusableKeys && frame.entries.isEmpty
    let content: Node.Content = frame.isMapping ? .mapping(frame.entries) : .sequence(frame.items)
    add(Node(isLost ? .refused : content, at: frame.location))
  }

  private mutating func addScalar(_ event: yaml_event_t) {
    let scalar = event.data.scalar
    let place = location(of: event)
    reportProperties(anchor: scalar.anchor, tag: scalar.tag, at: place)
    let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    if let control = text.unicodeScalars.first(where: { $0.isControl && $0 != "\n" && $0 != "\t" }) {
      let name = "U+" + String(control.value, radix: 16, uppercase: true)
      refuse(place, "the text contains the control character \(name)", expected: "visible text", kind: .content)
      return add(Node(.refused, at: place))
    }
    guard scalar.style == YAML_PLAIN_SCALAR_STYLE else { return add(Node(.scalar(text, .quoted), at: place)) }
    guard !text.isEmpty else { return add(Node(.absent, at: place)) }
    if let ambiguity = PlainScalar.ambiguity(of: text, rules: rules) {
      refuse(
        place, ambiguity.message, expected: ambiguity.expected, suggestion: ambiguity.suggestion,
        kind: .spelling)
      return add(Node(.refused, at: place))
    }
    add(Node(.scalar(text, .plain), at: place))
  }

  private mutating func reportProperties(
    anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?, at place: SourceLocation
  ) {
    if anchor != nil {
      refuse(place, "anchors are not allowed", expected: rules.sharing)
    }
    if tag != nil { refuse(place, "tags are not allowed", expected: "the value alone") }
  }

  private mutating func add(_ node: Node) {
    guard let last = frames.indices.last else {
      root = node
      return
    }
    guard frames[last].isMapping else {
      frames[last].items.append(node)
      return
    }
    guard let key = frames[last].key else {
      frames[last].key = usableKey(node, of: last)
      return
    }
    frames[last].key = nil
    if key.isUsable {
      frames[last].entries.append(Node.Entry(key: key.text, keyLocation: key.location, value: node))
    } else {
      frames[last].hasUnusableKeys = true
    }
  }

  private mutating func usableKey(
    _ node: Node, of index: Int
  ) -> (text: String, location: SourceLocation, isUsable: Bool) {
    guard let text = node.text else {
      if node.content == .absent { refuse(node.location, "a key is missing before the colon") }
      return ("", node.location, false)
    }
    guard frames[index].keys.insert(text).inserted else {
      let first = frames[index].entries.first { $0.key == text }
      refuse(
        node.location, "duplicate key `\(Wording.shortened(text))`", expected: "each key once",
        notes: first.map { [.init(location: $0.keyLocation, message: "first defined here")] } ?? [],
        kind: .content)
      return (text, node.location, false)
    }
    return (text, node.location, true)
  }
}

extension Unicode.Scalar {
  /// Whether it is of the category Cc, which is these two ranges for good (The Unicode Standard, 23.1).
  fileprivate var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }
}
