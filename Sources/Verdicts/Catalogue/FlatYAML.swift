import Bytes
import CYAML

/// Reads the one shape of YAML that catalogue and fault table have: a list of mappings from words to text.
///
/// Everything else is refused with its line: nesting, anchors, aliases, tags, several documents.
public struct FlatYAML {
  /// One mapping of the list.
  public struct Entry {
    /// Where it begins, from 1.
    public var line: Int
    /// Its fields in the order they are written.
    public var fields: [(key: String, value: String, line: Int)] = []

    /// The value of a field; `nil` where it is not written.
    public subscript(key: String) -> String? { fields.first { $0.key == key }?.value }
  }

  /// The mappings in order.
  public private(set) var entries: [Entry] = []
  private var key: (text: String, line: Int)?
  private var isInside = false
  private var isListOpen = false
  private var documents = 0

  /// Reads a file. Throws with the line of whatever has another shape.
  public init(_ bytes: [UInt8]) throws(CatalogueFailure) {
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) != 0 else { throw CatalogueFailure(line: 1, "out of memory") }
    defer { yaml_parser_delete(&parser) }
    let failure: CatalogueFailure? = bytes.withUnsafeBufferPointer { input in
      yaml_parser_set_input_string(&parser, input.baseAddress, input.count)
      return readAll(&parser)
    }
    if let failure { throw failure }
  }

  private mutating func readAll(_ parser: inout yaml_parser_t) -> CatalogueFailure? {
    while true {
      var event = yaml_event_t()
      guard yaml_parser_parse(&parser, &event) != 0 else {
        let problem = parser.problem.map { String(cString: $0) } ?? "not YAML"
        return CatalogueFailure(line: Int(parser.problem_mark.line) + 1, problem)
      }
      defer { yaml_event_delete(&event) }
      if event.type == YAML_STREAM_END_EVENT { return nil }
      do {
        try take(event)
      } catch {
        return error
      }
    }
  }

  private mutating func take(_ event: yaml_event_t) throws(CatalogueFailure) {
    let line = Int(event.start_mark.line) + 1
    switch event.type {
    case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: break
    case YAML_DOCUMENT_START_EVENT:
      documents += 1
      guard documents == 1 else { throw CatalogueFailure(line: line, "only one document is expected") }
    case YAML_SEQUENCE_START_EVENT:
      guard !isListOpen, entries.isEmpty else { throw CatalogueFailure(line: line, "a list is not expected here") }
      isListOpen = true
    case YAML_SEQUENCE_END_EVENT: isListOpen = false
    case YAML_MAPPING_START_EVENT:
      guard isListOpen, !isInside else { throw CatalogueFailure(line: line, "fields are not expected here") }
      isInside = true
      entries.append(Entry(line: line))
    case YAML_MAPPING_END_EVENT: isInside = false
    case YAML_SCALAR_EVENT: try scalar(event, line)
    default: throw CatalogueFailure(line: line, "aliases are not expected here")
    }
  }

  private mutating func scalar(_ event: yaml_event_t, _ line: Int) throws(CatalogueFailure) {
    guard isInside else { throw CatalogueFailure(line: line, "a list of requirements is expected") }
    guard event.data.scalar.anchor == nil, event.data.scalar.tag == nil else {
      throw CatalogueFailure(line: line, "anchors and tags are not expected here")
    }
    let octets = UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
    let text = String(decoding: octets, as: UTF8.self)
    guard let (name, nameLine) = key else {
      key = (text, line)
      return
    }
    key = nil
    let last = entries.count - 1
    guard !entries[last].fields.contains(where: { $0.key == name }) else {
      throw CatalogueFailure(line: nameLine, "`\(name)` is written twice")
    }
    entries[last].fields.append((name, text, nameLine))
  }
}
