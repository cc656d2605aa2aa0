import Foundation
import YAML

/// As much of JSON Schema (draft 2020-12) as the generated schema of scenario files uses.
package struct SchemaCheck {
  private let root: [String: Any]

  /// A check against a schema's JSON text. Throws where the text is not JSON.
  package init(_ text: String) throws {
    root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  /// Whether a file's root fits the schema.
  package func accepts(_ node: Node) -> Bool { accepts(node, root) }

  private func accepts(_ node: Node, _ schema: Any?) -> Bool {
    guard let schema = schema as? [String: Any] else { return schema as? Bool ?? true }
    if let condition = schema["if"] {
      guard accepts(node, accepts(node, condition) ? schema["then"] : schema["else"]) else { return false }
    }
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
      guard accepts(node, (root["$defs"] as? [String: Any])?[String(name)]) else { return false }
    }
    if let options = schema["anyOf"] as? [Any], !options.contains(where: { accepts(node, $0) }) { return false }
    return isOfType(node, schema["type"]) && fitsScalar(node, schema) && fitsObject(node, schema)
      && (node.items ?? []).allSatisfy { accepts($0, schema["items"]) }
  }

  private func isOfType(_ node: Node, _ types: Any?) -> Bool {
    guard let types = (types as? [String]) ?? (types as? String).map({ [$0] }) else { return true }
    return types.contains { type in
      switch (type, node.content) {
      case ("object", .mapping), ("array", .sequence), ("null", .absent): true
      case ("integer", .scalar(let text, .plain)): Int(text) != nil
      case ("number", .scalar(let text, .plain)): Double(text) != nil
      case ("boolean", .scalar(let text, .plain)): text == "true" || text == "false"
      case ("string", .scalar(let text, let style)): style == .quoted || Double(text) == nil
      default: false
      }
    }
  }

  private func fitsScalar(_ node: Node, _ schema: [String: Any]) -> Bool {
    if let words = schema["enum"] as? [String], !words.contains(where: { $0 == node.text }) { return false }
    if let word = schema["const"] as? String, word != node.text { return false }
    if let pattern = schema["pattern"] as? String, let text = node.text {
      return text.range(of: pattern, options: .regularExpression) != nil
    }
    guard let number = node.text.flatMap({ Int($0) }) else { return true }
    return number >= schema["minimum"] as? Int ?? .min && number <= schema["maximum"] as? Int ?? .max
  }

  private func fitsObject(_ node: Node, _ schema: [String: Any]) -> Bool {
    guard let entries = node.entries else { return true }
    let keys = entries.map(\.key)
    guard (schema["required"] as? [String] ?? []).allSatisfy(keys.contains) else { return false }
    guard keys.count >= schema["minProperties"] as? Int ?? 0 else { return false }
    guard keys.count <= schema["maxProperties"] as? Int ?? .max else { return false }
    let properties = schema["properties"] as? [String: Any] ?? [:]
    return entries.allSatisfy { accepts($0.value, properties[$0.key] ?? schema["additionalProperties"]) }
  }
}
