import Text
import Verdicts

/// `dictobench schema`
enum SchemaCommand: Command {
  /// The schema of scenario files, besides those of documents.
  private static let scenario = "scenario"

  static let declaration = CommandDeclaration(
    "schema", "Prints the JSON Schema of scenario files, for editors, or of a JSON document that the tool writes.",
    operands: "[scenario|DOCUMENT]", operandLimit: 1,
    options: [OptionDeclaration("--list", "List the documents and what writes them.")],
    example: "dictobench schema > scenario.schema.json")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    if arguments.isSet("--list") {
      let rows = [(scenario, "scenario files")] + DocumentSchema.all.map { ($0.name, $0.origin) }
      for (name, origin) in rows { console.out("\(name)  \(origin.filter { $0 != "`" })") }
      return .passed
    }
    let name = arguments.operands.first ?? scenario
    guard name != scenario else {
      console.out(try Vocabularies.current().jsonSchema)
      return .passed
    }
    guard let schema = DocumentSchema.all.first(where: { $0.name == name }) else {
      let names = [scenario] + DocumentSchema.all.map(\.name)
      throw UsageFailure(
        "no document is named \(name); the documents are \(names.joined(separator: ", "))"
          + ParsedArguments.suggestion(name, names))
    }
    console.out(schema.jsonSchema)
    return .passed
  }
}
