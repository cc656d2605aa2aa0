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
    // What the owner's phone was asked for last may still wait for what it does.
    if schedule.does("phone: enter-bootloader") { steps.append(Step("phone: disconnect", by: .owner)) }
    // A pairing without an answer ends after half a minute, and what the phone was asked for meanwhile comes then. A
    // stranger's link lasts half a minute, a bootloader without a client a minute.
    if !schedule.actions.isEmpty { steps.append(Step("wait: 150 s")) }
    let pairsAgain = !schedule.isBonded || schedule.does("phone: unpair", "phone: pair", "device: forget-bonds")
    // A press right after another begins its record late, and sounds are compared from the press on.
    let note = pairsAgain ? nil : Self.note(of: schedule)
    steps.append(Step("device: {press: 1 s\(note.map { ", sound: \($0)" } ?? "")}"))
    if Self.fillsTable(schedule) {
      // The press may have taken the last entry: when its phone has everything, a recorder that goes off erases for 40 s.
      steps += [Step("wait: 10 min"), Step("device: {press: 1 s}")]
    }
    if pairsAgain {
      // A phone that is busy does not unpair.
      let unpairing = Step("phone: unpair", "may-fail: true", by: .owner)
      steps += [unpairing, Step("phone: disconnect", by: .owner), unpairing]
      // A recorder that is just going off does not notice a press, and what goes on by itself may last longer than the time in
      // which others may pair. A user tries again then. Where a full table is erased, both tries may be in vain, and it may be
      // going off again at the third.
      for pause in ["6 s", "9 s"] + (Self.fillsTable(schedule) ? ["1 min", "6 s"] : []) {
        steps += [
          Step("wait: \(pause)"), Step("device: {press: 1 s}"),
          // A phone in the background listens seldom.
          Step("phone: connect", "within: 20 s", "may-fail: true", by: .owner),
          Step("phone: pair", "may-fail: true", by: .owner),
        ]
      }
    }
    if Self.fillsTable(schedule), schedule.setting(.timeouts) != nil {
      // A recorder goes off after eight minutes: just now, or before a slow phone has all of 250 records.
      steps += [
        Step("phone: sync", "within: 6 h", "may-fail: true", by: .owner), Step("wait: 1 min"),
        Step("device: {press: 1 s}"),
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
    if let note {
      // Four bits a sample give about 20 dB on speech.
      steps.append(
        Step(
          "phone: {play: newest, sound: \(note)}", "expect: {signal-to-noise: {at-least: 12}}",
          "shows: \(Self.soundRequirement)/sound", by: .owner))
    }
    self.steps = steps
  }
}

extension Closing {
  /// The requirement that the comparison of sounds shows.
  static let soundRequirement = "DEV-5"

  /// The sound that is said into the recorder with the last press, and compared with what the phone plays in the end; `nil`
  /// for none. Only where the last record must be the newest: the clock goes on, there is room, and nothing is removed; and a
  /// recorder that goes off by itself may do so just when it is pressed.
  private static func note(of schedule: Schedule) -> String? {
    let isLastNewest =
      !schedule.does("device: {set-clock", "device: cut-power", "device: {cut-power", "phone: {delete")
      && !fillsTable(schedule) && schedule.setting(.timeouts) == nil
    return isLastNewest ? schedule.setting(.sound) : nil
  }

  /// Whether the recorder may come to its last entry, with which it erases what its phone has.
  private static func fillsTable(_ schedule: Schedule) -> Bool {
    schedule.setting(.records).map { $0.hasPrefix("{count: 25") } ?? false
  }

  /// The requirements that what is kept of the closing of a schedule asserts.
  static func shown(by schedule: Schedule) -> [String] {
    let steps = Closing(of: schedule).steps
    let lines = steps.prefix(schedule.closing ?? steps.count).flatMap(\.lines)
    return [requirement, soundRequirement].filter { id in lines.contains { $0.hasPrefix("shows: \(id)/") } }
  }
}
