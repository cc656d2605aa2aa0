import Verdicts

/// `dictobench schema`
enum SchemaCommand: Command {
  static let declaration = CommandDeclaration(
    "schema", "Prints the JSON Schema of scenario files, for editors.", options: [],
    example: "dictobench schema > scenario.schema.json")

  static func run(_ arguments: ParsedArguments, _ console: Console) throws -> ExitCode {
    console.out(try Vocabularies.current().jsonSchema)
    return .passed
  }
}
