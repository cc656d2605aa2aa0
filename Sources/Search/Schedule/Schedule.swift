/// What happens in one run of an exploration: the state in which it begins, what is done, and how it ends.
///
/// A schedule is a value. What runs is the scenario that it is written as (``ScheduleText``), so what was found is what
/// the file says.
package struct Schedule: Hashable, Sendable {
  /// One action: a kind with one of its values, both by number.
  package struct Action: Hashable, Sendable {
    /// The number of its ``ActionKind``.
    package var kind: Int
    /// The number of its value.
    package var choice: Int

    package init(kind: Int, choice: Int = 0) {
      self.kind = kind
      self.choice = choice
    }

    /// What is done.
    var declaration: ActionKind { ActionKind.all[kind] }
    /// What stands in the step.
    var step: ActionKind.Choice { declaration.choices[choice] }
  }

  /// The number of the value of each ``SettingKind``.
  package var settings: [Int]
  /// What is done, in order.
  package var actions: [Action]
  /// How many of the steps that put everything in order are kept; `nil` for all.
  package var closing: Int?

  /// A schedule that begins with the simplest settings.
  package init(settings: [Int]? = nil, actions: [Action]) {
    self.settings = settings ?? Array(repeating: 0, count: SettingKind.all.count)
    self.actions = actions
  }

  /// The most actions that a schedule has.
  package static let limit = 24

  /// The people who are in it, the owner first.
  var people: [Person] {
    Person.allCases.filter { person in person == .owner || actions.contains { $0.declaration.person == person } }
  }

  /// Whether the owner's phone begins with keys.
  var isBonded: Bool { setting(.bonded) != nil }

  /// The value of a setting; `nil` where it is left out.
  func setting(_ kind: SettingKind) -> String? {
    SettingKind.all.firstIndex(of: kind).flatMap { kind.choices[settings[$0]] }
  }

  /// Whether an action has one of these beginnings.
  func does(_ beginnings: String...) -> Bool {
    actions.contains { action in beginnings.contains { action.step.step.hasPrefix($0) } }
  }
}
