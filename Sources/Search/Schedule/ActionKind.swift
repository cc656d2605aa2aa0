/// One thing that can be done in a schedule, with the values that it can have.
package struct ActionKind: Hashable, Sendable {
  /// What stands in a scenario's step.
  package struct Choice: Hashable, Sendable {
    /// The step's first line, without its dash, such as `device: {press: 1 s}`.
    package let step: String
    /// How long the step lasts at most; what the phone began goes on after it. `nil` for the verb's own limit.
    package let limit: String?
    /// Whether phone or recorder is at work on it after the step.
    let goesOn: Bool

    init(_ step: String, within limit: String? = nil, goesOn: Bool = false) {
      self.step = step
      self.limit = limit
      self.goesOn = goesOn || limit != nil
    }
  }

  /// What it is, as a noun for sentences: `press of the button`.
  package let noun: String
  /// The group in which runs switch it on and off.
  package let perturbation: Perturbation
  /// Who does it with a phone; `nil` for what happens to the recorder or the air.
  package let person: Person?
  /// Its values, the simplest first.
  package let choices: [Choice]

  init(_ noun: String, _ perturbation: Perturbation, by person: Person? = nil, _ choices: [Choice]) {
    self.noun = noun
    self.perturbation = perturbation
    self.person = person
    self.choices = choices
  }

  init(_ noun: String, _ perturbation: Perturbation, by person: Person? = nil, _ steps: String...) {
    self.init(noun, perturbation, by: person, steps.map { Choice($0) })
  }

  /// The numbers of the values whose work goes on after the step, and can be interrupted.
  var unfinished: [Int] { choices.indices.filter { choices[$0].goesOn } }

  /// Whether it comes between a phone and what the phone is at work on.
  var interrupts: Bool {
    switch perturbation {
    case .power, .air, .restart, .requests: true
    case .application: choices[0].step == "phone: disconnect"
    case .button, .battery, .clock, .keys, .partner, .stranger, .time: false
    }
  }
}

extension ActionKind {
  /// Everything that a schedule can contain. The place of a kind in this list is its number.
  package static let all =
    ofTime + ofButton + ofPower + ofBattery + ofAir + ofClock + ofApplication + ofKeys + ofPartner + ofStranger
    + ofRequests

  /// The number of the kind by which the owner's phone connects.
  static let connection = all.firstIndex { $0.person == .owner && $0.choices[0].step == "phone: connect" } ?? 0

  private static let ofTime = [
    ActionKind(
      "pause", .time,
      [
        "1 s", "10 ms", "30 ms", "100 ms", "200 ms", "500 ms", "2 s", "4 s", "8 s", "20 s", "35 s", "70 s",
      ].map { Choice("wait: \($0)") })
  ]

  private static let ofButton = [
    ActionKind(
      "press of the button", .button,
      ["1 s", "100 ms", "300 ms", "3 s", "10 s"].map { Choice("device: {press: \($0)}") }),
    ActionKind("finger on the button", .button, "device: hold"),
    ActionKind("finger off the button", .button, "device: release"),
  ]

  private static let ofPower = [
    ActionKind("power cut", .power, "device: cut-power"),
    ActionKind(
      "power cut in a write", .power, [0, 1, 2, 5, 30, 61, 62].map { Choice("device: {cut-power: \($0)}") }),
    ActionKind("supply from outside", .power, "device: power-on"),
  ]

  private static let ofBattery = [
    ActionKind(
      "change of the battery", .battery,
      ["3 V", "3.05 V", "3.2 V", "3.5 V", "4.1 V"].map { Choice("device: {battery: \($0)}") })
  ]

  private static let ofAir = [
    ActionKind("loss", .air, "air: {lose: 30 %}", "air: {lose: 70 %}", "air: {lose: 50 %, direction: to-phone}"),
    ActionKind("bursts of loss", .air, "air: {lose-in-bursts: 2 %, end: 10 %}"),
    ActionKind(
      "blackout", .air,
      [
        "5 s", "300 ms", "1 s", "3 s", "5 s, after: 100 ms", "5 s, after: 500 ms", "5 s, after: 1 s", "5 s, after: 2 s",
        "5 s, after: 4 s", "12 s, after: 3 s",
      ].map { Choice("air: {black-out: \($0)}") }),
    ActionKind("interference", .air, "air: {interfere: {every: 20 ms, for: 10 ms}}"),
    ActionKind("change of distance", .air, "air: {distance: 100 m}", "air: {distance: 20 m}", "air: {distance: 1 m}"),
    ActionKind("clean air", .air, "air: mend"),
  ]

  private static let ofClock = [
    ActionKind(
      "change of the recorder's clock", .clock, "device: {set-clock: {forward: 1 h}}",
      "device: {set-clock: {back: 1 h}}",
      "device: {set-clock: \"2024-12-31 23:59:58\"}", "device: {set-clock: \"2024-02-29 23:59:58\"}"),
    ActionKind("drift", .clock, "device: {drift: 50 ppm}", "device: {drift: -50 ppm}"),
  ]

  /// What users do as long as they have patience for it: a step that is cut short leaves the phone at work.
  private static func used(_ step: String) -> [Choice] {
    [Choice("phone: \(step)")] + ["300 ms", "1 s", "2 s", "5 s"].map { Choice("phone: \(step)", within: $0) }
  }

  private static let ofApplication = [
    ActionKind("connection", .application, by: .owner, used("connect")),
    ActionKind("disconnection", .application, by: .owner, "phone: disconnect"),
    ActionKind("sync", .application, by: .owner, used("sync")),
    ActionKind("sync without an end", .application, by: .owner, used("{sync: {finish: false}}")),
    ActionKind("list", .application, by: .owner, used("list")),
    ActionKind(
      "question for a record's size", .application, by: .owner, "phone: {inform: newest}", "phone: {inform: oldest}"),
    ActionKind("playing of a record", .application, by: .owner, used("{play: newest}") + used("{play: oldest}")),
    ActionKind("removal", .application, by: .owner, "phone: {delete: newest}", "phone: {delete: oldest}"),
    ActionKind("look at the battery", .application, by: .owner, used("read-battery")),
    ActionKind("change of places", .application, by: .owner, "phone: {show: background}", "phone: {show: foreground}"),
    ActionKind("restart of the phone", .restart, by: .owner, "phone: restart"),
  ]

  private static let ofKeys = [
    ActionKind("pairing", .keys, by: .owner, used("pair")),
    ActionKind("unpairing", .keys, by: .owner, used("unpair")),
    ActionKind("loss of the recorder's keys", .keys, "device: forget-bonds"),
  ]

  private static let ofPartner = [
    ActionKind("connection of the other owner", .partner, by: .partner, used("connect")),
    ActionKind("sync of the other owner", .partner, by: .partner, used("sync")),
    ActionKind("unpairing of the other owner", .partner, by: .partner, used("unpair")),
    ActionKind("disconnection of the other owner", .partner, by: .partner, "phone: disconnect"),
    ActionKind("restart of the other phone", .partner, by: .partner, "phone: restart"),
  ]

  /// Handle 3 is the GAP device name.
  private static let ofStranger = [
    ActionKind("connection of a stranger", .stranger, by: .stranger, used("connect")),
    ActionKind("pairing of a stranger", .stranger, by: .stranger, used("pair")),
    ActionKind("list for a stranger", .stranger, by: .stranger, used("list")),
    ActionKind(
      "name from a stranger", .stranger, by: .stranger, "phone: {write-attribute: {handle: 3, value: \"45 76 65\"}}"),
    ActionKind("bootloader for a stranger", .stranger, by: .stranger, used("enter-bootloader")),
    ActionKind("disconnection of a stranger", .stranger, by: .stranger, "phone: disconnect"),
  ]

  /// The request for the newest of the records that a recorder begins with, which it made a minute before the run.
  private static let givenRecord = "03 30 30 30 30 32 34 30 31 30 31 31 31 35 39 30 30"

  private static func written(_ octets: String, goesOn: Bool = false) -> Choice {
    Choice("phone: {write-control-point: \"\(octets)\"}", goesOn: goesOn)
  }

  private static let ofRequests = [
    ActionKind(
      "request out of turn", .requests, by: .owner,
      ["01", givenRecord].map { written($0, goesOn: true) }
        + ["04", "06", "05", "FF", "", "02", "03", "03 00 00 00 00 00 00 00 00"].map { written($0) }),
    ActionKind("start of the bootloader", .requests, by: .owner, used("enter-bootloader")),
  ]
}
