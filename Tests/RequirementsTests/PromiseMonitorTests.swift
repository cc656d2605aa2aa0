import Bytes
import DictofunProtocol
import HCI
import Requirements
import Testing
import Timeline
import Trace
import Verdicts

/// What a recorder owes its owner, as a simulated world states and sees it.
@Suite struct PromiseMonitorTests {
  private static let hers = BluetoothAddress(0xC0FF_EE00_0001, .random)
  private static let his = BluetoothAddress(0xC0FF_EE00_0002, .random)

  struct Case: CustomTestStringConvertible {
    let requirement: String
    let testDescription: String
    let outcome: String
    /// What is stated or seen at the recorder, each this number of milliseconds after the one before.
    let statements: [(after: Int, Happening)]

    init(_ requirement: String, _ outcome: String, _ what: String, _ statements: [(after: Int, OracleEvent)]) {
      self.init(requirement, outcome, what, seen: statements.map { ($0.after * 1000, .oracle($0.1)) })
    }

    init(_ requirement: String, _ outcome: String, _ what: String, seen statements: [(after: Int, Happening)]) {
      self.requirement = requirement
      self.outcome = outcome
      testDescription = "\(requirement) \(outcome): \(what)"
      self.statements = statements
    }
  }

  static let cases: [Case] = [
    Case("DEV-10", "not exercised", "the first owner", [(1, .bondMade(recorder: 0, hers, others: 0))]),
    Case(
      "DEV-10", "shown", "a second phone while the first is new",
      [(1, .bondMade(recorder: 0, hers, others: 0)), (10, .bondMade(recorder: 0, his, others: 1))]),
    Case(
      "DEV-10", "shown", "a second phone after a press",
      [
        (1, .buttonPressed(recorder: 0)), (60, .buttonReleased(recorder: 0)),
        (29, .bondMade(recorder: 0, his, others: 1)),
      ]),
    Case(
      "DEV-10", "shown", "a second phone while the button is down",
      [(1, .buttonPressed(recorder: 0)), (60, .bondMade(recorder: 0, his, others: 1))]),
    Case("DEV-10", "violated", "a second phone, unasked", [(1, .bondMade(recorder: 0, his, others: 1))]),
    Case(
      "DEV-10", "violated", "a second phone long after a press",
      [
        (1, .buttonPressed(recorder: 0)), (1, .buttonReleased(recorder: 0)),
        (32, .bondMade(recorder: 0, his, others: 1)),
      ]),
    Case(
      "DEV-10", "violated", "a press on another recorder",
      [(1, .buttonPressed(recorder: 1)), (1, .bondMade(recorder: 0, his, others: 1))]),
    Case("DEV-10", "shown", "a stranger refused", [(1, .pairingRefused(recorder: 0, owners: 1))]),
    Case(
      "DEV-10", "violated", "a guest refused",
      [(1, .buttonReleased(recorder: 0)), (5, .pairingRefused(recorder: 0, owners: 1))]),
    Case(
      "DEV-10", "shown", "refused although the button was let go while it was off",
      [
        (1, .buttonPressed(recorder: 0)), (1, .recorderPowered(recorder: 0, isOn: false)),
        (1, .buttonReleased(recorder: 0)),
        (2, .recorderPowered(recorder: 0, isOn: true)), (5, .pairingRefused(recorder: 0, owners: 1)),
      ]),
    Case(
      "DEV-10", "shown", "a guest while the button stayed down although the power failed",
      [
        (1, .buttonPressed(recorder: 0)), (1, .recorderPowered(recorder: 0, isOn: false)),
        (2, .recorderPowered(recorder: 0, isOn: true)), (5, .bondMade(recorder: 0, his, others: 1)),
      ]),
    Case(
      "DEV-14", "shown", "the one that asked",
      [(1, .unpairTold(recorder: 0, hers)), (0, .bondsRemoved(recorder: 0, [hers]))]),
    Case(
      "DEV-14", "violated", "another than the one that asked",
      [(1, .unpairTold(recorder: 0, hers)), (0, .bondsRemoved(recorder: 0, [his]))]),
    Case(
      "DEV-14", "violated", "everybody",
      [(1, .unpairTold(recorder: 0, hers)), (0, .bondsRemoved(recorder: 0, [hers, his]))]),
    Case(
      "DEV-10", "shown", "refused although the button was used just before it switched itself off",
      [
        (1, .buttonPressed(recorder: 0)), (1, .buttonReleased(recorder: 0)),
        (1, .recorderPowered(recorder: 0, isOn: false)),
        (2, .recorderPowered(recorder: 0, isOn: true)), (5, .pairingRefused(recorder: 0, owners: 1)),
      ]),
    Case("DEV-14", "violated", "nobody asked", [(1, .bondsRemoved(recorder: 0, [hers]))]),
    Case(
      "DEV-14", "violated", "nobody forgotten",
      [(1, .unpairTold(recorder: 0, hers)), (3, .buttonPressed(recorder: 0))]),
  ]

  static let up = Happening.linkUp(
    role: .peripheral, LELinkParameters(intervalUnits: 24, latency: 0, supervisionTimeoutUnits: 400))
  /// A link with an event every second.
  static let slow = Happening.linkUp(
    role: .peripheral, LELinkParameters(intervalUnits: 800, latency: 0, supervisionTimeoutUnits: 400))
  static let down = Happening.linkDown(.connectionTerminatedByLocalHost)
  static let on: [(after: Int, Happening)] = [
    (0, .oracle(.recorderPowered(recorder: 0, isOn: true))),
    (1000, .oracle(.recorderState(recorder: 0, name: "BLE_OPERATION"))),
  ]
  /// An image of a recorder with a good battery, 5 s after it was switched on.
  static let image: [(after: Int, OracleEvent)] = [
    (0, .recorderPowered(recorder: 0, isOn: true)), (0, .batteryVoltage(recorder: 0, millivolts: 3_700)),
    (0, .execution(.began(recorder: 0))), (5, .keptAwake(recorder: 0)),
  ]
  /// An image that switched its recorder off on a held rail.
  static let gone: [(after: Int, Happening)] = [
    (0, .oracle(.recorderPowered(recorder: 0, isOn: true))),
    (20_000, .oracle(.execution(.switchedOff(recorder: 0)))),
  ]
  static let advertisingAgain: [(after: Int, Happening)] = gone + [(2_800, .advertisingStarted(intervalSlots: 200))]
  static let recordedAgain: [(after: Int, Happening)] =
    gone + [
      (2_000, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
      (1_000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
    ]
  static let stayed: [(after: Int, Happening)] = [
    (0, .oracle(.recorderPowered(recorder: 0, isOn: true))), (150_000, .advertisingStopped),
  ]
  static let press: [(after: Int, Happening)] = [
    (200, .oracle(.buttonPressed(recorder: 0))), (1_000, .oracle(.buttonReleased(recorder: 0))),
  ]
  static let meeting: [(after: Int, Happening)] = on + [(1000, up), (1000, .encrypted)]
  /// A phone that comes while the recorder records.
  static let meetingInRecord: [(after: Int, Happening)] =
    on + [(1000, .oracle(.recorderState(recorder: 0, name: "RECORDING"))), (100, up), (1000, .encrypted)]
  static let leftInRecord: [(after: Int, Happening)] =
    on + [
      (100, .oracle(.buttonPressed(recorder: 0))), (60, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
      (100, up), (9_000, down), (1000, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
    ]
  static let noon = CivilTime(secondsSince2000: 757_425_600)

  /// Whether the recorder records, keeps and goes right as it should.
  static let promises: [Case] = [
    Case(
      "DEV-1", "shown", "a record that begins at once, as long as the press",
      seen: on + [
        (1000, .oracle(.buttonPressed(recorder: 0))),
        (80, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
        (1920, .oracle(.buttonReleased(recorder: 0))),
        (20, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 15_360))),
      ]),
    Case(
      "DEV-1", "violated", "a record that begins late",
      seen: on + [
        (1000, .oracle(.buttonPressed(recorder: 0))),
        (500, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
      ]),
    Case(
      "DEV-1", "shown", "a record that begins when a bootloader has cut off the one of the press",
      seen: on + [
        (1000, .oracle(.buttonPressed(recorder: 0))),
        (80, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
        (900, .oracle(.update(.bootloaderStarted(recorder: 0)))),
        (60_000, .oracle(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))),
        (1900, .oracle(.buttonReleased(recorder: 0))),
        (20, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 15_360))),
      ]),
    Case(
      "DEV-1", "violated", "a record that lacks its first second",
      seen: on + [
        (1000, .oracle(.buttonPressed(recorder: 0))),
        (80, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
        (1920, .oracle(.buttonReleased(recorder: 0))),
        (20, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 7_680))),
      ]),
    Case(
      "DEV-1", "shown", "a contact that bounces when the button comes up",
      seen: [
        (0, .oracle(.buttonPressed(recorder: 0))),
        (80, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
        (920, .oracle(.buttonReleased(recorder: 0))), (10, .oracle(.buttonPressed(recorder: 0))),
        (900, .oracle(.buttonReleased(recorder: 0))),
      ]),
    Case(
      "DEV-1", "violated", "a press while it closes a record, and no record after it",
      seen: [
        (0, .oracle(.recorderPowered(recorder: 0, isOn: true))),
        (0, .oracle(.recorderState(recorder: 0, name: "RECORD_END"))),
        (10, .oracle(.buttonPressed(recorder: 0))), (900, .oracle(.buttonReleased(recorder: 0))),
      ]),
    Case(
      "DEV-3", "shown", "a record that is listed",
      seen: [
        (0, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
        (9, .fileTransfer(.listed([identifier(1)]))),
      ]),
    Case(
      "DEV-3", "violated", "a record that is not listed",
      seen: [(0, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))), (9, .fileTransfer(.listed([])))]),
    Case(
      "DEV-3", "violated", "a record that is listed no more",
      seen: [(0, .fileTransfer(.listed([identifier(1)]))), (9, .fileTransfer(.listed([])))]),
    Case(
      "DEV-3", "not exercised", "a record that a phone has",
      seen: [
        (0, .fileTransfer(.listed([identifier(1)]))), (0, .fileTransfer(.requestTaken(.fileData(identifier(1))))),
        (1, .oracle(.recordStored(phone: 0, identifier(1), octets: 64))), (9, .fileTransfer(.listed([]))),
      ]),
    Case(
      "DEV-10", "violated", "a stranger who stays with a recorder that has an owner",
      seen: meeting + [(1000, down), (1000, up), (32_000, .batteryAsked)]),
    Case(
      "DEV-10", "shown", "a stranger whose link the recorder ends",
      seen: meeting + [(1000, down), (1000, up), (30_000, down)]),
    Case(
      "DEV-10", "not exercised", "anybody who stays with a recorder without an owner",
      seen: on + [(1000, up), (60_000, .batteryAsked)]),
    Case("DEV-10", "not exercised", "an owner who stays", seen: meeting + [(60_000, .batteryAsked)]),
    Case(
      "DEV-10", "not exercised", "a stranger who leaves",
      seen: meeting + [(1000, down), (1000, up), (29_500, .linkDown(.remoteUserTerminatedConnection))]),
    Case(
      "DEV-10", "not exercised", "a stranger while the recorder pairs with anybody",
      seen: meeting + [
        (1000, down), (1000, up), (15_000, .oracle(.buttonPressed(recorder: 0))),
        (1000, .oracle(.buttonReleased(recorder: 0))), (50_000, .batteryAsked),
      ]),
    Case(
      "DEV-10", "violated", "a stranger long after the recorder paired with anybody",
      seen: meeting + [
        (1000, down), (1000, up), (15_000, .oracle(.buttonPressed(recorder: 0))),
        (1000, .oracle(.buttonReleased(recorder: 0))), (62_000, .batteryAsked),
      ]),
    Case(
      "DEV-10", "not exercised", "anybody who stays after the owner unpaired",
      seen: meeting + [(1000, .unpairAnswered(isTaken: true)), (1000, down), (1000, up), (60_000, .batteryAsked)]),
    Case(
      "DEV-10", "not exercised", "whoever talks to the bootloader",
      seen: meeting + [
        (1000, down), (0, .oracle(.update(.bootloaderStarted(recorder: 0)))), (1000, up), (60_000, .batteryAsked),
      ]),
    Case(
      "DEV-10", "not exercised", "whoever talked to the bootloader until it started the firmware",
      seen: meeting + [
        (1000, down), (0, .oracle(.update(.bootloaderStarted(recorder: 0)))), (1000, up),
        (40_000, .oracle(.update(.firmwareStarted(recorder: 0, version: 1, isWhole: true)))), (1000, .batteryAsked),
      ]),
    Case(
      "DEV-7", "not exercised", "an image, which does not tell its states, with a low battery",
      seen: [
        (0, .oracle(.recorderPowered(recorder: 0, isOn: true))), (0, .oracle(.execution(.began(recorder: 0)))),
        (100, .oracle(.batteryVoltage(recorder: 0, millivolts: 3_050))),
        (60_000, .oracle(.air(isClear: false))),
      ]),
    Case(
      "DEV-4", "shown", "three records that begin in one second",
      (0..<3).map { (0, .recordBegun(recorder: 0, identifier($0), clock: noon)) }),
    Case(
      "DEV-4", "violated", "a third record in a second of which another recorder has one",
      (0..<3).map { (0, .recordBegun(recorder: $0 == 1 ? 1 : 0, identifier($0), clock: noon)) }),
    Case("DEV-8", "shown", "asks for the time", seen: meeting + [(100, .timeAsked)]),
    Case("DEV-8", "shown", "asks for the time after a silence of its link", seen: meeting + [(8_500, .timeAsked)]),
    Case(
      "DEV-8", "shown", "asks for the time on a slow link, as soon as it has found the service",
      seen: on + [(1000, slow), (1000, .encrypted), (12_000, .timeAsked)]),
    Case(
      "DEV-8", "violated", "asks nothing on a slow link",
      seen: on + [(1000, slow), (1000, .encrypted), (30_000, .oracle(.recorderState(recorder: 0, name: "X")))]),
    Case(
      "DEV-8", "violated", "asks nothing",
      seen: meeting + [(10_000, .oracle(.recorderState(recorder: 0, name: "BLE_OPERATION")))]),
    Case(
      "DEV-8", "violated", "a clock that stands still",
      seen: meeting + [
        (100, .timeAsked), (50, .timeServed(noon)),
        (20_000, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
      ]),
    Case(
      "DEV-8", "shown", "a clock of which the time comes too late, because power is gone",
      seen: meeting + [
        (100, .timeAsked), (50, .oracle(.recorderPowered(recorder: 0, isOn: false))), (0, .timeServed(noon)),
        (20_000, .oracle(.recorderPowered(recorder: 0, isOn: true))),
        (0, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
      ]),
    Case(
      "DEV-8", "shown", "a clock of which the time comes on a link of before power was gone",
      seen: meeting + [
        (100, .timeAsked), (50, .oracle(.recorderPowered(recorder: 0, isOn: false))),
        (0, .oracle(.recorderPowered(recorder: 0, isOn: true))), (0, .timeServed(noon)),
        (20_000, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
      ]),
    Case(
      "DEV-8", "shown", "a clock of which the time comes when the bootloader has started",
      seen: meeting + [
        (100, .timeAsked), (50, .oracle(.update(.bootloaderStarted(recorder: 0)))), (0, .timeServed(noon)),
        (20_000, .oracle(.recordBegun(recorder: 0, identifier(1), clock: noon))),
      ]),
    Case("DEV-13", "violated", "a phone dropped for nothing", seen: meeting + [(9000, down)]),
    Case(
      "DEV-13", "shown", "a phone that has everything",
      seen: meeting + [(9000, .fileTransfer(.requested(.receiveComplete))), (50, down)]),
    Case(
      "DEV-13", "shown", "a phone that has everything, and does not acknowledge the end of the link",
      seen: meeting + [(9000, .fileTransfer(.requested(.receiveComplete))), (5_900, down)]),
    Case(
      "DEV-13", "violated", "a phone dropped long after it had everything",
      seen: meeting + [(9000, .fileTransfer(.requested(.receiveComplete))), (6_100, down)]),
    Case(
      "DEV-13", "shown", "a phone that had everything while a long list was sent",
      seen: meeting + [
        (9000, .fileTransfer(.requestTaken(.listFiles))), (10, .fileTransfer(.requested(.receiveComplete))),
        (30_000, .fileTransfer(.listed([]))), (50, down),
      ]),
    Case(
      "DEV-13", "violated", "a phone dropped long after the list before which it had everything",
      seen: meeting + [
        (9000, .fileTransfer(.requestTaken(.listFiles))), (10, .fileTransfer(.requested(.receiveComplete))),
        (100, .fileTransfer(.listed([]))), (6_100, down),
      ]),
    Case(
      "DEV-8", "shown", "a time that is asked for after a long record",
      seen: meetingInRecord + [
        (60_000, .oracle(.recorderState(recorder: 0, name: "BLE_OPERATION"))), (4_000, .timeAsked),
      ]),
    Case(
      "DEV-8", "violated", "a time that is not asked for after a long record",
      seen: meetingInRecord + [
        (60_000, .oracle(.recorderState(recorder: 0, name: "BLE_OPERATION"))), (10_000, .batteryAsked),
      ]),
    Case(
      "DEV-8", "shown", "a time that is asked for when the air is clear again",
      seen: meeting + [
        (0, .oracle(.air(isClear: false))), (60_000, .oracle(.air(isClear: true))), (4_000, .timeAsked),
      ]),
    Case(
      "DEV-8", "violated", "a time that is not asked for when the air is clear again",
      seen: meeting + [
        (0, .oracle(.air(isClear: false))), (60_000, .oracle(.air(isClear: true))), (10_000, .batteryAsked),
      ]),
    Case(
      "DEV-1", "not exercised", "a press that a power cut interrupts",
      seen: on + [
        (1000, .oracle(.recorderPowered(recorder: 0, isOn: false))),
        (10, .oracle(.recorderPowered(recorder: 0, isOn: true))), (900, .oracle(.buttonReleased(recorder: 0))),
        (20, .oracle(.recordFinished(recorder: 0, identifier(1), octets: 64))),
      ]),
    Case(
      "DEV-1", "not exercised", "a press when it was just going off",
      seen: on + [
        (900, .oracle(.buttonPressed(recorder: 0))), (5, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
        (995, .oracle(.buttonReleased(recorder: 0))),
      ]),
    Case(
      "DEV-1", "not exercised", "a press when an image was just going off",
      seen: on + [
        (900, .oracle(.buttonPressed(recorder: 0))), (5, .oracle(.execution(.switchedOff(recorder: 0)))),
        (995, .oracle(.buttonReleased(recorder: 0))),
      ]),
    Case("DEV-1", "not exercised", "a press when an image was off, and its chip not reset yet", seen: gone + press),
    Case("DEV-1", "violated", "a press when an image that was off advertises again", seen: advertisingAgain + press),
    Case("DEV-1", "violated", "a press when an image that was off recorded again", seen: recordedAgain + press),
    Case("DEV-1", "violated", "a press when a recorder that was off has power again", seen: gone + on + press),
    Case("DEV-1", "violated", "a press of an image that did not go off on a held rail", seen: stayed + press),
    Case(
      "DEV-1", "violated", "a press after which it goes off",
      seen: on + [
        (900, .oracle(.buttonPressed(recorder: 0))), (100, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN"))),
        (900, .oracle(.buttonReleased(recorder: 0))),
      ]),
    Case(
      "DEV-13", "shown", "a press of the button",
      seen: meeting + [(9000, .oracle(.recorderState(recorder: 0, name: "RECORD_PREPARE"))), (50, down)]),
    Case(
      "DEV-2", "not exercised", "a release while a phone is connected",
      seen: on + [
        (500, up), (10, .oracle(.buttonReleased(recorder: 0))), (3000, .oracle(.buttonPressed(recorder: 0))),
      ]),
    Case(
      "DEV-2", "violated", "a release while no phone is connected",
      seen: on + [(10, .oracle(.buttonReleased(recorder: 0))), (3000, .oracle(.recorderState(recorder: 0, name: "X")))]),
  ]

  @Test(arguments: cases + promises + powerOff) func judges(_ testCase: Case) {
    var monitors = MonitorSet()
    var now = Instant.zero
    for (after, statement) in testCase.statements {
      now = now.advanced(by: .milliseconds(after))
      if case .oracle(let oracle) = statement {
        monitors.observe(.oracle(oracle, at: now))
      } else {
        monitors.observe(ProductEvent(at: now, from: .recorder(), link: 1, peer: Self.hers, statement))
      }
    }
    let findings = monitors.finish(at: now).filter { $0.declaration.requirement == testCase.requirement }
    let outcome =
      findings.contains { !$0.violations.isEmpty }
      ? "violated" : findings.contains { $0.met > 0 } ? "shown" : "not exercised"
    #expect(outcome == testCase.outcome)
  }

  /// What happens on a link in clear.
  @Test(arguments: [
    (Happening.nameWritten(isAccepted: true), "violated"), (.nameWritten(isAccepted: false), "shown"),
    (.firmwareUpdate(.buttonlessAnswered(.startBootloader, result: 1)), "violated"),
    (.firmwareUpdate(.buttonlessRequested(.startBootloader)), "notExercised"),
  ])
  func judgesALinkInClear(_ happening: Happening, outcome: String) throws {
    for isEncrypted in [false, true] {
      var script = PacketScript()
      script.connect()
      if isEncrypted { script.encrypt() }
      let up = try #require(script.events.last)
      script.events.append(ProductEvent(at: script.now, from: up.source, link: up.link, peer: up.peer, happening))
      var monitors = MonitorSet()
      for event in script.events { monitors.observe(event) }
      let finding = monitors.finish(at: script.now).first { $0.declaration.sentence.contains("not encrypted") }
      #expect(finding?.outcome.word == (isEncrypted ? "notExercised" : outcome))
    }
  }

  /// What the phone did not enable on this link, the recorder does not owe.
  @Test(arguments: [false, true]) func owesOnlyWhatIsEnabled(isEnabled: Bool) throws {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.encrypt()
    if isEnabled { script.enableAnswers() }
    script.request(.listFiles)
    script.wait(.seconds(60))
    var monitors = MonitorSet()
    for event in script.events { monitors.observe(event) }
    let finding = monitors.finish(at: script.now).first { $0.declaration.requirement == "DEV-6" }
    #expect(finding?.outcome.word == (isEnabled ? "violated" : "notExercised"))
  }

  /// What a user refused for one recorder may be offered for another, and not again for the same.
  @Test(arguments: [false, true]) func aRefusalIsForOneRecorder(isAnother: Bool) throws {
    var monitors = MonitorSet()
    let (first, second) = (Self.hers, Self.his)
    func encrypt(_ peer: BluetoothAddress) {
      monitors.observe(ProductEvent(at: .zero, from: .phone(), link: 1, peer: peer, .encrypted))
    }
    func state(_ oracle: OracleEvent) { monitors.observe(.oracle(oracle, at: .zero)) }
    encrypt(first)
    state(.update(.offered(phone: 0, version: 2)))
    state(.update(.answered(phone: 0, version: 2, accepted: false)))
    state(.bondForgotten(phone: 0))
    encrypt(isAnother ? second : first)
    state(.update(.offered(phone: 0, version: 2)))
    #expect((monitors.firstViolation?.requirement == "APP-1.4.2") == !isAnother)
  }
}
