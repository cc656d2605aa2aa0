/// The words of the language itself, for reading, schema, help and reference alike.
struct Keyword: Hashable {
  /// The key as it is written.
  let name: String
  /// One sentence on what it means.
  let documentation: String

  init(_ name: String, _ documentation: String) {
    self.name = name
    self.documentation = documentation
  }

  /// The keys of a scenario file.
  static let scenario = [
    Keyword("scenario", "What is true when the scenario passes, as a sentence."),
    Keyword("id", "The unique, stable name: small letters, digits and hyphens."),
    Keyword("description", "More about it, for readers."),
    Keyword("verifies", "The requirements that a pass is evidence for."),
    Keyword("tags", "Words for selection."),
    Keyword("needs", "Capabilities that a target must have, by category."),
    Keyword("matrix", "Variables with their values; the scenario runs once for each combination."),
    Keyword("fragments", "Steps under a name, for this file alone."),
    Keyword("given", "The world before the first step."),
    Keyword("steps", "What happens, in order."),
    Keyword("always", "What happens afterwards, whatever came before."),
    Keyword("timeout", "How long the whole may take."),
  ]

  /// The keys of a fragment.
  static let fragment = [
    Keyword("fragment", "The name after `use:`."),
    Keyword("description", "What it is for, for readers."),
    Keyword("parameters", "Names that `with:` may set: a list, or a mapping with their defaults."),
    Keyword("given", "What it adds to the world before the first step."),
    Keyword("steps", "What happens, in order."),
  ]
}

/// One form of a step: the key that leads it and those that may stand beside it.
struct StepForm: Hashable {
  /// The leading key.
  let lead: Keyword
  /// What stands beside it.
  let siblings: [Keyword]

  private static let when = Keyword("when", "Performs the step only if this comparison holds, as in `$records > 7`.")
  private static let performer = Keyword("as", "Which of several phones or recorders, by its name in `given`.")
  private static let whose = Keyword("as", "Whose event, by the name in `given`; anybody's unless stated.")

  /// Every form, the actors first.
  static let all: [StepForm] =
    Actor.allCases.map { actor in
      let siblings = [
        Keyword("expect", "What must be true of the outcome."),
        Keyword("fails", "The failure that must happen instead of success."),
        Keyword("within", "How long it may take."), performer, when,
      ]
      return StepForm(
        lead: Keyword(actor.rawValue, "A verb of \(actor.documentation)."), siblings: siblings)
    } + [
      StepForm(
        lead: Keyword("eventually", "Waits until an event has happened."),
        siblings: [Keyword("within", "Fails when it has not happened by then; required."), whose, when]),
      StepForm(
        lead: Keyword("never", "Fails as soon as an event happens."),
        siblings: [
          Keyword("for", "For so long from now on."), Keyword("until", "Until this event has happened."),
          Keyword("within", "By when the event of `until` must have happened."),
          Keyword("while", "While these steps are performed."), whose, when,
        ]),
      StepForm(lead: Keyword("wait", "Lets time pass."), siblings: [when]),
      StepForm(
        lead: Keyword("ask", "Asks whoever sees the phone; anything but yes is a failure of the application."),
        siblings: [when]),
      StepForm(
        lead: Keyword("repeat", "Performs steps several times."),
        siblings: [Keyword("steps", "The steps that are repeated."), when]),
      StepForm(
        lead: Keyword("use", "Performs the steps of a fragment."),
        siblings: [Keyword("with", "The fragment's parameters."), when]),
    ]

  /// The forms as they are documented: the actors share one entry.
  static var documented: [StepForm] {
    let actors = all.prefix(Actor.allCases.count).map(\.lead.name).joined(separator: ", ")
    let lead = Keyword(actors, "An actor with one of its verbs.")
    return [StepForm(lead: lead, siblings: all[0].siblings)] + all.dropFirst(Actor.allCases.count)
  }

  /// The form with this leading key, or `nil`.
  static func form(_ name: String) -> StepForm? { all.first { $0.lead.name == name } }

  /// Keys whose steps are resolved by themselves, with bindings of their own.
  static let nestedKeys = ["steps", "while"]
}
