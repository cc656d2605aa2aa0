import Text
import YAML

/// The cells of a matrix: every combination of the variables' values, or the rows as they are listed.
struct Matrix {
  /// One cell.
  struct Cell {
    let bindings: Bindings

    /// The cell as it stands in names.
    var identity: MatrixCell {
      MatrixCell(bindings: bindings.all.map { .init(name: $0.name, text: $0.value.text ?? "") })
    }
  }

  /// The variables with the places of their names.
  private(set) var variables: [(name: String, location: SourceLocation)] = []
  /// The cells in order, the last variable changing fastest; one without variables when there is no matrix.
  private(set) var cells: [Cell] = [Cell(bindings: Bindings())]

  /// No matrix.
  init() {}

  /// Reads `matrix:`; on problems, which are reported, there is one cell in which the variables have no values.
  init(_ node: Node, _ decoder: inout ValueDecoder) {
    guard let read = node.items == nil ? product(node, &decoder) : rows(node, &decoder) else {
      // Their places in the steps are not to be reported as well.
      let names = (node.entries ?? node.items?.first?.entries ?? []).map(\.key)
      cells = [Cell(bindings: Bindings(names.map { .init(name: $0, value: Node(.refused, at: node.location)) }))]
      return
    }
    var seen: Set<String> = []
    cells = []
    var doubled: Cell?
    for cell in read {
      if seen.insert(cell.identity.description).inserted { cells.append(cell) } else { doubled = doubled ?? cell }
    }
    if let cell = doubled {
      decoder.report(node, "duplicate cell \(cell.identity)", expected: "different combinations of values")
    }
  }

  private mutating func product(_ node: Node, _ decoder: inout ValueDecoder) -> [Cell]? {
    guard let entries = node.entries, !entries.isEmpty else {
      decoder.report(node, "`matrix` cannot be \(node.kind)", expected: "variables with lists of values")
      return nil
    }
    var cells = [Bindings()]
    for entry in entries {
      guard checkName(entry, &decoder) else { return nil }
      variables.append((entry.key, entry.keyLocation))
      let values = entry.value.items ?? [entry.value]
      guard !values.isEmpty, values.allSatisfy(Self.isUsable) else {
        let node = values.first { !Self.isUsable($0) } ?? entry.value
        decoder.report(
          node.standing(at: entry.keyLocation), "`\(entry.key)` cannot be \(node.kind)",
          expected: "a list of single values such as `[1, 7]`")
        return nil
      }
      guard cells.count * values.count <= LanguageLimits.cells else {
        decoder.report(node, "the matrix has too many cells", expected: "at most \(LanguageLimits.cells)")
        return nil
      }
      cells = cells.flatMap { cell in values.map { Bindings(cell.all + [.init(name: entry.key, value: $0)]) } }
    }
    return cells.map { Cell(bindings: $0) }
  }

  private mutating func rows(_ node: Node, _ decoder: inout ValueDecoder) -> [Cell]? {
    let rows = node.items ?? []
    guard let first = rows.first?.entries, !first.isEmpty, rows.count <= LanguageLimits.cells else {
      decoder.report(
        node, "`matrix` has no usable rows", expected: "one to \(LanguageLimits.cells) rows such as `{records: 7}`")
      return nil
    }
    guard first.allSatisfy({ checkName($0, &decoder) }) else { return nil }
    variables = first.map { ($0.key, $0.keyLocation) }
    var cells: [Cell] = []
    for row in rows {
      let entries = row.entries ?? []
      guard entries.map(\.key) == first.map(\.key), entries.allSatisfy({ Self.isUsable($0.value) }) else {
        decoder.report(
          row, "this row has different variables from the first row",
          expected: "one value for each of "
            + Wording.choices(first.map(\.key)) + ", in this order")
        return nil
      }
      cells.append(Cell(bindings: Bindings(entries.map { .init(name: $0.key, value: $0.value) })))
    }
    return cells
  }

  /// Whether a node can be a value of a variable: one short line.
  private static func isUsable(_ node: Node) -> Bool {
    FileHeader.isLine(node.text ?? "", limit: LanguageLimits.cellValueLength)
  }

  private func checkName(_ entry: Node.Entry, _ decoder: inout ValueDecoder) -> Bool {
    if Substitution.isName(entry.key) { return true }
    decoder.report(
      Node(.absent, at: entry.keyLocation), "`\(Wording.shortened(entry.key))` cannot name a variable",
      expected: "letters, digits and `_`, beginning with a letter")
    return false
  }
}
