/// The steps that end a schedule: everything is put in order, and then what is owed must arrive.
///
/// Whatever was done before, a user who holds a recorder with power beside a phone in clean air, and presses its button,
/// is owed every record.
struct Closing {
  /// One step, with the lines that follow its first.
  struct Step: Hashable {
    let lines: [String]
    /// Whose phone it is about; `nil` for no phone.
    let person: Person?

    init(_ lines: String..., by person: Person? = nil) {
      self.lines = lines
      self.person = person
    }
  }

  /// The steps, in order.
  let steps: [Step]

  /// The requirement that the assertions show.
  static let requirement = "APP-1.2"

  /// What ends a schedule, so far as its actions make it necessary.
  init(of schedule: Schedule) {
    var steps: [Step] = []
    if schedule.does("device: hold") { steps.append(Step("device: release")) }
    if schedule.does("air: {lose", "air: {black-out", "air: {interfere") { steps.append(Step("air: mend")) }
    if schedule.does("air: {distance") { steps.append(Step("air: {distance: 1 m}")) }
    if schedule.does("device: {battery") { steps.append(Step("device: {battery: 4.1 V}")) }
    if schedule.does("device: {cut-power") {
      steps.append(Step("device: {cut-power: 1000000}   # what was to come is put off for ever"))
    }
    for person in schedule.people.dropFirst() { steps.append(Step("phone: disconnect", by: person)) }
    // A pairing without an answer ends after half a minute, and what the phone was asked for meanwhile comes then. A
    // stranger's link lasts half a minute, a bootloader without a client a minute.
    if !schedule.actions.isEmpty { steps.append(Step("wait: 150 s")) }
    steps.append(Step("device: {press: 1 s}"))
    if !schedule.isBonded || schedule.does("phone: unpair", "phone: pair", "device: forget-bonds") {
      steps += [
        Step("phone: unpair", "may-fail: true", by: .owner), Step("phone: disconnect", by: .owner),
        // A sync that went on by itself may have lasted longer than the time in which others may pair.
        Step("device: {press: 1 s}"),
        // A phone in the background listens seldom.
        Step("phone: connect", "within: 20 s", "may-fail: true", by: .owner),
        Step("phone: pair", "may-fail: true", by: .owner),
      ]
    }
    steps.append(Step("phone: sync", "within: 6 h", "shows: \(Self.requirement)/every", by: .owner))
    // A record that the user removed stays removed.
    if !schedule.does("phone: {delete") {
      steps += [
        Step("device: inspect", "keep: {stored: records}"),
        Step(
          "phone: library", "expect: {identical: $stored}", "shows: \(Self.requirement)/every", by: .owner),
      ]
    }
    self.steps = steps
  }
}

extension Closing {
  /// Whether what is kept of the closing of a schedule asserts something.
  static func shows(_ schedule: Schedule) -> Bool {
    let steps = Closing(of: schedule).steps
    return steps.prefix(schedule.closing ?? steps.count).contains { $0.lines.contains { $0.hasPrefix("shows:") } }
  }
}
