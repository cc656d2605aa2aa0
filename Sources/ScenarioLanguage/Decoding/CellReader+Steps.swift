import Text
import YAML

extension CellReader {
  /// The steps of a list, resolved.
  mutating func steps(_ node: Node, called name: String, _ scope: Scope) -> [Step] {
    guard let items = node.items else {
      decoder.report(node, "`\(name)` cannot be \(node.kind)", expected: "a list of steps, each beginning with `- `")
      return []
    }
    return items.flatMap { step($0, scope) }
  }

  /// Takes one step off the budgets; false when it is exhausted, which is reported.
  mutating func spend(at node: Node) -> Bool {
    cellBudget -= 1
    fileBudget -= 1
    guard cellBudget < 0 || fileBudget < 0 else { return true }
    let limit = fileBudget < 0 ? LanguageLimits.stepsOfFile : LanguageLimits.steps
    let owner = fileBudget < 0 ? "all cells of the file together have" : "the scenario has"
    decoder.bag.report(
      Diagnostic(
        at: SourceLocation(file: node.location.file, line: 1, column: 1),
        "\(owner) too many steps after `use` and `repeat`", expected: "at most \(limit)", usefulness: .structure))
    return false
  }

  private mutating func step(_ node: Node, _ scope: Scope) -> [Step] {
    guard spend(at: node) else { return [] }
    guard let (form, lead) = lead(of: node) else { return [] }
    let entries = node.entries ?? []
    checkSiblings(entries, form)
    guard holds(node["when"], scope) else { return [] }
    // Nested steps have names of their own turn and fragment, so they are resolved one by one.
    let siblings = entries.map { entry in
      StepForm.nestedKeys.contains(entry.key) || entry.key == "when" || entry.key == "with"
        ? entry : Node.Entry(key: entry.key, keyLocation: entry.keyLocation, value: resolve(entry.value, scope))
    }
    let resolved = Node(.mapping(siblings), at: lead.keyLocation)
    let value = (resolved[lead.key] ?? lead.value).standing(at: lead.keyLocation)
    switch form.lead.name {
    case "repeat": return repetition(value, node, scope)
    case "use": return fragmentSteps(value, node, scope)
    default:
      guard let action = action(form, value, resolved, node, scope) else { return [] }
      if case .perform(let call) = action, let node = resolved["keep"] { introduce(call.keeps, at: node) }
      // What a step shows is about reports, not about what it does: hashes do not depend on it.
      let shown = siblings.filter { !StepForm.nestedKeys.contains($0.key) && !["when", "shows"].contains($0.key) }
      return [
        Step(
          action: action, location: lead.keyLocation, usedFrom: scope.usedFrom, turns: scope.turns,
          shows: resolved["shows"].map { shows($0, action, usedFrom: scope.usedFrom) } ?? [],
          sentence: shown.map(\.flowText).joined(separator: ", "))
      ]
    }
  }

  private mutating func action(
    _ form: StepForm, _ value: Node, _ step: Node, _ original: Node, _ scope: Scope
  ) -> Step.Action? {
    switch form.lead.name {
    case "wait":
      return decoder.duration(value, called: "wait").map { .wait($0) }
    case "ask": return question(value).map { .ask($0) }
    case "eventually":
      let pattern = self.pattern(value, called: "eventually", subject: step["as"])
      guard let span = duration("within", step, requiredBy: "eventually"), let pattern else { return nil }
      return .eventually(pattern, within: span)
    case "either":
      let patterns = self.patterns(value, subject: step["as"])
      guard let span = duration("within", step, requiredBy: "either"), !patterns.isEmpty else { return nil }
      return .either(patterns, within: span)
    case "never":
      let pattern = self.pattern(value, called: "never", subject: step["as"])
      guard let span = neverSpan(step, original, scope), let pattern else { return nil }
      return .never(pattern, span)
    default:
      guard let actor = Actor(rawValue: form.lead.name) else { return nil }
      return call(actor, value, step, scope).map { .perform($0) }
    }
  }

  private mutating func question(_ value: Node) -> String? {
    guard let text = value.text, text.contains(where: { !$0.isWhitespace }), text.utf8.count <= 400 else {
      decoder.report(
        value, "`ask` cannot be \(value.kind)", expected: "a question, such as `\"Does the phone show 84 %?\"`")
      return nil
    }
    return text
  }

  // MARK: Shape

  /// The leading key of a step; `nil` when it was reported.
  private mutating func lead(of node: Node) -> (StepForm, Node.Entry)? {
    guard let entries = node.entries, !entries.isEmpty else {
      let actor = node.text.flatMap { text in vocabulary.verbs.first { $0.name == text }?.actor }
      decoder.report(
        node, "a step cannot be \(node.kind)", expected: "an actor and a verb, such as `phone: sync`",
        suggestion: actor.map { "\($0.rawValue): \(node.text ?? "")" })
      return nil
    }
    let leads = entries.compactMap { entry in StepForm.form(entry.key).map { ($0, entry) } }
    if leads.count > 1 {
      decoder.bag.report(
        Diagnostic(
          at: leads[1].1.keyLocation, "one step cannot have both `\(leads[0].1.key)` and `\(leads[1].1.key)`",
          expected: "two steps, each beginning with `- `"))
      return nil
    }
    if let lead = leads.first { return lead }
    let known = vocabulary.leads
    let siblings = Set(StepForm.all.flatMap { $0.siblings.map(\.name) })
    let entry = entries.first { !siblings.contains($0.key) } ?? entries[0]
    let actor = vocabulary.verbs.first { $0.name == entry.key }?.actor
    decoder.bag.report(
      Diagnostic(
        at: entry.keyLocation, "unknown step `\(Wording.shortened(entry.key))`",
        expected: Wording.choices(known),
        suggestion: actor.map { "\($0.rawValue): \(Wording.shortened("{\(entry.flowText)}"))" }
          ?? Spelling.nearest(to: entry.key, among: known)))
    return nil
  }

  private mutating func checkSiblings(_ entries: [Node.Entry], _ form: StepForm) {
    let known = form.siblings.map(\.name)
    for entry in entries where entry.key != form.lead.name && !known.contains(entry.key) {
      decoder.bag.report(
        Diagnostic(
          at: entry.keyLocation, "a step with `\(form.lead.name)` cannot have `\(Wording.shortened(entry.key))`",
          expected: Wording.choices(known), suggestion: Spelling.nearest(to: entry.key, among: known)))
    }
  }

  private mutating func holds(_ node: Node?, _ scope: Scope) -> Bool {
    guard let node else { return true }
    var substitution = Substitution(scope.bindings)
    let holds = Condition.evaluate(node, &substitution, &decoder)
    take(substitution, scope)
    if scope.chain.isEmpty {
      if let index = conditions.firstIndex(where: { $0.location == node.location }) {
        conditions[index].everHeld = conditions[index].everHeld || holds != false
      } else {
        conditions.append(ObservedCondition(location: node.location, everHeld: holds != false))
      }
    }
    return holds ?? decoder.isTrying
  }

  private mutating func duration(_ key: String, _ step: Node, requiredBy lead: String) -> Duration? {
    if let node = step[key] {
      return decoder.duration(node, called: key)
    }
    decoder.report(
      Node(.absent, at: step.location), "`\(lead)` has no `\(key)`",
      expected: "`\(key):` and \(Dimension.duration.sentence)",
      usefulness: .consequence)
    return nil
  }

  // MARK: Steps around steps

  private mutating func repetition(_ value: Node, _ node: Node, _ scope: Scope) -> [Step] {
    let isUnknown = decoder.isTrying && value.content == .refused
    guard let count = isUnknown ? 1 : integer(value, called: "repeat", in: 1...LanguageLimits.steps) else { return [] }
    guard let nested = node["steps"] else {
      decoder.report(value, "`repeat` has no `steps`", expected: "`steps:` in the same step", usefulness: .consequence)
      return []
    }
    guard nested.items?.isEmpty != true else {
      decoder.report(nested, "`repeat` repeats nothing", expected: "at least one step in `steps`")
      return []
    }
    var steps: [Step] = []
    for turn in 1...count where cellBudget >= 0 && fileBudget >= 0 {
      guard turn == 1 || spend(at: node) else { break }
      var inner = scope
      inner.turns.append(turn)
      steps += self.steps(nested, called: "steps", inner)
    }
    return steps
  }

  private mutating func fragmentSteps(_ value: Node, _ node: Node, _ scope: Scope) -> [Step] {
    guard let fragment = fragment(value, scope) else { return [] }
    let inner = self.scope(of: fragment, with: node["with"], at: value, scope)
    guard let nested = fragment.steps else {
      decoder.report(
        value, "the fragment `\(fragment.name)` has no steps",
        expected: "a fragment with steps, or this one in `given:`")
      return []
    }
    return hidingKept { $0.steps(nested, called: "steps", inner) }
  }

  /// A ban while steps run; `nil` where none does, which is reported.
  private mutating func ban(while node: Node, _ scope: Scope) -> Step.NeverSpan? {
    let steps = self.steps(node, called: "while", scope)
    let isBare = node.items?.isEmpty == true
    guard steps.isEmpty, isBare || !(decoder.bag.hasErrors || decoder.isTrying) else { return .during(steps) }
    decoder.report(
      node, "`never` forbids nothing, because no step of `while` runs",
      expected: isBare ? "at least one step" : "`when` on the `never` itself")
    return nil
  }

  private mutating func neverSpan(_ step: Node, _ original: Node, _ scope: Scope) -> Step.NeverSpan? {
    let stated = ["for", "until", "while"].filter { step[$0] != nil }
    guard stated.count == 1 else {
      decoder.report(
        Node(.absent, at: step.location),
        stated.isEmpty ? "`never` has no duration" : "`never` has more than one duration",
        expected: "one of `for: 1 h`, `until: {EVENT}` with `within:`, or `while:` with steps", usefulness: .consequence
      )
      return nil
    }
    if stated[0] != "until", let within = step["within"] {
      decoder.report(within, "`within` belongs to `until`", expected: "`for:` alone")
    }
    switch stated[0] {
    case "for":
      guard let node = step["for"], let span = decoder.duration(node, called: "for") else { return nil }
      guard span > .zero else {
        decoder.report(
          node, "`never` for \(node.kind) forbids nothing", expected: "more than \(Dimension.duration.text(0))")
        return nil
      }
      return .duration(span)
    case "while": return original["while"].flatMap { ban(while: $0, scope) }
    default:
      let pattern = step["until"].flatMap { self.pattern($0, called: "until", subject: step["as"]) }
      guard let span = duration("within", step, requiredBy: "until"), let pattern else { return nil }
      return .until(pattern, within: span)
    }
  }
}
