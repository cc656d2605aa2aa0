/// The words of the language itself, for reading, schema, help and reference alike.
struct Keyword: Hashable {
  /// The key as it is written.
  let name: String
  /// Its meaning in one sentence.
  let documentation: String

  init(_ name: String, _ documentation: String) {
    self.name = name
    self.documentation = documentation
  }

  /// The keys of a scenario file.
  static let scenario = [
    Keyword("scenario", "One sentence that is true when the scenario passes."),
    Keyword("id", "The unique, stable name: small letters, digits and hyphens."),
    Keyword("description", "More about it, for readers."),
    Keyword("verifies", "The requirements that the scenario is about; its steps say with `shows` what shows them."),
    Keyword("tags", "Words by which runs select scenarios."),
    Keyword("needs", "Capabilities that a target must have, by category."),
    Keyword("matrix", "Variables with their values; the scenario runs once for each combination."),
    Keyword("fragments", "Named steps for this file only."),
    Keyword("given", "The state of the world before the first step."),
    Keyword("steps", "The steps, in order."),
    Keyword("always", "Steps that run at the end, whether or not the others passed."),
    Keyword("timeout", "Time limit for the whole scenario."),
  ]

  /// The keys of a fragment.
  static let fragment = [
    Keyword("fragment", "The name after `use:`."),
    Keyword("description", "What it is for, for readers."),
    Keyword("parameters", "Names that `with:` may set: a list, or a mapping with their defaults."),
    Keyword("given", "Fields that it adds to `given`."),
    Keyword("steps", "The steps, in order."),
  ]
}

/// One form of a step: the key that leads it and those that may stand beside it.
struct StepForm: Hashable {
  /// The leading key.
  let lead: Keyword
  /// What stands beside it.
  let siblings: [Keyword]

  private static let when = Keyword("when", "Runs the step only if this comparison is true, as in `$records > 7`.")
  private static let performer = Keyword("as", "Which of several phones or recorders, by its name in `given`.")
  private static let whose = Keyword("as", "Whose event, by the name in `given`; anyone's unless stated.")

  private static let shows = Keyword(
    "shows", "The clauses of requirements that this assertion shows if it holds, and violates if not.")

  /// Every form, the actors first.
  static let all: [StepForm] =
    Actor.allCases.map { actor in
      let siblings = [
        Keyword("expect", "Expected values of the outcome."),
        Keyword("fails", "The expected failure, in braces with its error code where that matters."),
        Keyword("may-fail", "`true` where the step only tries: whether it succeeds decides nothing."),
        Keyword("keep", "Names for fields of the outcome; later steps write `$NAME` for what was found."),
        Keyword("within", "Time limit for the step."), shows, performer, when,
      ]
      return StepForm(
        lead: Keyword(actor.rawValue, "A verb of \(actor.documentation)."), siblings: siblings)
    } + [
      StepForm(
        lead: Keyword("eventually", "Waits for an event."),
        siblings: [Keyword("within", "Time limit; required."), shows, whose, when]),
      StepForm(
        lead: Keyword("either", "Waits for the first of several events, given as a list."),
        siblings: [Keyword("within", "Time limit; required."), shows, whose, when]),
      StepForm(
        lead: Keyword("never", "Fails as soon as an event happens."),
        siblings: [
          Keyword("for", "For this time, from now on."), Keyword("until", "Until this event happens."),
          Keyword("within", "Time limit for the event of `until`."),
          Keyword("while", "While these steps run."), shows, whose, when,
        ]),
      StepForm(lead: Keyword("wait", "Waits for a time."), siblings: [when]),
      StepForm(
        lead: Keyword("ask", "Asks a person who sees the phone; any answer but yes is a failure of the application."),
        siblings: [shows, when]),
      StepForm(
        lead: Keyword("repeat", "Repeats steps."),
        siblings: [Keyword("steps", "The steps to repeat."), when]),
      StepForm(
        lead: Keyword("use", "Runs the steps of a fragment."),
        siblings: [Keyword("with", "The fragment's parameters."), when]),
    ]

  /// The forms as they are documented: the actors share one entry.
  static var documented: [StepForm] {
    let actors = all.prefix(Actor.allCases.count).map(\.lead.name).joined(separator: ", ")
    let lead = Keyword(actors, "An actor with one of its verbs; the bench has only those of packages of one's own.")
    return [StepForm(lead: lead, siblings: all[0].siblings)] + all.dropFirst(Actor.allCases.count)
  }

  /// The form with this leading key, or `nil`.
  static func form(_ name: String) -> StepForm? { all.first { $0.lead.name == name } }

  /// Keys whose steps are resolved by themselves, with bindings of their own.
  static let nestedKeys = ["steps", "while"]
}

extension Vocabulary {
  /// The actors that have a verb, in the order of the reference.
  var actors: [Actor] { Actor.allCases.filter { !verbs(of: $0).isEmpty } }

  /// The keys that lead a step, without those of actors that have no verb.
  var leads: [String] {
    StepForm.all.map(\.lead.name).filter { name in Actor(rawValue: name).map { actors.contains($0) } ?? true }
  }
}
