import Foundation
import TestThreads
import Testing

@testable import dictobench

/// The JSON that the tool writes has a version and a schema, and one page describes it.
@Suite(.waits) struct DocumentSchemas {
  @Test func everyDocumentHasASchemaThatTheToolPrints() throws {
    #expect(Set(DocumentSchema.all.map(\.name)).count == DocumentSchema.all.count)
    let listed = try Tool.run(["schema", "--list"]).output.split(separator: "\n")
    #expect(listed.count == DocumentSchema.all.count + 1)
    for schema in DocumentSchema.all {
      let text = schema.jsonSchema
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(object["$id"] as? String == "urn:dictobench:\(schema.name):\(schema.version)")
    }
    #expect(try Tool.run(["schema", "pull"]).output == DocumentSchema.named("pull").jsonSchema + "\n")
    let wrong = try Tool.run(["schema", "pul"])
    #expect(wrong.status == 2)
    #expect(wrong.trouble.contains("did you mean pull?"), "\(wrong.trouble)")
  }

  /// `docs/formats.md` is made from the schemas. Where it is missing it is written, and the test fails until it is looked at.
  @Test func thePageOfFormatsSaysWhatTheSchemasSay() throws {
    let rows = DocumentSchema.all.map { schema in
      "## `\(schema.name)`, version \(schema.version)\n\nWritten by: \(schema.origin).\n\n```\n"
        + Self.wrapped(schema.notation) + "\n```\n"
    }
    try Tool.expect(Self.introduction + rows.joined(separator: "\n"), equals: "../../../docs/formats.md")
  }

  private static let introduction = """
    # JSON that dictobench writes

    Every document of `--format json`, every line of `events.ndjson` and every line of the control socket of `simulate` has
    `schemaVersion`. It changes when a member is taken away or changes its meaning; new members may come without that.
    Documents of commands also name their `schema`. An evidence statement has its version in its predicate.
    `dictobench schema NAME` prints the JSON Schema, and `dictobench schema --list` lists the names.

    Below, `text`, `int`, `number`, `flag` and `any` are values. `T?` may be null, `[T]` is a list, `name?: T` may be
    missing, `{*: T}` has any names, `…` stands for more members, and `A | B` is either. `schemaVersion` and `schema` are
    left out.


    """

  /// A notation on lines of at most 118 columns, broken at blanks.
  private static func wrapped(_ text: String) -> String {
    var lines = [""]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count + 1 > 118 { lines.append("") }
      lines[lines.count - 1] += (lines[lines.count - 1].isEmpty ? "" : " ") + word
    }
    return lines.joined(separator: "\n")
  }

  @Test func linesOfARunFitTheirSchemas() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "out").path
    let scenario = "scenarios/view/new-records.yaml"
    _ = try Tool.run(["run", scenario, "--fault", "phone:counts-heard-as-new", "--out", out])
    let lines = try Data(contentsOf: URL(filePath: out + "/events.ndjson")).split(separator: 0x0A)
    #expect(lines.count > 100)
    for line in lines { try Documents.expect(Array(line), toBe: "event") }
    try Documents.expect(Array(Data(contentsOf: URL(filePath: out + "/summary.json"))), toBe: "summary")
    for command in [
      ["lint", scenario], ["lint", "README.md"], ["list", scenario], ["list", "--faults"], ["mutate", scenario],
    ] {
      #expect(try !Tool.run(command + ["--format", "json"]).output.isEmpty)
    }
    _ = try Tool.run(["compare", out, out, "--format", "json"])
    _ = try Tool.run(["doctor", "--format", "json"])
    let package =
      "firmware-images/"
      + (try #require(
        try FileManager.default.contentsOfDirectory(atPath: Tool.repository.path + "/firmware-images")
          .sorted().first { $0.hasSuffix(".zip") }))
    #expect(try Tool.run(["dfu", "inspect", package, "--format", "json"]).output.contains("predictions"))
  }

  @Test func aDocumentOfAnotherShapeIsFound() throws {
    let check = JSONSchemaCheck(DocumentSchema.named("battery").jsonSchema)
    func problem(_ text: String) throws -> String? {
      check.problem(with: try JSONSerialization.jsonObject(with: Data(text.utf8)))
    }
    let stamp = #""schemaVersion":1,"schema":"battery""#
    #expect(try problem("{\(stamp),\"percent\":null,\"octet\":255,\"isLow\":null}") == nil)
    #expect(try problem("{\(stamp),\"failure\":\"gone\"}") == nil)
    #expect(try problem("{\(stamp),\"percent\":\"84\",\"octet\":84,\"isLow\":true}") != nil)
    #expect(try problem("{\(stamp),\"percent\":84,\"octet\":84,\"isLow\":1}") != nil)
    #expect(try problem("{\(stamp),\"percent\":84,\"octet\":84}") != nil)
    #expect(try problem("{\(stamp),\"percent\":84,\"octet\":84,\"isLow\":true,\"more\":1}") != nil)
    #expect(try problem("{\"percent\":84,\"octet\":84,\"isLow\":true}") != nil)
  }
}
