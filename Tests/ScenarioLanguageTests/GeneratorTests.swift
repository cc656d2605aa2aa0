import Foundation
import SchemaChecking
import Testing
import YAML

@testable import ScenarioLanguage

@Suite struct GeneratorTests {
  let vocabulary = TestVocabulary.vocabulary

  @Test func `the reference page is made from the declarations`() throws {
    try Vectors.expect(vocabulary.markdownReference, matches: "generated/reference.md")
  }

  @Test func `every example of the reference lints`() {
    let library = ScenarioLibrary(files: vocabulary.exampleFiles, vocabulary: vocabulary)
    #expect(library.diagnostics.isEmpty, "\(library.report.text())")
    #expect(library.scenarios.count == vocabulary.verbs.count + vocabulary.given.count + vocabulary.observations.count)
    for verb in vocabulary.verbs {
      #expect(vocabulary.markdownReference.contains("```yaml\n\(verb.example)\n```"))
    }
  }

  @Test func `an example that does not lint is found`() {
    let verb = VerbDeclaration("sing", of: .phone, "Sings.", example: "- phone: sings")
    let vocabulary = Vocabulary(verbs: [verb], given: [], observations: [], capabilities: [])
    #expect(ScenarioLibrary(files: vocabulary.exampleFiles, vocabulary: vocabulary).hasErrors)
  }

  @Test func `the schema is JSON that names every verb, field, section and event`() throws {
    let schema = vocabulary.jsonSchema
    let root = try #require(try JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any])
    #expect(root["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    let definitions = try #require(root["$defs"] as? [String: Any])
    for name in schema.split(separator: "\"#/$defs/").dropFirst().compactMap({ $0.split(separator: "\"").first }) {
      #expect(definitions[String(name)] != nil, "\(name) is referred to")
    }
    let fields =
      vocabulary.verbs.flatMap { $0.group.fields + $0.results.fields } + vocabulary.given.flatMap(\.group.fields)
    let names =
      vocabulary.verbs.map(\.name) + fields.map(\.name) + vocabulary.given.compactMap(\.plural)
      + vocabulary.observations.map(\.name) + vocabulary.capabilities.map(\.name) + vocabulary.requirements
    for name in names { #expect(schema.contains("\"\(name)\""), "\(name)") }
  }

  @Test func `the schema accepts what the language accepts, and refuses misspelt words`() throws {
    let schema = try SchemaCheck(vocabulary.jsonSchema)
    let good = try Vectors.names(in: "good").map { try Vectors.file("good", $0) } + vocabulary.exampleFiles
    for file in good {
      let root = try #require(YAMLReader.read(file).root)
      #expect(schema.accepts(root), "\(file.path)")
    }
    for name in ["misspelt-verb", "missing-unit", "wrong-unit", "unknown-capability", "observations", "expectations"] {
      let root = try #require(YAMLReader.read(try Vectors.file("broken", name)).root)
      #expect(!schema.accepts(root), "\(name)")
    }
  }

  @Test(arguments: [
    "{phone: $word}", "{phone: {sync: }, shows: $word}", "{phone: sync, shows: [APP-2.3, $word]}",
    "{phone: sync, fails: $word}", "{phone: sync, keep: {some: $word}}", "{eventually: $word, within: 1 s}",
    "{either: [$word, {link: down}], within: 1 s}", "{never: link, until: $word, within: 1 s}",
    "{phone: {delete: 1234567890123456}}",
  ]) func `the schema takes a name wherever lint replaces one, and digits as YAML reads them`(step: String) throws {
    let requirement = RequirementDeclaration("APP-2.3", references: ["APP-2.3"], isMonitored: true)
    let vocabulary = Vocabulary(
      verbs: self.vocabulary.verbs, given: self.vocabulary.given, observations: self.vocabulary.observations,
      capabilities: self.vocabulary.capabilities, requirements: ["APP-2.3"], showable: [requirement])
    let file = SourceFile(path: "try.yaml", text: "scenario: tried\nid: try\nsteps: [\(step)]\n")
    #expect(try SchemaCheck(vocabulary.jsonSchema).accepts(try #require(YAMLReader.read(file).root)))
  }

  @Test(arguments: [
    ("given: {phone: }", true), ("given: {device: , air: }", true), ("id: 12", true), ("timeout: 1 h", true),
    ("timeout: $limit", false), ("tags: [$tag]", false), ("tags: [smoke, v1.2, 7]", true),
  ]) func `the schema takes at the head of a file what lint takes there`(line: String, isAccepted: Bool) throws {
    let id = line.hasPrefix("id:") ? "" : "id: try\n"
    let file = SourceFile(path: "try.yaml", text: "scenario: tried\n\(id)\(line)\nsteps: [{wait: 1 s}]\n")
    #expect(try SchemaCheck(vocabulary.jsonSchema).accepts(try #require(YAMLReader.read(file).root)) == isAccepted)
  }

  @Test func `every word of the language is explained, with each place where it may stand and an example`() throws {
    let forms = StepForm.all.flatMap { [$0.lead] + $0.siblings }
    for keyword in Keyword.scenario + Keyword.fragment + forms where Actor(rawValue: keyword.name) == nil {
      let entry = try #require(KeywordEntry.all.first { $0.name == keyword.name }, "\(keyword.name)")
      #expect(entry.text.contains(keyword.documentation), "\(keyword.name)")
      #expect(entry.example.contains(keyword.name), "\(keyword.name)")
      #expect(vocabulary.explanation(of: [keyword.name]) != nil, "\(keyword.name)")
    }
    for relation in FieldMatcher.Relation.allCases where relation != .equal {
      #expect(vocabulary.explanation(of: [relation.rawValue])?.contains("a comparison") == true, "\(relation)")
    }
    #expect(vocabulary.nearestTopic(to: ["eventualy"]) == "eventually")
  }

  @Test func `every topic is explained, and a misspelt one leads to the right one`() throws {
    for topic in vocabulary.topics {
      let words = topic.split(separator: " ").map(String.init)
      #expect(vocabulary.explanation(of: words)?.isEmpty == false, "\(topic)")
    }
    #expect(vocabulary.explanation(of: ["phone", "snyc"]) == nil)
    #expect(vocabulary.nearestTopic(to: ["phone", "snyc"]) == "phone sync")
    let texts = [
      [], ["phone", "sync"], ["lose"], ["given", "device"], ["link"], ["units"], ["steps"], ["phone"], ["never"],
      ["keep"], ["within"],
    ]
    let all = texts.map { "$ explain \($0.joined(separator: " "))\n" + (vocabulary.explanation(of: $0) ?? "") }
    try Vectors.expect(all.joined(separator: "\n"), matches: "generated/explain.txt")
  }

  @Test func `every field, outcome, failure and choice is explained at each of its places`() {
    for (words, text) in [
      (["downloaded"], "downloaded, a field of the outcome of `phone: sync`: Records that were downloaded. (number)\n"),
      (["not-found"], "not-found, a failure of `phone: sync`: No recorder is in sight.\n"),
      (["newest"], "newest, a value of `record` of `phone: delete`: By the time in its identifier.\n"),
      (
        ["records", "seconds"],
        "records.seconds, a field of `given: device`: How long each is. (duration; default 4 s)\n"
      ),
      (["given", "device", "voltage"], "voltage, a field of `given: device`: Battery voltage."),
      (["button"], "button, a capability of `needs: actuators`: The record button can be pressed.\n"),
      (["devices"], "makes `other-1` and `other-2`"),
      (["count"], "count, a key of `given: devices`, `given: phones`: "),
    ] { #expect(vocabulary.explanation(of: words)?.contains(text) == true, "\(words)") }
    #expect(vocabulary.explanation(of: ["battery"])?.contains("battery, a field of `given: device`") == true)
    #expect(vocabulary.explanation(of: ["phone", "seconds"]) == nil)
    #expect(vocabulary.nearestTopic(to: ["downloadet"]) == "downloaded")
  }

  @Test func `an actor without verbs is in no list, and says why`() {
    #expect(!vocabulary.topics.contains("bench"))
    #expect(vocabulary.explanation(of: ["bench"]) == "`bench` has no verbs; only packages of one's own add some.\n")
  }
}
