import Bytes

/// The JSON Schema (draft 2020-12) of scenario and fragment files, for completion and checks in editors.
///
/// It accepts everything that the language accepts. It is looser where a schema cannot look around: names from
/// `given`, fragments and `$names` are only checked by `lint`.
extension Vocabulary {
  /// The schema as indented JSON text.
  public var jsonSchema: String { schema.indentedText }

  private var schema: JSONValue {
    .object([
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("DictoBench scenario or fragment")), ("type", .string("object")),
      ("if", .object([("required", .strings(["fragment"]))])), ("then", Self.reference("fragment")),
      ("else", Self.reference("scenario")), ("$defs", .object(definitions)),
    ])
  }

  private var definitions: [(String, JSONValue)] {
    [("scenario", scenarioSchema), ("fragment", fragmentSchema), ("given", givenSchema)]
      + [("steps", .object([("type", .string("array")), ("items", Self.reference("step"))])), ("step", stepSchema)]
      + [("event", eventSchema), ("variable", Self.variable), ("value", Self.anyScalar)]
      + Dimension.allCases.map { (Self.name(of: $0), Self.schema(of: $0)) }
      + Self.commonTypes.map { (Self.comparisonName(of: $0), Self.comparisons(of: $0)) }
  }

  // MARK: Files

  private var scenarioSchema: JSONValue {
    let ids = requirements.isEmpty ? Self.text : .object([("enum", .strings(requirements))])
    let types: [String: JSONValue] = [
      "verifies": Self.oneOrMany(ids), "tags": Self.oneOrMany(Self.tag), "needs": needsSchema,
      "matrix": .object([("type", .strings(["object", "array"]))]),
      "fragments": Self.object([], more: Self.object(fragmentProperties(named: false))),
      "given": Self.reference("given"), "steps": Self.reference("steps"), "always": Self.reference("steps"),
      // The keys of the file are the same in every cell: no `$name` is replaced in them.
      "timeout": Self.written(.duration),
      "id": .object([("type", .strings(["string", "integer"])), ("pattern", .string("^[a-z0-9]+(-[a-z0-9]+)*$"))]),
    ]
    let properties = Keyword.scenario.map { ($0.name, types[$0.name] ?? Self.text, $0.documentation) }
    return Self.object(properties, required: ["scenario", "id", "steps"])
  }

  private var fragmentSchema: JSONValue { Self.object(fragmentProperties(named: true), required: ["fragment"]) }

  private func fragmentProperties(named: Bool) -> [(String, JSONValue, String)] {
    let types: [String: JSONValue] = [
      "parameters": .object([("type", .strings(["object", "array"]))]), "given": Self.reference("given"),
      "steps": Self.reference("steps"),
    ]
    let keywords = Keyword.fragment.filter { named || $0.name != "fragment" }
    return keywords.map { ($0.name, types[$0.name] ?? Self.text, $0.documentation) }
  }

  private var needsSchema: JSONValue {
    var categories: [(String, JSONValue, String)] = []
    for capability in capabilities where !categories.contains(where: { $0.0 == capability.category.rawValue }) {
      let names = capabilities.filter { $0.category == capability.category }.map(\.name)
      categories.append((capability.category.rawValue, Self.oneOrMany(.object([("enum", .strings(names))])), ""))
    }
    return Self.object(categories)
  }

  private var givenSchema: JSONValue {
    let sections = given.flatMap { section -> [(String, JSONValue, String)] in
      let single = (section.name, Self.any([Self.schema(of: .group(section.group)), Self.null]), section.summary)
      guard let plural = section.plural else { return [single] }
      let own = [
        ("name", Self.text, "The name for `as`."), ("count", Self.schema(of: .integer), "How many of them."),
      ]
      let item = Self.object(own + Self.properties(section.group))
      let list = JSONValue.object([("type", .string("array")), ("items", item)])
      return [single, (plural, Self.any([list, Self.schema(of: .integer)]), "Several of `\(section.name)`.")]
    }
    let use = [
      ("use", Self.text, "A fragment whose `given` supplies values that are not stated here."),
      ("with", Self.values, "Its parameters."),
    ]
    let one = Self.object(sections + use)
    return Self.any([one, .object([("type", .string("array")), ("items", one)])])
  }

  // MARK: Steps

  private var stepSchema: JSONValue {
    let own = StepForm.all.filter { Actor(rawValue: $0.lead.name) == nil }
    return Self.any(verbs.map(verbStep) + own.map(step))
  }

  private func verbStep(_ verb: VerbDeclaration) -> JSONValue {
    guard let form = StepForm.form(verb.actor.rawValue) else { preconditionFailure("every actor has a form") }
    let failures = Self.failures(of: verb)
    let types = [
      "expect": Self.matchers(verb.results), "fails": failures, "within": Self.reference(Self.name(of: .duration)),
      "shows": showsSchema, "keep": Self.keeping(verb.results),
      "may-fail": Self.schema(of: .boolean),
    ]
    let siblings = form.siblings.filter {
      !(["expect", "keep"].contains($0.name) && verb.results.fields.isEmpty)
        && !($0.name == "fails" && verb.failures.isEmpty)
    }
    return Self.object(
      [(verb.actor.rawValue, Self.call(of: verb), verb.summary)]
        + siblings.map { ($0.name, types[$0.name] ?? Self.text, $0.documentation) },
      required: [verb.actor.rawValue])
  }

  /// The name of a failure, or an object with its code.
  private static func failures(of verb: VerbDeclaration) -> JSONValue {
    let names = JSONValue.object([("enum", .strings(verb.failures.map(\.name)))])
    let variable = reference("variable")
    let code = any([integer(0, 255), variable])
    let coded = verb.failures.filter(\.hasCode)
    return any([names, variable] + coded.map { object([($0.name, code, $0.documentation)], required: [$0.name]) })
  }

  private var showsSchema: JSONValue {
    let references = showable.flatMap(\.references)
    guard !references.isEmpty else { return Self.oneOrMany(Self.text) }
    return Self.oneOrMany(Self.any([.object([("enum", .strings(references))]), Self.reference("variable")]))
  }

  private static func call(of verb: VerbDeclaration) -> JSONValue {
    let required = verb.group.fields.filter(\.isRequired).map(\.name)
    let shorthand = verb.group.shorthand
    let inner = object(properties(verb.group), required: required)
    let value = any([schema(of: shorthand), inner, null].compactMap { $0 })
    let beside = object([(verb.name, value, verb.summary)] + properties(verb.group), required: [verb.name])
    return required.isEmpty ? any([.object([("const", .string(verb.name))]), reference("variable"), beside]) : beside
  }

  private func step(_ form: StepForm) -> JSONValue {
    let duration = Self.reference(Self.name(of: .duration))
    let types: [String: JSONValue] = [
      "wait": duration, "within": duration, "for": duration, "eventually": Self.reference("event"),
      "either": .object([
        ("type", .string("array")), ("minItems", .integer(2)), ("items", Self.reference("event")),
      ]),
      "never": Self.reference("event"), "until": Self.reference("event"), "while": Self.reference("steps"),
      "steps": Self.reference("steps"), "repeat": Self.schema(of: .integer), "with": Self.values,
      "shows": showsSchema,
    ]
    let required =
      ["eventually", "either"].contains(form.lead.name) ? ["within"] : form.lead.name == "repeat" ? ["steps"] : []
    return Self.object(
      ([form.lead] + form.siblings).map { ($0.name, types[$0.name] ?? Self.text, $0.documentation) },
      required: [form.lead.name] + required)
  }

  private var eventSchema: JSONValue {
    let alone = Self.any([.object([("enum", .strings(observations.map(\.name)))]), Self.reference("variable")])
    let properties = observations.map { ($0.name, Self.any([Self.matchers($0.group), Self.null]), $0.summary) }
    guard case .object(let members) = Self.object(properties) else { return alone }
    return Self.any([alone, .object(members + [("minProperties", .integer(1)), ("maxProperties", .integer(1))])])
  }
}
