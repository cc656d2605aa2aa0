import YAML

/// Reads files that are not scenarios, such as the inventory of a bench, with the same values, units and messages.
package enum DocumentReader {
  /// Reads a file whose top is the fields of `group`; `name` is what messages call it.
  ///
  /// The fields are `nil` when an error was found; every one has its message. `importing` may put what other files say into
  /// the top before it is decoded.
  package static func read(
    _ file: SourceFile, as group: FieldGroup, called name: String, importing: (Node) -> Node = { $0 }
  ) -> (arguments: Arguments?, diagnostics: [Diagnostic]) {
    let (root, problems) = YAMLReader.read(file)
    var decoder = ValueDecoder()
    decoder.bag.report(problems)
    guard let root else {
      if !decoder.bag.hasErrors {
        decoder.report(
          Node(.absent, at: SourceLocation(file: file.path, line: 1, column: 1)), "the file is empty",
          expected: ValueType.group(group).sentence)
      }
      return (nil, decoder.bag.diagnostics)
    }
    let arguments = decoder.arguments(importing(root), group, called: name)
    return (decoder.bag.hasErrors ? nil : arguments, decoder.bag.diagnostics)
  }
}
