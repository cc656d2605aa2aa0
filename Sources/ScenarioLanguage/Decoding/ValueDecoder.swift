import Bytes
import Text
import YAML

/// Turns nodes into values of declared types and says what is wrong with those that are not.
struct ValueDecoder {
  var bag = DiagnosticBag()
  /// Knows what names mean outside of the file.
  var names: any NameBook = OpenNameBook()
  /// Who takes part, as `given:` names them.
  var people: [(name: String, actor: Actor)] = []
  /// What earlier steps keep.
  var kept: [KeptEntry] = []
  /// Where names are kept that a value used.
  var usedKept: Set<SourceLocation> = []
  /// Whether kept values may stand where values are read now.
  var takesKept = false
  /// Whether a fragment is read that nothing uses, so that its parameters and those who take part are unknown.
  var isTrying = false
  /// The field whose value is read now, whose range a number beyond all limits is told.
  private(set) var field: FieldDeclaration?
  /// The capabilities of all fields that were stated, each once, in order of appearance.
  private(set) var capabilities: [Capability] = []

  /// Whole numbers beyond what 32 bits hold are nobody's intention and somebody's overflow.
  static let integers = -Int(UInt32.max)...Int(UInt32.max)

  /// Forgets the capabilities found so far, which belong to another cell.
  mutating func forgetCapabilities() { capabilities = [] }

  /// Adds a capability to those needed.
  mutating func need(_ capability: Capability?) {
    guard let capability, !capabilities.contains(capability) else { return }
    capabilities.append(capability)
  }

  /// The value of a field, within the field's range; `nil` when it was reported.
  mutating func value(_ node: Node, of field: FieldDeclaration) -> Value? {
    let outer = self.field
    self.field = field
    defer { self.field = outer }
    guard let value = value(node, field.type, called: field.name) else { return nil }
    need(field.capability)
    return checkRange(value, of: field, node) ? value : nil
  }

  /// A value of a type; `nil` when it was reported. `name` is the field's, for messages.
  mutating func value(_ node: Node, _ type: ValueType, called name: String) -> Value? {
    if let entry = KeptEntry.meant(by: node, among: kept) { return value(entry, node, type, called: name) }
    return switch type {
    case .list(let element): list(node, element, called: name)
    case .either(let types): either(node, types, called: name)
    case .group(let group): arguments(node, group, called: name).map { .group($0) }
    default: scalar(node, type, called: name)
    }
  }

  /// A duration of the language's own, never negative; `nil` when it was reported.
  mutating func duration(_ node: Node, called name: String) -> Duration? {
    guard let value = value(node, .quantity(.duration), called: name) else { return nil }
    guard !Self.isNegativeDuration(value) else {
      report(node, "\(node.kind) is out of range for `\(name)`", expected: "\(Dimension.duration.text(0)) or more")
      return nil
    }
    return Duration(value)
  }

  private static func isNegativeDuration(_ value: Value) -> Bool {
    if case .quantity(.duration, let amount) = value { return amount < 0 }
    return false
  }

  mutating func report(
    _ node: Node, _ message: String, expected: String? = nil, suggestion: String? = nil,
    usefulness: Diagnostic.Usefulness? = nil
  ) {
    guard node.content != .refused else { return }
    let notes = node.origin.map { [Diagnostic.Note(location: $0, message: "the value comes from here")] } ?? []
    bag.report(
      Diagnostic(
        at: node.location, message, expected: expected, suggestion: suggestion, notes: notes, usefulness: usefulness))
  }

  // MARK: Composite values

  private mutating func list(_ node: Node, _ element: ValueType, called name: String) -> Value? {
    guard let items = node.items else { return value(node, element, called: name).map { .list([$0]) } }
    let values = items.map { value($0, element, called: name) }
    return values.contains(nil) ? nil : .list(values.compactMap { $0 })
  }

  private mutating func either(_ node: Node, _ types: [ValueType], called name: String) -> Value? {
    var best: DiagnosticBag?
    for type in types {
      var attempt = ValueDecoder()
      attempt.names = names
      attempt.people = people
      attempt.kept = kept
      attempt.takesKept = takesKept
      attempt.isTrying = isTrying
      if let value = attempt.value(node, type, called: name) {
        attempt.capabilities.forEach { need($0) }
        usedKept.formUnion(attempt.usedKept)
        return value
      }
      if best == nil, attempt.bag.diagnostics.contains(where: { $0.suggestion != nil }) { best = attempt.bag }
    }
    if let best {
      bag.report(best.diagnostics)
    } else {
      report(node, "`\(name)` cannot be \(node.kind)", expected: ValueType.either(types).sentence)
    }
    return nil
  }

  // MARK: Scalars

  private mutating func scalar(_ node: Node, _ type: ValueType, called name: String) -> Value? {
    if node.content == .absent, type == .boolean { return .boolean(true) }
    guard case .scalar(let text, let style) = node.content else {
      let message = node.content == .absent ? "`\(name)` has no value" : "`\(name)` cannot be \(node.kind)"
      report(node, message, expected: type.sentence)
      return nil
    }
    switch type {
    case .boolean: return boolean(node, text, style)
    case .integer: return integer(node, text, style, called: name)
    case .quantity(let dimension): return quantity(node, text, dimension)
    case .choice(let choices): return word(node, text, choices, called: name)
    case .text: return .text(text)
    case .octets: return read(node, text, type, Octets(text).map { .octets($0) })
    case .name(let kind): return self.name(node, text, kind)
    case .participant(let actor): return participant(node, text, actor)
    case .dateTime: return read(node, text, type, CivilDateTime(text).map { .dateTime($0) })
    case .offset: return read(node, text, type, UTCOffset(text).map { .offset($0) })
    case .address: return read(node, text, type, BluetoothAddress(text).map { .address($0) })
    case .record: return read(node, text, type, RecordName(text).map { .record($0) })
    case .list, .either, .group: preconditionFailure("composite types are decoded elsewhere")
    }
  }

  private mutating func read(_ node: Node, _ text: String, _ type: ValueType, _ value: Value?) -> Value? {
    if value == nil {
      report(node, "\(node.kind) is not \(type.sentence.prefix(before: " such as"))", expected: type.sentence)
    }
    return value
  }

  private mutating func name(_ node: Node, _ text: String, _ kind: NameKind) -> Value? {
    guard let problem = names.problem(with: text, of: kind) else { return .text(text) }
    report(node, problem.message, expected: problem.expected ?? kind.sentence, suggestion: problem.suggestion)
    return nil
  }

  private mutating func participant(_ node: Node, _ text: String, _ actor: Actor) -> Value? {
    let known = people.filter { $0.actor == actor }.map(\.name)
    if known.contains(text) || isTrying { return .text(text) }
    report(
      node, "`given` has no \(actor.participant) \(node.kind)", expected: Wording.choices(known),
      suggestion: Self.nearestPerson(to: text, among: known))
    return nil
  }

  /// The nearest of the names in `given`: a `count` puts numbers behind a name.
  static func nearestPerson(to name: String, among known: [String]) -> String? {
    known.first { $0 == "\(name)-1" } ?? Spelling.nearest(to: name, among: known)
  }

  private mutating func boolean(_ node: Node, _ text: String, _ style: Node.Style) -> Value? {
    if style == .plain, text == "true" || text == "false" { return .boolean(text == "true") }
    let nearest = style == .plain ? Spelling.nearest(to: text, among: ["true", "false"]) : nil
    report(node, "\(node.kind) is not a truth value", expected: ValueType.boolean.sentence, suggestion: nearest)
    return nil
  }

  private mutating func integer(_ node: Node, _ text: String, _ style: Node.Style, called name: String) -> Value? {
    guard style == .plain else {
      report(node, "`\(name)` cannot be text in quotes", expected: "a whole number without quotes")
      return nil
    }
    guard let number = DecimalNumber(prefixOf: text), number.isWhole else {
      report(node, "\(node.kind) is not a whole number", expected: "a whole number such as `7`")
      return nil
    }
    guard number.rest.isEmpty else {
      let digits = String(text.dropLast(number.rest.count))
      report(
        node, "`\(name)` takes a number without a unit", expected: "a whole number such as `7`", suggestion: digits)
      return nil
    }
    guard let value = (try? number.scaled(by: 1)).flatMap(Int.init(exactly:)), Self.integers.contains(value) else {
      if let field, field.maximum != nil {
        _ = reportRange(of: field, node)
      } else {
        report(node, "\(node.kind) is out of range", expected: "a whole number up to \(Self.integers.upperBound)")
      }
      return nil
    }
    return .integer(value)
  }

  private mutating func quantity(_ node: Node, _ text: String, _ dimension: Dimension) -> Value? {
    let units = "units: " + dimension.units.map(\.symbol).joined(separator: ", ")
    let expected = "\(dimension.sentence) (\(units))"
    do throws(QuantityFailure) {
      return .quantity(dimension, try dimension.parse(text))
    } catch {
      switch error {
      case .notANumber: report(node, "\(node.kind) is not a \(dimension.rawValue)", expected: expected)
      case .missingUnit:
        // A share such as 0.3 may be meant as a part of one.
        let isClear = dimension.units.count == 1 && !(dimension == .share && text.hasPrefix("0."))
        let only = isClear ? "\(text) \(dimension.units[0].symbol)" : nil
        report(node, "\(node.kind) has no unit", expected: expected, suggestion: only, usefulness: .spelling)
      case .unknownUnit(let unit, let nearest):
        report(
          node, "`\(Wording.shortened(unit))` is not a unit of \(dimension.rawValue)", expected: expected,
          suggestion: nearest.map { "\(Self.number(of: text)) \($0)" })
      case .oddBlanks(let unit):
        report(
          node, "\(node.kind) has other blanks than one space before its unit", expected: expected,
          suggestion: "\(Self.number(of: text)) \(unit)")
      case .tooFine:
        report(node, "\(node.kind) is finer than 1 \(dimension.units[0].symbol)", expected: "fewer decimals")
      case .outOfRange: reportRange(node, dimension)
      }
      return nil
    }
  }

  /// What stands before the unit.
  private static func number(of text: String) -> String {
    String(text.dropLast(DecimalNumber(prefixOf: text)?.rest.count ?? 0))
  }

  private mutating func reportRange(_ node: Node, _ dimension: Dimension) {
    let (least, most) = (dimension.limits.lowerBound, dimension.limits.upperBound)
    report(
      node, "\(node.kind) is out of range", expected: "from \(dimension.text(least)) to \(dimension.text(most))")
  }

  private mutating func word(_ node: Node, _ text: String, _ choices: [ValueType.Choice], called name: String) -> Value?
  {
    let words = choices.map(\.word)
    if words.contains(text) { return .word(text) }
    report(
      node, "`\(name)` cannot be \(node.kind)", expected: ValueType.choice(choices).sentence,
      suggestion: Spelling.nearest(to: text, among: words).map(ValueType.Choice.written))
    return nil
  }

  // MARK: Ranges

  /// Whether a value is one that its field can have; one that is not was reported.
  mutating func checkRange(_ value: Value, of field: FieldDeclaration, _ node: Node) -> Bool {
    if case .list(let values) = value, field.type != .list(.text) {
      let nodes = node.items ?? [node]
      return zip(values, nodes).allSatisfy { isInRange($0, of: field) ? true : reportRange(of: field, $1) }
    }
    guard isInRange(value, of: field) else { return reportRange(of: field, node) }
    return isCounted(value, in: field, node)
  }

  private func isInRange(_ value: Value, of field: FieldDeclaration) -> Bool {
    if let minimum = field.minimum, value.isLess(than: minimum) == true { return false }
    if field.minimum == nil, Self.isNegativeDuration(value) { return false }
    if let maximum = field.maximum, maximum.isLess(than: value) == true { return false }
    return true
  }

  private mutating func reportRange(of field: FieldDeclaration, _ node: Node) -> Bool {
    let bounds = [field.minimum, field.maximum].compactMap { $0?.description }
    let range =
      bounds.count == 2
      ? bounds.joined(separator: " to ") : "\(bounds.first ?? Dimension.duration.text(0)) or more"
    report(node, "\(node.kind) is out of range for `\(field.name)`", expected: range)
    return false
  }

  /// Whether a value is a whole multiple of its field's unit; one that is not was reported.
  private mutating func isCounted(_ value: Value, in field: FieldDeclaration, _ node: Node) -> Bool {
    guard case .quantity(let dimension, let amount) = value, case .quantity(_, let unit)? = field.unit,
      !value.isMultiple(of: field.unit)
    else { return true }
    let nearest = max(1, (amount + unit / 2) / unit) * unit
    let coarse = dimension.text(unit)
    // The next ones are told in the unit that was written, in which they compare best.
    let symbol = node.text.flatMap { DecimalNumber(prefixOf: $0)?.rest.trimmingBlanks } ?? ""
    let written = dimension.unit(symbol) ?? dimension.units[0]
    let next = [amount / unit * unit, (amount / unit + amount.signum()) * unit].filter { $0 != 0 }
      .map { "`\(DecimalNumber.text($0, perUnit: written.factor)) \(written.symbol)`" }
    report(
      node, "\(node.kind) is finer than \(coarse) for `\(field.name)`",
      expected: "a whole multiple of \(coarse), such as \(Wording.list(next))", suggestion: dimension.text(nearest))
    return false
  }
}

extension StringProtocol {
  /// The text up to the first occurrence of `separator`, or all of it.
  func prefix(before separator: String) -> String {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(separator) { return String(self[startIndex..<rest.startIndex]) }
      rest = rest.dropFirst()
    }
    return String(self)
  }
}
