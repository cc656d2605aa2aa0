import Text
import YAML

extension CellReader {
  /// A verb with everything that its step says; `nil` when something was reported.
  mutating func call(_ actor: Actor, _ value: Node, _ step: Node, _ scope: Scope) -> VerbCall? {
    guard let (verb, arguments) = takingKept({ $0.verb(actor, value) }) else { return nil }
    verb.needs.forEach { decoder.need($0) }
    let failure = step["fails"].flatMap { self.failure($0, verb) }
    let expectation: Expectation? = takingKept { reader in
      guard let entry = step.entries?.first(where: { $0.key == "expect" }) else { return Expectation.none }
      return reader.expectation(entry.value.standing(at: entry.keyLocation), verb)
    }
    let keeps = step["keep"].map { keepings($0, of: verb, scope) } ?? []
    if let keep = step["keep"], step["fails"] != nil {
      decoder.report(
        keep, "a step cannot have both `keep` and `fails`",
        expected: "only one of them; a verb that fails has no outcome")
    }
    if let expect = step["expect"], step["fails"] != nil {
      decoder.report(
        expect, "a step cannot have both `expect` and `fails`",
        expected: "only one of them; a verb that fails has no outcome")
    }
    if let arguments { checkAwaited(verb, arguments, step) }
    let mayFail = step["may-fail"].map { self.mayFail($0, step, verb) } ?? false
    let stated = step["within"].flatMap { decoder.duration($0, called: "within") }
    if let arguments, let stated { checkLimit(stated, verb, arguments, step) }
    let performer = step["as"].flatMap { person($0, among: [actor], or: "`\(actor.rawValue)` is not called") }
    // A step that depends on something unknown still keeps what it keeps.
    guard arguments != nil && expectation != nil || decoder.isTrying else { return nil }
    return VerbCall(
      declaration: verb, arguments: arguments ?? Arguments(), performer: performer, expectation: expectation ?? .none,
      expectedFailure: failure?.declaration, expectedCode: failure?.code, deadline: stated ?? verb.deadline,
      keeps: keeps,
      statesDeadline: stated != nil, mayFail: mayFail)
  }

  /// Reports what a step says about an outcome for which it does not wait.
  private mutating func checkAwaited(_ verb: VerbDeclaration, _ arguments: Arguments, _ step: Node) {
    guard let field = verb.awaits?.name, arguments.entry(field)?.value == .boolean(false) else { return }
    for key in ["expect", "keep"] {
      guard let node = step[key] else { continue }
      decoder.report(
        node, "`\(verb.name)` has nothing to \(key) with `\(field): false`",
        expected: "no `\(key)`, or `\(field): true`")
    }
  }

  /// Reports a limit that the step must exceed whatever the products do, for which they would be blamed. A step that may
  /// fail can be given up early, and one that must fail can end early.
  private mutating func checkLimit(
    _ limit: Duration, _ verb: VerbDeclaration, _ arguments: Arguments, _ step: Node
  ) {
    guard let field = verb.lasts, let node = step["within"], step["may-fail"] == nil, step["fails"] == nil,
      let span = arguments.entry(field.name)?.value ?? field.defaultValue, limit.encoded?.isLess(than: span) == true
    else { return }
    decoder.report(
      node, "`within` is shorter than `\(verb.name)` itself, which takes \(span)", expected: "\(span) or more")
  }

  /// Whether a step only tries. What it would assert besides is reported.
  private mutating func mayFail(_ node: Node, _ step: Node, _ verb: VerbDeclaration) -> Bool {
    guard case .boolean(let mayFail)? = decoder.value(node, .boolean, called: "may-fail") else { return false }
    for key in ["expect", "fails", "keep"] {
      guard mayFail, let other = step[key] else { continue }
      decoder.report(
        other, "a step that may fail cannot have `\(key)`", expected: "`may-fail` alone; such a step asserts nothing")
    }
    return mayFail
  }

  /// The verb of a step and its fields, which are `nil` when something is wrong with them.
  private mutating func verb(_ actor: Actor, _ node: Node) -> (VerbDeclaration, Arguments?)? {
    let names = vocabulary.verbs(of: actor).map(\.name)
    guard !names.isEmpty else {
      let verb = vocabulary.verbs.first { $0.name == node.text }
      decoder.report(
        node, "`\(actor.rawValue)` has no verbs; only packages of one's own add some",
        expected: "a step with " + Wording.choices(vocabulary.leads),
        suggestion: verb.map { "\($0.actor.rawValue): \($0.name)" })
      return nil
    }
    guard let entries = node.entries, !entries.isEmpty else {
      guard let name = node.text else {
        let message =
          node.content == .absent
          ? "`\(actor.rawValue)` has no verb" : "`\(actor.rawValue)` cannot be \(node.kind)"
        decoder.report(node, message, expected: Wording.choices(names))
        return nil
      }
      guard let verb = vocabulary.verb(name, of: actor) else {
        reportUnknownVerb(name, actor, node)
        return nil
      }
      return (verb, decoder.arguments([], verb.group, called: name, at: node))
    }
    let leads = entries.filter { names.contains($0.key) }
    let lead = names.contains(entries[0].key) ? entries[0] : leads.count == 1 ? leads[0] : nil
    guard let lead, let verb = vocabulary.verb(lead.key, of: actor) else {
      reportUnknownVerb(entries[0].key, actor, Node(.absent, at: entries[0].keyLocation))
      return nil
    }
    let beside = entries.filter { $0.keyLocation != lead.keyLocation }
    return (verb, arguments(of: verb, lead, beside))
  }

  private mutating func reportUnknownVerb(_ name: String, _ actor: Actor, _ node: Node) {
    let names = vocabulary.verbs(of: actor).map(\.name)
    let other = vocabulary.verbs.first { $0.name == name }.map { "\($0.actor.rawValue): \(name)" }
    let shorthand = name.split(separator: " ", maxSplits: 1).map(String.init)
    if shorthand.count == 2, names.contains(shorthand[0]) {
      let value = "\(shorthand[0]): \(shorthand[1])"
      return decoder.report(
        node, "`\(shorthand[0])` needs a colon", expected: "`\(value)` in braces", suggestion: "{\(value)}")
    }
    decoder.report(
      node, "`\(actor.rawValue)` has no verb `\(Wording.shortened(name))`", expected: Wording.choices(names),
      suggestion: Spelling.nearest(to: name, among: names) ?? other)
  }

  /// The fields of a verb: its value is the shorthand or holds fields in braces; others stand beside it.
  private mutating func arguments(
    of verb: VerbDeclaration, _ lead: Node.Entry, _ beside: [Node.Entry]
  ) -> Arguments? {
    var fields = beside
    let shorthand = verb.group.shorthand
    switch lead.value.content {
    case .absent: break
    case .mapping(let inner) where Self.areFields(inner, of: verb):
      for entry in inner {
        if let twice = beside.first(where: { $0.key == entry.key }) {
          decoder.bag.report(
            Diagnostic(
              at: twice.keyLocation, "duplicate field `\(twice.key)`", expected: "every field once",
              notes: [.init(location: entry.keyLocation, message: "first defined here")]))
        }
      }
      fields = inner + beside
    default:
      guard let shorthand else {
        decoder.report(
          lead.value, "`\(verb.name)` takes no value of its own",
          expected: verb.group.fields.isEmpty
            ? "`\(verb.name)` alone" : "its fields: " + Wording.choices(verb.group.fields.map(\.name)))
        return nil
      }
      if let twice = beside.first(where: { $0.key == shorthand.name }) {
        decoder.bag.report(
          Diagnostic(
            at: twice.keyLocation, "the value of `\(verb.name)` already sets `\(shorthand.name)`",
            expected: "only one of them"))
        return nil
      }
      fields = [Node.Entry(key: shorthand.name, keyLocation: lead.keyLocation, value: lead.value)] + beside
    }
    return decoder.arguments(fields, verb.group, called: verb.name, at: Node(.absent, at: lead.keyLocation))
  }

  /// Whether braces after a verb hold its fields rather than a shorthand that is a group itself.
  private static func areFields(_ entries: [Node.Entry], of verb: VerbDeclaration) -> Bool {
    guard case .group? = verb.group.shorthand?.type else { return true }
    return entries.contains { verb.group.field($0.key) != nil }
  }

  /// A failure by its name, or with its code in braces.
  private mutating func failure(
    _ node: Node, _ verb: VerbDeclaration
  ) -> (declaration: FailureDeclaration, code: UInt8?)? {
    let names = verb.failures.map(\.name)
    if let name = node.text, let failure = verb.failures.first(where: { $0.name == name }) { return (failure, nil) }
    if let entry = node.entries?.first, node.entries?.count == 1,
      let failure = verb.failures.first(where: { $0.name == entry.key })
    {
      guard failure.hasCode else {
        decoder.report(entry.value, "`\(failure.name)` comes without a code", expected: "`\(failure.name)` alone")
        return nil
      }
      return integer(entry.value, called: failure.name, in: 0...255).map { (failure, UInt8(clamping: $0)) }
    }
    decoder.report(
      node, "`\(verb.name)` has no failure \(node.kind)",
      expected: names.isEmpty ? "no `fails`; this verb declares no failures" : Wording.choices(names),
      suggestion: node.text.flatMap { Spelling.nearest(to: $0, among: names) })
    return nil
  }

  private mutating func expectation(_ node: Node, _ verb: VerbDeclaration) -> Expectation? {
    guard !verb.results.fields.isEmpty else {
      decoder.report(node, "`\(verb.name)` has no outcome to expect", expected: "no `expect`")
      return nil
    }
    guard node.content != .absent, node.entries?.isEmpty != true else {
      decoder.report(node, "`expect` states nothing", expected: ValueType.group(verb.results).sentence)
      return nil
    }
    return decoder.matchers(node, verb.results, called: "the outcome of \(verb.name)").map { Expectation(matchers: $0) }
  }

  // MARK: Events

  /// An event with what must be true of it, of the one whom `subject` names; `nil` when it was reported.
  mutating func pattern(_ node: Node, called key: String, subject: Node?) -> EventPattern? {
    let names = vocabulary.observations.map(\.name)
    guard
      let entry = node.entries?.first
        ?? node.text.map({ .init(key: $0, keyLocation: node.location, value: Node(.absent, at: node.location)) })
    else {
      decoder.report(node, "`\(key)` cannot be \(node.kind)", expected: "an event: " + Wording.choices(names))
      return nil
    }
    if let second = node.entries?.dropFirst().first {
      decoder.bag.report(
        Diagnostic(
          at: second.keyLocation, "`\(key)` contains two events",
          expected: "one event, with its fields in inner braces"))
      return nil
    }
    guard let observation = vocabulary.observation(entry.key) else {
      decoder.bag.report(
        Diagnostic(
          at: entry.keyLocation, "unknown event `\(Wording.shortened(entry.key))`",
          expected: Wording.choices(names), suggestion: Spelling.nearest(to: entry.key, among: names)))
      return nil
    }
    let name = subject.flatMap {
      person($0, among: observation.subjects, or: "`\(observation.name)` cannot be an event of")
    }
    let value = entry.value.standing(at: entry.keyLocation)
    guard let matchers = takingKept({ $0.decoder.matchers(value, observation.group, called: observation.name) }),
      decoder.areTogether(matchers, called: observation.name)
    else { return nil }
    return EventPattern(declaration: observation, matchers: matchers, subject: name, location: entry.keyLocation)
  }

  /// Somebody's name in `given`; `nil` for a name of nobody who is one of `actors`, which is reported after `problem`.
  private mutating func person(_ node: Node, among actors: [Actor], or problem: String) -> String? {
    let candidates = people.filter { actors.contains($0.actor) }.map(\.name)
    if let name = node.text, candidates.contains(name) || decoder.isTrying { return name }
    let isSomebody = people.contains { $0.name == node.text }
    decoder.report(
      node, "\(problem) \(node.kind)",
      expected: candidates.isEmpty ? "no `as`" : Wording.choices(candidates) + " from `given`",
      suggestion: isSomebody ? nil : node.text.flatMap { ValueDecoder.nearestPerson(to: $0, among: candidates) })
    return nil
  }
}
