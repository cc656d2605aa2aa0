import Text
import ScenarioLanguage
import YAML

/// `labgrid: {file: lab.yaml, group: dictofun-a}`: where the resources are stated that instruments name.
struct LabgridPlace: FieldGroupValue {
  static let fileField = Field<String>(
    "file", "labgrid's file of an exporter or an environment, seen from this one's folder.")
  static let groupField = Field<String?>(
    "group", "The group of an exporter, or the target of an environment; may be left out where there is only one.")
  static var group: FieldGroup { FieldGroup([fileField, groupField], shorthand: fileField) }

  let file: String

  init(_ arguments: Arguments) { file = arguments[Self.fileField] }
}

/// Puts what a file of labgrid states about resources into a bench file, in place of `resource: NAME`. Neither labgrid nor
/// a coordinator is needed. Templates (`!template`, `{{ }}`) are labgrid's own and are not understood.
struct LabgridImport {
  private static let placeKey = BenchFile.labgridField.declaration.name
  private static let resourceKey = "resource"

  /// The resources by name, in the order of the file.
  private var resources: [Resource] = []
  private(set) var problems: [Diagnostic] = []
  private let isStated: Bool

  /// A resource as labgrid states it.
  private struct Resource {
    let name: String
    let kind: String
    let parameters: [Node.Entry]
  }

  /// Reads the file that the top of a bench file names; `read` finds it beside the bench file.
  init(into top: Node, read: (String) -> (file: SourceFile?, trouble: String?)) {
    guard let place = top[Self.placeKey] else {
      isStated = false
      return
    }
    isStated = true
    guard let path = place.text ?? place[LabgridPlace.fileField.declaration.name]?.text else { return }
    let found = read(path)
    guard let file = found.file else {
      problems.append(
        Diagnostic(at: place.location, found.trouble ?? "cannot read \(path)", expected: "a YAML file of labgrid"))
      return
    }
    let (root, faults) = YAMLReader.read(file, rules: YAMLRules())
    problems += faults.map { Diagnostic(at: $0.location, $0.message, expected: "YAML without templates") }
    guard let root, faults.isEmpty else { return }
    let wanted = place[LabgridPlace.groupField.declaration.name]?.text
    guard let group = group(wanted, of: root, at: place) else { return }
    resources = Self.resources(of: group)
  }

  /// The group of an exporter's file, or the resources of a target of an environment.
  private mutating func group(_ wanted: String?, of root: Node, at place: Node) -> Node? {
    let groups = (root["targets"] ?? root).entries ?? []
    let chosen = wanted == nil && groups.count == 1 ? groups.first : groups.first { $0.key == wanted }
    guard let chosen else {
      let names = groups.map { "`\($0.key)`" }.joined(separator: ", ")
      problems.append(
        Diagnostic(
          at: place.location,
          wanted.map { "the file of labgrid has no group `\($0)`" } ?? "the file of labgrid has \(groups.count) groups",
          expected: names.isEmpty ? "a group of resources" : "`group:` with one of \(names)"))
      return nil
    }
    return root["targets"] == nil ? chosen.value : chosen.value["resources"]
  }

  /// The resources of a group: a mapping of names, or a list of single classes with their parameters.
  private static func resources(of group: Node?) -> [Resource] {
    let entries = group?.entries ?? group?.items?.compactMap { $0.entries?.first } ?? []
    return entries.compactMap { entry in
      guard let parameters = entry.value.entries else { return nil }
      func text(_ key: String) -> String? { parameters.first { $0.key == key }?.value.text }
      return Resource(name: text("name") ?? entry.key, kind: text("cls") ?? entry.key, parameters: parameters)
    }
  }

  /// The bench file with every `resource: NAME` replaced.
  mutating func replaced(_ top: Node) -> Node {
    guard let entries = top.entries else { return top }
    var top = top
    top.content = .mapping(
      entries.map { entry in
        guard entry.key == BenchFile.recordersField.declaration.name, let recorders = entry.value.items else {
          return entry
        }
        var entry = entry
        entry.value.content = .sequence(recorders.map { recorder in instruments(of: recorder) })
        return entry
      })
    return top
  }

  private mutating func instruments(of recorder: Node) -> Node {
    guard let entries = recorder.entries else { return recorder }
    var recorder = recorder
    var replaced: [Node.Entry] = []
    for var entry in entries {
      if let fields = entry.value.entries {
        var own: [Node.Entry] = []
        for field in fields {
          guard field.key == Self.resourceKey else {
            own.append(field)
            continue
          }
          if let found = line(of: field) { own.append(found) }
        }
        entry.value.content = .mapping(own)
      }
      replaced.append(entry)
    }
    recorder.content = .mapping(replaced)
    return recorder
  }

  /// What stands in place of `resource: NAME`; `nil` where that is a mistake, which is told.
  private mutating func line(of field: Node.Entry) -> Node.Entry? {
    guard let name = field.value.text, isStated else {
      problems.append(
        Diagnostic(
          at: field.keyLocation, "`resource` names nothing without `labgrid:` at the top of the bench file",
          expected: "`labgrid: {file: …}`"))
      return nil
    }
    guard let resource = resources.first(where: { $0.name == name }) else {
      // Without a group nothing can be found, which is told already.
      guard problems.isEmpty else { return nil }
      let nearest = Spelling.nearest(to: name, among: resources.map(\.name)).map { "; did you mean `\($0)`?" } ?? ""
      problems.append(
        Diagnostic(
          at: field.value.location, "the file of labgrid has no resource `\(name)`\(nearest)",
          expected: "one of \(resources.map { "`\($0.name)`" }.joined(separator: ", "))"))
      return nil
    }
    switch entry(for: resource, at: field) {
    case .success(let entry): return entry
    case .failure(let problem):
      problems.append(Diagnostic(at: field.value.location, problem.text, expected: problem.expected))
      return nil
    }
  }

  private struct Problem: Error {
    let text: String
    let expected: String
  }

  /// A resource in the words of a bench file, which are labgrid's except for what only labgrid's drivers need.
  private func entry(for resource: Resource, at field: Node.Entry) -> Result<Node.Entry, Problem> {
    func parameter(_ key: String) -> Node.Entry? { resource.parameters.first { $0.key == key } }
    func mapping(_ key: String, _ entries: [Node.Entry?]) -> Result<Node.Entry, Problem> {
      .success(
        Node.Entry(
          key: key, keyLocation: field.keyLocation,
          value: Node(.mapping(entries.compactMap { $0 }), at: field.value.location)))
    }
    switch resource.kind {
    case "RawSerialPort": return mapping(resource.kind, [parameter("port"), parameter("speed")])
    case "USBSerialPort": return mapping(resource.kind, [parameter("match"), parameter("speed")])
    case "NetworkSerialPort":
      // Unless stated, labgrid means telnet's control of serial ports (RFC 2217).
      let spoken = parameter("protocol")?.value.text ?? "rfc2217"
      guard spoken == "raw" else {
        return .failure(
          Problem(text: "`\(resource.name)` speaks \(spoken)", expected: "`protocol: raw`, which ser2net calls raw"))
      }
      return mapping(resource.kind, [parameter("host"), parameter("port")])
    case "USBDebugger":
      guard let match = parameter("match")?.value["ID_SERIAL_SHORT"] else {
        return .failure(
          Problem(text: "`\(resource.name)` has no serial number", expected: "`match: {ID_SERIAL_SHORT: …}`"))
      }
      let serial = Node.Entry(key: USBDebugger.serialField.declaration.name, keyLocation: match.location, value: match)
      return mapping(resource.kind, [serial])
    default:
      return .failure(
        Problem(
          text: "`\(resource.name)` is a \(resource.kind), which no instrument here is reached by",
          expected: "a RawSerialPort, USBSerialPort, NetworkSerialPort or USBDebugger"))
    }
  }
}
