import Foundation
import Testing

@testable import dictobench

/// Holds the JSON documents of the tool against their schemas. Every call of the tool with `--format json` passes here.
enum Documents {
  /// The documents of an output: one, or one a line.
  static func expectAll(in output: String) throws {
    if let whole = try? JSONSerialization.jsonObject(with: Data(output.utf8)) { return expect(whole) }
    for line in output.split(separator: "\n") { try expect(Array(line.utf8), toBe: nil) }
  }

  /// One line, which is a document of the schema `name`, or of the one that it names itself.
  static func expect(_ line: [UInt8], toBe name: String?) throws {
    let text = String(decoding: line, as: UTF8.self)
    let document = try #require(try? JSONSerialization.jsonObject(with: Data(line)), "not JSON: \(text)")
    expect(document, toBe: name)
  }

  private static func expect(_ document: Any, toBe name: String? = nil) {
    let members = document as? [String: Any]
    let name = name ?? members?["schema"] as? String ?? "check"
    guard let schema = DocumentSchema.all.first(where: { $0.name == name }) else {
      Issue.record("no schema is named \(name)")
      return
    }
    if schema.hasVersion { #expect(members?["schemaVersion"] as? Int == schema.version, "\(name)") }
    let problem = JSONSchemaCheck(schema.jsonSchema).problem(with: document)
    #expect(problem == nil, "\(name): \(problem ?? "")")
  }
}

/// Checks a value against the parts of JSON Schema that the tool's schemas use.
struct JSONSchemaCheck {
  private let root: [String: Any]

  init(_ text: String) {
    root = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? ["const": "no schema"]
  }

  /// What is wrong with a value, and where; `nil` where it fits.
  func problem(with value: Any) -> String? { problem(value, root, at: "$") }

  private func problem(_ value: Any, _ schema: [String: Any], at path: String) -> String? {
    if let wanted = schema["const"] as? String, value as? String != wanted { return "\(path) is not \(wanted)" }
    if let type = schema["type"] as? String, !isOfType(value, type) {
      return "\(path) is not of type \(type): \(value)"
    }
    if let either = schema["anyOf"] as? [[String: Any]] {
      let problems = either.map { problem(value, $0, at: path) }
      guard problems.contains(nil) else { return problems.compactMap { $0 }.joined(separator: "; or ") }
    }
    if let element = schema["items"] as? [String: Any], let items = value as? [Any] {
      for (index, item) in items.enumerated() {
        if let problem = problem(item, element, at: "\(path)[\(index)]") { return problem }
      }
    }
    return (value as? [String: Any]).flatMap { members($0, schema, at: path) }
  }

  private func members(_ members: [String: Any], _ schema: [String: Any], at path: String) -> String? {
    for name in schema["required"] as? [String] ?? [] where members[name] == nil { return "\(path).\(name) is missing" }
    let known = schema["properties"] as? [String: Any] ?? [:]
    for name in members.keys.sorted() {
      if let inner = known[name] as? [String: Any], let value = members[name] {
        if let problem = problem(value, inner, at: "\(path).\(name)") { return problem }
      } else if let more = schema["additionalProperties"] as? [String: Any], let value = members[name] {
        if let problem = problem(value, more, at: "\(path).\(name)") { return problem }
      } else if schema["additionalProperties"] as? Bool == false {
        return "\(path).\(name) is not in the schema"
      }
    }
    return nil
  }

  private func isOfType(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "string": return value is String
    case "array": return value is [Any]
    case "object": return value is [String: Any]
    case "null": return value is NSNull
    case "boolean": return Self.isFlag(value)
    case "integer":
      return !Self.isFlag(value) && (value as? NSNumber).map { $0.doubleValue.rounded() == $0.doubleValue } == true
    default: return !Self.isFlag(value) && value is NSNumber
    }
  }

  /// A truth value bridges to a number too.
  private static func isFlag(_ value: Any) -> Bool {
    (value as? NSNumber).map { "\(type(of: $0))".contains("Bool") || CFNumberIsFlag($0) } ?? false
  }
}

/// Whether a number was written as `true` or `false`.
private func CFNumberIsFlag(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
