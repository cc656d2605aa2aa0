import Bytes
import DictofunProtocol
import HCI
import Testing
import Timeline
import Trace
import Verdicts

@testable import Requirements

/// What looks like a broken promise and is none, each beside what is one.
@Suite struct RecorderFairness {
  typealias Event = (after: Int, TraceSource, Happening)

  struct Case: CustomTestStringConvertible {
    let monitor: any Monitor.Type
    let outcome: String
    let what: String
    /// What happens, each this number of milliseconds after the one before.
    let events: [Event]
    var testDescription: String { "\(monitor) \(outcome): \(what)" }

    init(_ monitor: any Monitor.Type, _ outcome: String, _ what: String, _ events: [Event]) {
      self.monitor = monitor
      self.outcome = outcome
      self.what = what
      self.events = events
    }
  }

  private static let peer = BluetoothAddress(0xC0FF_EE00_0001, .random)
  private static let up = Happening.linkUp(
    role: .peripheral, LELinkParameters(intervalUnits: 24, latency: 0, supervisionTimeoutUnits: 400))
  private static let down = Happening.linkDown(.connectionTerminatedByLocalHost)

  private static func world(_ after: Int, _ oracle: OracleEvent) -> Event { (after, .world, .oracle(oracle)) }
  private static func voltage(_ after: Int, _ millivolts: Int) -> Event {
    world(after, .batteryVoltage(recorder: 0, millivolts: millivolts))
  }

  /// A phone that knows 96 %, and is told 48 %.
  private static let told: [Event] = [
    voltage(0, 3700), (10, .recorder(), up), (10, .recorder(), .batteryRead(96)),
    (10, .recorder(), .batterySubscribed(true)), voltage(900, 3320), (9000, .recorder(), .batteryNotified(48)),
  ]

  static let battery: [Case] = [
    Case(
      BatteryIsTold.self, "shown", "a level that comes back while the phone does not listen",
      told + [
        (10, .recorder(), .batterySubscribed(false)), voltage(900, 3375), voltage(30_000, 3320),
        (10, .recorder(), .batterySubscribed(true)), (9000, .recorder(), .batteryNotified(48)),
      ]),
    Case(
      BatteryIsTold.self, "shown", "a level that comes back and was not told in between",
      told + [voltage(900, 3375), voltage(900, 3320), (9000, .recorder(), .batteryNotified(48))]),
    Case(BatteryIsTold.self, "violated", "a level that stays", told + [(9000, .recorder(), .batteryNotified(48))]),
  ]

  private static func informed(_ source: TraceSource, _ size: UInt32) -> Event {
    (9, source, .fileTransfer(.informed(identifier(1), size: size)))
  }
  private static let recorded = world(9, .recordFinished(recorder: 0, identifier(1), octets: 23_552))

  static let lengths: [Case] = [
    Case(
      LengthAsAnnounced.self, "notExercised", "a record of the same name on another recorder",
      [recorded, informed(.recorder(1), 8_000), informed(.phone(), 8_000)]),
    Case(
      LengthAsAnnounced.self, "violated", "another length than was recorded",
      [recorded, informed(.recorder(), 8_000), informed(.phone(), 8_000)]),
  ]

  private static let noon = CivilTime("2024-01-01 12:00:00")!
  private static let lastSecond = CivilTime.ofRecorders.upperBound
  private static func begun(_ name: CivilTime, clock: CivilTime, held: [Int] = []) -> Event {
    world(9, .recordBegun(recorder: 0, RecordIdentifier(name), clock: clock, held: held.map(identifier)))
  }

  static let names: [Case] = [
    Case(
      IdentifiersTrue.self, "shown", "the second after those of the records that it had",
      [begun(noon.adding(seconds: 3), clock: noon, held: [0, 1, 2])]),
    Case(
      IdentifiersTrue.self, "violated", "a second that is not the next free one",
      [begun(noon.adding(seconds: 4), clock: noon, held: [0, 1, 2])]),
    Case(
      IdentifiersTrue.self, "shown", "the first seconds after 2099",
      [begun(lastSecond, clock: lastSecond)]
        + [1, 2].map { begun(lastSecond.adding(seconds: $0).onRecorder, clock: lastSecond) }),
    Case(
      IdentifiersTrue.self, "violated", "a year ahead", [begun(noon.adding(seconds: 86_400 * 366), clock: noon)]),
    Case(
      ClockBetweenMeetings.self, "shown", "a clock that went from 2099 to 2000",
      [
        (0, .recorder(), up), (9, .recorder(), .timeServed(lastSecond)),
        world(10_000, .recordBegun(recorder: 0, identifier(1), clock: CivilTime(secondsSince2000: 9))),
      ]),
  ]

  private static let open = [world(0, .buttonPressed(recorder: 0)), world(900, .buttonReleased(recorder: 0))]
  private static func pairs(_ after: Int, in milliseconds: Int) -> [Event] {
    [
      (after, .recorder(), .pairingStarted), world(milliseconds, .bondMade(recorder: 0, peer, others: 1)),
    ]
  }

  static let pairing: [Case] = [
    Case(
      PairsWhenItsOwnerWants.self, "shown", "a slow pairing that began in time", open + pairs(28_000, in: 5_000)),
    Case(PairsWhenItsOwnerWants.self, "violated", "a pairing that began late", open + pairs(32_000, in: 1_000)),
    Case(
      PairsWhenItsOwnerWants.self, "violated", "a late pairing after one that failed",
      open + [(9_000, .recorder(), .pairingStarted), (9, .recorder(), .pairingFailed(reason: 8))]
        + pairs(24_000, in: 1_000)),
  ]

  /// A phone that lost its first link to a bootloader.
  private static let lost: [Event] = [
    world(0, .update(.begun(phone: 0, version: 2, isAsked: true))), (9, .phone(), up),
    (9, .phone(), .firmwareUpdate(.bootloaderKnown(remembered: false))), (9, .phone(), down),
  ]
  private static func refuses(afterSubscribing isSubscribed: Bool) -> [Event] {
    [
      (0, .phone(), up), (9, .phone(), .firmwareUpdate(.subscribed(isSubscribed))),
      (9, .phone(), .firmwareUpdate(.requestRefused(attributeError: 0xFD))),
    ]
  }

  static let updates: [Case] = [
    Case(
      UpdateIsPursued.self, "notExercised", "ended by the user",
      lost + [world(9, .update(.ended(phone: 0, .unknown, byUser: true)))]),
    Case(
      UpdateIsPursued.self, "violated", "given up",
      lost + [world(9, .update(.ended(phone: 0, .unknown)))]),
    Case(
      UpdateProtocol.self, "notExercised", "a refusal for want of notifications that are on",
      refuses(afterSubscribing: true)),
    Case(
      UpdateProtocol.self, "violated", "a refusal for want of notifications that are off",
      refuses(afterSubscribing: false)),
  ]

  private static func restart(_ meanwhile: [OracleEvent], records: Int, bonds: Int) -> [Event] {
    [
      world(0, .update(.bootloaderStarted(recorder: 0))),
      world(0, .update(.possessions(recorder: 0, records: 1, digest: 7, bonds: 1))),
    ] + meanwhile.map { world(9, $0) } + [
      world(9_000, .update(.firmwareStarted(recorder: 0, version: 1, isWhole: true))),
      world(0, .update(.possessions(recorder: 0, records: records, digest: UInt64(records * 7), bonds: bonds))),
    ]
  }

  static let possessions: [Case] = [
    Case(
      SurvivesUpdates.self, "shown", "bonds that were deleted by hand",
      restart([.bondsForgottenByHand(recorder: 0)], records: 1, bonds: 0)),
    Case(
      SurvivesUpdates.self, "shown", "records that were erased by hand",
      restart([.recordsErasedByHand(recorder: 0)], records: 0, bonds: 1)),
    Case(
      SurvivesUpdates.self, "violated", "records that are gone when bonds were deleted",
      restart([.bondsForgottenByHand(recorder: 0)], records: 0, bonds: 0)),
    Case(SurvivesUpdates.self, "violated", "bonds that are gone", restart([], records: 1, bonds: 0)),
  ]

  @Test(arguments: battery + lengths + names + pairing + updates + possessions) func judges(_ testCase: Case) {
    var monitors = MonitorSet([testCase.monitor.init()])
    var now = Instant.zero
    for (after, source, happening) in testCase.events {
      now = now.advanced(by: .milliseconds(after))
      let link: UInt32 = source.isHost ? 1 : 0
      monitors.observe(ProductEvent(at: now, from: source, link: link, peer: link == 0 ? nil : Self.peer, happening))
    }
    #expect(monitors.finish(at: now).first?.outcome.word == testCase.outcome)
  }

  // MARK: Packets

  /// Controllers of version 5.3 and later may say how long the key is.
  @Test func aLinkIsEncryptedWhicheverEventSaysSo() {
    var script = PacketScript()
    script.connect()
    script.get(.event, [0x59, 5, 0, 0x40, 0, 1, 16])
    #expect(script.words.last == "secured")
  }

  /// Nobody knows what became of a connection whose handle another one has.
  @Test func aConnectionWhoseEndIsMissingIsNotJudged() {
    var script = PacketScript()
    Monitors.serve(&script)
    script.request(.listFiles)
    script.connect()
    let end = script.events.first { $0.happening.name == "link.undetermined" }
    #expect(end?.link == 1)
    var monitors = MonitorSet(isCapture: true)
    for event in script.events { monitors.observe(event) }
    script.wait(.seconds(60))
    let finding = monitors.finish(at: script.now).first { $0.declaration.requirement == "DEV-6" }
    #expect(finding?.violations.isEmpty == true)
  }
}
