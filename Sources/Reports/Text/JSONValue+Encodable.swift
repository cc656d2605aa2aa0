import Bytes

extension JSONValue {
  /// The document of a value, with its members in the order in which the value encodes them. Throws what the value
  /// throws while it encodes itself.
  static func encoding(_ value: some Encodable) throws -> JSONValue {
    let node = JSONNode()
    try value.encode(to: JSONNodeEncoder(node: node))
    return node.takeValue()
  }
}

/// A place in a document that grows.
private final class JSONNode {
  private enum Kind { case leaf, array, object }

  private var kind = Kind.object
  private var leaf = JSONValue.null
  private var names: [String] = []
  private var children: [JSONNode] = []

  /// The document from here on. The places below are given up one by one, so that a long document is never there twice.
  func takeValue() -> JSONValue {
    switch kind {
    case .leaf: leaf
    case .array: .array(takeChildren())
    case .object: .object(Array(zip(names, takeChildren())))
    }
  }

  private func takeChildren() -> [JSONValue] {
    var values: [JSONValue] = []
    values.reserveCapacity(children.count)
    children.reverse()
    while let child = children.popLast() { values.append(child.takeValue()) }
    return values
  }

  func become(_ value: JSONValue) { (kind, leaf) = (.leaf, value) }

  func becomeArray() { kind = .array }

  func member(_ name: String) -> JSONNode {
    names.append(name)
    return element()
  }

  func element() -> JSONNode {
    let node = JSONNode()
    children.append(node)
    return node
  }
}

/// Encodes into one node. What is encoded flat asks the same encoder for several containers, which share the node.
private struct JSONNodeEncoder: Encoder {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(JSONObjectContainer<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeArray()
    return JSONArrayContainer(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { JSONLeafContainer(node: node) }
}

private struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { node.member(key.stringValue).become(.null) }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try JSONLeafContainer(node: node.member(key.stringValue)).encode(value)
  }

  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
    if let value { try encode(value, forKey: key) }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested>
  {
    JSONNodeEncoder(node: node.member(key.stringValue)).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONNodeEncoder(node: node.member(key.stringValue)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { JSONNodeEncoder(node: node) }
  func superEncoder(forKey key: Key) -> any Encoder { JSONNodeEncoder(node: node.member(key.stringValue)) }
}

private struct JSONArrayContainer: UnkeyedEncodingContainer {
  let node: JSONNode
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(node: JSONNode) { self.node = node }

  private mutating func next() -> JSONNode {
    count += 1
    return node.element()
  }

  mutating func encodeNil() { next().become(.null) }
  mutating func encode<Value: Encodable>(_ value: Value) throws { try JSONLeafContainer(node: next()).encode(value) }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    JSONNodeEncoder(node: next()).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    JSONNodeEncoder(node: next()).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { JSONNodeEncoder(node: next()) }
}

private struct JSONLeafContainer: SingleValueEncodingContainer {
  let node: JSONNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { node.become(.null) }

  func encode<Value: Encodable>(_ value: Value) throws {
    switch value {
    case let text as String: node.become(.string(text))
    case let flag as Bool: node.become(.boolean(flag))
    // Nothing that is reported is finer than a microsecond.
    case let number as Double: node.become(.seconds(.microseconds(Int64(number * 1_000_000 + 0.5))))
    case let number as any BinaryInteger:
      node.become(Int(exactly: number).map(JSONValue.integer) ?? .unsigned(UInt64(clamping: number)))
    default: try value.encode(to: JSONNodeEncoder(node: node))
    }
  }
}
