import Bytes
import DictofunProtocol
import HCI
import Packets
import SecureDFU
import Testing
import Timeline
import Trace
import Verdicts

@testable import Requirements

/// What one monitor says about a recorder or a phone that does what it should, and about one that does not.
@Suite struct ServingMonitors {
  /// Who tells of an event.
  enum Teller: Sendable {
    case world, phone, recorder
  }

  struct Case: CustomTestStringConvertible {
    let monitor: any Monitor.Type
    let outcome: String
    let what: String
    /// What happens, each this number of milliseconds after the one before.
    let events: [(after: Int, Teller, Happening)]
    var requirement: String { monitor.init().declaration.requirement }
    var testDescription: String { "\(monitor) \(outcome): \(what)" }

    init(
      _ monitor: any Monitor.Type, _ outcome: String, _ what: String, _ events: [(after: Int, Teller, Happening)]
    ) {
      self.monitor = monitor
      self.outcome = outcome
      self.what = what
      self.events = events
    }
  }

  private static let peer = BluetoothAddress(0xC0FF_EE00_0001, .random)
  static func world(_ after: Int, _ oracle: OracleEvent) -> (after: Int, Teller, Happening) {
    (after, .world, .oracle(oracle))
  }
  private static func state(_ after: Int, _ name: String) -> (after: Int, Teller, Happening) {
    world(after, .recorderState(recorder: 0, name: name))
  }
  private static func record(_ number: UInt8) -> RecordIdentifier {
    RecordIdentifier(CivilTime(secondsSince2000: 757_425_600 + Int64(number)))
  }
  private static let on = [world(0, .recorderPowered(recorder: 0, isOn: true)), state(900, "BLE_OPERATION")]
  private static let up = Happening.linkUp(
    role: .peripheral, LELinkParameters(intervalUnits: 24, latency: 0, supervisionTimeoutUnits: 400))
  static let slow = Happening.linkUp(
    role: .central, LELinkParameters(intervalUnits: 80, latency: 0, supervisionTimeoutUnits: 400))
  static let down = Happening.linkDown(.connectionTerminatedByLocalHost)
  /// Time passes.
  private static func wait(_ milliseconds: Int) -> (after: Int, Teller, Happening) {
    world(milliseconds, .newRecordsShown(phone: 0, count: 0))
  }

  static let power: [Case] = [
    Case(SwitchesOffWhenIdle.self, "shown", "off after a rest", on + [state(20_000, "SHUTDOWN")]),
    Case(SwitchesOffWhenIdle.self, "violated", "on for ever", on + [wait(60_000)]),
    Case(
      SwitchesOffWhenIdle.self, "notExercised", "kept awake",
      on + [world(0, .keptAwake(recorder: 0)), wait(60_000)]),
    Case(
      SwitchesOffWhenIdle.self, "notExercised", "a phone that talks",
      on + [(10, .recorder, up)] + (0..<6).map { _ in (10_000, .phone, .batteryAsked) }),
    Case(
      SwitchesOffWhenIdle.self, "notExercised", "used again and again for eight minutes, without a record",
      on + (0..<30).map { _ in world(20_000, .buttonReleased(recorder: 0)) }),
    Case(
      SwitchesOffWhenIdle.self, "violated", "used again and again for eight minutes, with a record",
      on + [world(9, .recordFinished(recorder: 0, record(1), octets: 64))]
        + (0..<30).map { _ in world(20_000, .buttonReleased(recorder: 0)) }),
    Case(
      SwitchesOffWhenIdle.self, "notExercised",
      "used for eight minutes, with a record before its bootloader started it",
      on + [world(9, .recordFinished(recorder: 0, record(1), octets: 64))]
        + (0..<20).map { _ in world(20_000, .buttonReleased(recorder: 0)) }
        + [
          world(9, .update(.bootloaderStarted(recorder: 0))),
          world(60_000, .update(.firmwareStarted(recorder: 0, version: 1, isWhole: true))), state(800, "BLE_OPERATION"),
        ] + (0..<3).map { _ in world(20_000, .buttonReleased(recorder: 0)) }),
    Case(
      AdvertisesWhenFree.self, "shown", "after a boot and after a phone",
      on + [
        (10, .recorder, .advertisingStarted(intervalSlots: 200)), (900, .recorder, up), (900, .recorder, down),
        (50, .recorder, .advertisingStarted(intervalSlots: 200)),
      ]),
    Case(AdvertisesWhenFree.self, "violated", "never after a boot", on + [wait(3000)]),
    Case(
      AdvertisesWhenFree.self, "violated", "never after a phone",
      on + [(10, .recorder, up), (900, .recorder, down), wait(3000)]),
    Case(
      AdvertisesWhenFree.self, "notExercised", "a boot with a press",
      [world(0, .buttonPressed(recorder: 0))] + on + [wait(3000)]),
    Case(
      BootloaderCanBeReached.self, "shown", "it advertises",
      [
        world(0, .update(.bootloaderStarted(recorder: 0))), (500, .recorder, .advertisingStarted(intervalSlots: 40)),
      ]),
    Case(
      BootloaderCanBeReached.self, "violated", "it is silent",
      [world(0, .update(.bootloaderStarted(recorder: 0))), wait(9000)]),
    Case(
      BootloaderCanBeReached.self, "notExercised", "the scenario keeps it silent",
      [
        world(0, .update(.bootloaderStarted(recorder: 0))), world(0, .update(.bootloaderHindered(recorder: 0))),
        wait(9000),
      ]),
  ]

  private static func voltage(_ after: Int, _ millivolts: Int) -> (after: Int, Teller, Happening) {
    world(after, .batteryVoltage(recorder: 0, millivolts: millivolts))
  }
  private static let listening: [(after: Int, Teller, Happening)] =
    [
      voltage(0, 3700), (10, .recorder, up), (10, .recorder, .batteryRead(96)),
      (10, .recorder, .batterySubscribed(true)),
    ]

  static let battery: [Case] = [
    Case(BatteryLevelIsTrue.self, "shown", "the level of the voltage", listening),
    Case(BatteryLevelIsTrue.self, "violated", "another level", [voltage(0, 3700), (10, .recorder, .batteryRead(84))]),
    Case(
      BatteryLevelIsTrue.self, "shown", "the level before, for a while",
      [voltage(0, 3700), voltage(60_000, 3320), (20_000, .recorder, .batteryRead(96))]),
    Case(
      BatteryLevelIsTrue.self, "violated", "the level before, for too long",
      [voltage(0, 3700), voltage(60_000, 3320), (30_000, .recorder, .batteryRead(96))]),
    Case(
      BatteryIsTold.self, "shown", "a new level",
      listening + [voltage(900, 3320), (9000, .recorder, .batteryNotified(48))]),
    Case(BatteryIsTold.self, "violated", "a new level that is kept", listening + [voltage(900, 3320), wait(30_000)]),
    Case(
      BatteryIsTold.self, "shown", "a new level after a long record",
      listening + [
        state(9, "RECORDING"), voltage(900, 3320), wait(40_000), state(9, "BLE_OPERATION"),
        (9000, .recorder, .batteryNotified(48)),
      ]),
    Case(
      BatteryIsTold.self, "violated", "a new level that is kept after a long record",
      listening + [
        state(9, "RECORDING"), voltage(900, 3320), wait(40_000), state(9, "BLE_OPERATION"), wait(30_000),
      ]),
    Case(
      BatteryIsTold.self, "violated", "the same level twice",
      listening + [
        voltage(900, 3320), (9000, .recorder, .batteryNotified(48)), (9000, .recorder, .batteryNotified(48)),
      ]),
    Case(
      BatteryIsTold.self, "notExercised", "a voltage that comes back",
      [voltage(0, 3700), voltage(900, 3320), voltage(900, 3700), wait(30_000)]),
    Case(
      LowBatteryIsTrue.self, "shown", "low when it is",
      on + [voltage(0, 3700), voltage(9, 3000), state(9000, "BATTERY_LOW")]),
    Case(LowBatteryIsTrue.self, "violated", "low when it is not", on + [voltage(0, 3100), state(9000, "BATTERY_LOW")]),
    Case(
      LowBatteryIsTrue.self, "notExercised", "low in a record, and said after it",
      on + [
        voltage(0, 3000), state(900, "RECORDING"), voltage(9000, 3200), state(40_000, "BLE_OPERATION"),
        state(9, "BATTERY_LOW"),
      ]),
    Case(
      LowBatteryIsTrue.self, "violated", "low long before a record, and said after it",
      on + [
        voltage(0, 3000), voltage(9, 3200), state(40_000, "RECORDING"), state(40_000, "BLE_OPERATION"),
        state(9, "BATTERY_LOW"),
      ]),
    Case(LowBatteryIsTrue.self, "violated", "low and silent", on + [voltage(0, 3700), voltage(9, 3000), wait(30_000)]),
    Case(LowBatteryIsTrue.self, "violated", "low at its start, and silent", on + [voltage(0, 3000), wait(4000)]),
  ]

  private static let requested = Happening.fileTransfer(.requestTaken(.listFiles))

  private static func fetch(_ number: UInt8) -> [(after: Int, Teller, Happening)] {
    [
      (9, .phone, .fileTransfer(.informed(record(number), size: 64))),
      (9, .phone, .fileTransfer(.requested(.fileData(record(number))))),
    ]
  }
  private static func stored(_ number: UInt8, _ octets: UInt32 = 64) -> (after: Int, Teller, Happening) {
    world(9, .recordStored(phone: 0, record(number), octets: octets))
  }
  private static let list: (after: Int, Teller, Happening) =
    (9, .phone, .fileTransfer(.listed([record(1), record(2)])))

  static let fetching: [Case] = [
    Case(FetchesOnce.self, "shown", "once", [list] + fetch(1) + [stored(1), list, (9, .phone, down)]),
    Case(FetchesOnce.self, "violated", "twice", [list] + fetch(1) + [stored(1), list] + fetch(1)),
    Case(
      FetchesOnce.self, "shown", "once more, because a scenario wrote the request",
      [list] + fetch(1) + [stored(1), list, told, told] + fetch(1) + [(9, .phone, down)]),
    Case(
      FetchesOnce.self, "violated", "once more, after a request that a scenario wrote",
      [list] + fetch(1) + [stored(1), told, asked, list] + fetch(1)),
    Case(
      FetchesOnce.self, "violated", "once more, on another link than the one on which a scenario was to write",
      [list] + fetch(1) + [stored(1), told, (9, .phone, down), (9, .phone, slow), list] + fetch(1)),
    Case(
      RemovedStaysRemoved.self, "violated", "a removed record",
      [list, world(9, .recordDeleted(phone: 0, record(1), octets: 64)), list] + fetch(1)),
    Case(
      RemovedStaysRemoved.self, "shown", "a removed record, because a scenario wrote the request",
      [list, world(9, .recordDeleted(phone: 0, record(1), octets: 64)), list, told, told] + fetch(1)
        + [(9, .phone, down)]),
    Case(
      FetchesOnce.self, "notExercised", "its name was free in between",
      [list] + fetch(1) + [stored(1), (9, .phone, .fileTransfer(.listed([record(2)]))), list] + fetch(1)),
    Case(FetchesNewestFirst.self, "shown", "newest first", [(0, .phone, slow), list] + fetch(2) + fetch(1)),
    Case(FetchesNewestFirst.self, "violated", "oldest first", [(0, .phone, slow), list] + fetch(1) + fetch(2)),
    Case(
      FetchesNewestFirst.self, "notExercised", "an older one first, because a scenario wrote the request",
      [(0, .phone, slow), list, told, told] + fetch(1) + fetch(2)),
    Case(
      FetchesNewestFirst.self, "notExercised", "one that was interrupted last",
      [(0, .phone, slow), list] + fetch(2) + [(9, .phone, down), (9, .phone, slow), list] + fetch(1) + fetch(2)),
    Case(
      FetchesNewestFirst.self, "notExercised", "one whose size was asked for in vain last",
      [(0, .phone, slow), list, (9, .phone, .fileTransfer(.requested(.fileInformation(record(2))))), (9, .phone, down)]
        + [(9, .phone, slow), list] + fetch(1) + fetch(2)),
    Case(
      FetchesNewestFirst.self, "notExercised", "one asked for in vain for an earlier list of the link last",
      [(0, .phone, slow), list, (9, .phone, .fileTransfer(.requested(.fileInformation(record(2))))), list]
        + fetch(1) + fetch(2)),
    Case(
      FetchesNewestFirst.self, "violated", "one that had arrived last",
      [(0, .phone, slow), list] + fetch(2) + [(9, .phone, .fileTransfer(.completed(record(2), octets: 64))), list]
        + fetch(1) + fetch(2)),
    Case(StoresWholeRecords.self, "shown", "whole", fetch(1) + [stored(1)]),
    Case(StoresWholeRecords.self, "violated", "a part", fetch(1) + [stored(1, 63)]),
  ]

  private static let began = world(0, .update(.begun(phone: 0, version: 2, isAsked: true)))
  private static let lost: [(after: Int, Teller, Happening)] =
    [began, (9, .phone, .firmwareUpdate(.bootloaderKnown(remembered: false))), (9, .phone, down)]

  private static func taken(_ number: UInt8) -> (after: Int, Teller, Happening) {
    (9, .phone, .fileTransfer(.requestTaken(.fileData(record(number)))))
  }
  private static let octets = Happening.fileTransfer(.data(record(1), octets: 64, received: 64, size: nil))
  private static let part: (after: Int, Teller, Happening) = (9, .phone, octets)
  private static let lastRequest: (after: Int, Teller, Happening) = (
    9, .phone, .fileTransfer(.requestTaken(.receiveComplete))
  )
  private static func denied(_ number: UInt8) -> (after: Int, Teller, Happening) {
    (9, .phone, .fileTransfer(.status(.fileNotFound(record(number)))))
  }

  private static let asked: (after: Int, Teller, Happening) = (9, .phone, .fileTransfer(.requested(.listFiles)))
  private static let told = world(0, .update(.improvised(phone: 0)))

  private static let ended: (after: Int, Teller, Happening) = (9, .phone, .linkDown(.remoteUserTerminatedConnection))
  /// A link of somebody without a bond, half a minute later.
  private static let stranger: [(after: Int, Teller, Happening)] =
    on + [world(0, .bondMade(recorder: 0, peer, others: 1)), (10, .recorder, up), wait(30_000)]

  static let keeping: [Case] = [
    Case(StrangersLeave.self, "violated", "a stranger who stays", stranger + [wait(1_001)]),
    Case(
      StrangersLeave.self, "shown", "a stranger who does not acknowledge the end of the link",
      stranger + [ended, (3_900, .recorder, down)]),
    Case(StrangersLeave.self, "violated", "a stranger who is told, and kept", stranger + [ended, wait(6_000)]),
    Case(
      StrangersLeave.self, "shown", "a stranger who is told when packets get lost",
      stranger + [world(0, .air(isClear: false)), (3_900, .recorder, down)]),
    Case(
      StrangersLeave.self, "shown", "a stranger who came when packets got lost",
      [world(0, .air(isClear: false))] + stranger + [(3_900, .recorder, down)]),
    Case(
      StrangersLeave.self, "violated", "a stranger who stays when packets get lost",
      [world(0, .air(isClear: false))] + stranger + [wait(6_000)]),
    Case(
      StrangersLeave.self, "shown", "a stranger whose recorder first sends what it has, when packets get lost",
      [world(0, .air(isClear: false))] + stranger + [(5_900, .recorder, down)]),
    Case(
      NoRequestStorm.self, "violated", "four requests while a list is made",
      [(0, .phone, slow), (9, .phone, requested), asked, asked, asked, asked]),
    Case(
      NoRequestStorm.self, "shown", "four requests, of which a scenario wrote one",
      [
        (0, .phone, slow), (9, .phone, requested), told, asked, asked, asked, asked,
        (9, .phone, .fileTransfer(.listed([]))),
      ]),
    Case(
      NoRequestStorm.self, "shown", "four requests after one that a scenario wrote",
      [
        (0, .phone, slow), (9, .phone, requested), told, asked, asked, asked, asked, asked,
        (9, .phone, .fileTransfer(.listed([]))),
      ]),
    Case(
      NothingButBatteryWhileLow.self, "violated", "a download that goes on",
      [(0, .phone, slow), (9, .phone, .batteryAsked), (9, .phone, .batteryRead(12)), (9_000, .phone, octets)]),
    Case(
      NothingButBatteryWhileLow.self, "shown", "a download that a scenario asked for goes on",
      [
        (0, .phone, slow), told, (9, .phone, .batteryAsked), (9, .phone, .batteryRead(12)),
        (9_000, .phone, octets),
      ]),
    Case(UpdateIsPursued.self, "violated", "given up at once", lost + [world(0, .update(.ended(phone: 0, .unknown)))]),
    Case(UpdateIsPursued.self, "shown", "completed", lost + [world(9000, .update(.ended(phone: 0, .new)))]),
    Case(
      UpdateIsPursued.self, "notExercised", "given up after a search",
      lost + [world(9000, .update(.ended(phone: 0, .unknown)))]),
    Case(
      RecordsAreKept.self, "violated", "lost before it was confirmed",
      [stored(1), world(9, .recordsGone(recorder: 0, [record(1)]))]),
    Case(
      RecordsAreKept.self, "notExercised", "erased by hand, and no longer listed",
      [
        (0, .recorder, .fileTransfer(.listed([record(1)]))), world(9, .recordsErasedByHand(recorder: 0)),
        (10, .recorder, .fileTransfer(.listed([]))),
      ]),
    Case(
      RecordsAreKept.self, "violated", "no longer listed, and nobody erased it",
      [
        (0, .recorder, .fileTransfer(.listed([record(1)]))), world(9, .recordsErasedByHand(recorder: 1)),
        (10, .recorder, .fileTransfer(.listed([]))),
      ]),
    Case(
      RecordsAreKept.self, "shown", "erased after it was confirmed",
      [
        (0, .recorder, .fileTransfer(.requestTaken(.fileData(record(1))))), stored(1),
        (9, .recorder, .fileTransfer(.requestTaken(.receiveComplete))),
        world(9, .recordsGone(recorder: 0, [record(1)])),
      ]),
    Case(
      RequestsEnd.self, "notExercised", "a recorder that is switched off while it records, until the phone notices",
      [
        world(0, .air(isClear: true)), state(0, "RECORDING"), (0, .phone, slow), (9, .phone, requested),
        wait(35_000), world(9, .recorderPowered(recorder: 0, isOn: false)), wait(3_900),
        (9, .phone, .linkDown(.connectionTimeout)),
      ]),
    Case(
      RequestsEnd.self, "notExercised", "a recorder that starts its bootloader before it answers",
      [
        world(0, .air(isClear: true)), (0, .phone, slow), (9, .phone, requested),
        (9, .phone, .firmwareUpdate(.buttonlessAnswered(.startBootloader, result: 1))), wait(13_500),
      ]),
    Case(
      RequestsEnd.self, "violated", "silence in clear air",
      [world(0, .air(isClear: true)), (0, .phone, slow), (9, .phone, requested), wait(13_500)]),
    Case(
      RequestsEnd.self, "shown", "a silence in which another request is served that came out of turn",
      [
        world(0, .air(isClear: true)), (0, .phone, slow), (9, .phone, requested), (9, .phone, requested),
        (9, .phone, .fileTransfer(.listed([]))), (9, .phone, .fileTransfer(.requestTaken(.fileInformation(record(1))))),
        wait(13_500),
      ]),
    Case(
      RequestsEnd.self, "violated", "a longer silence than that",
      [
        world(0, .air(isClear: true)), (0, .phone, slow), (9, .phone, requested), (9, .phone, requested),
        (9, .phone, .fileTransfer(.listed([]))), (9, .phone, .fileTransfer(.requestTaken(.fileInformation(record(1))))),
        wait(15_500),
      ]),
    Case(
      RequestsEnd.self, "notExercised", "as long a silence in other air",
      [world(0, .air(isClear: false)), (0, .phone, slow), (9, .phone, requested), wait(23_500)]),
    Case(
      RequestsEnd.self, "violated", "a longer silence in other air",
      [world(0, .air(isClear: false)), (0, .phone, slow), (9, .phone, requested), wait(24_500)]),
    Case(
      RequestsEnd.self, "violated", "the silence of one supervision timeout in air of which nothing is known",
      [(0, .phone, slow), (9, .phone, requested), wait(16_500)]),
    Case(
      RequestsEnd.self, "violated", "a record that is denied after a part of it was sent",
      [(0, .phone, slow), taken(1), part, denied(1)]),
    Case(
      RequestsEnd.self, "shown", "a record that is denied before anything of it was sent",
      [(0, .phone, slow), taken(1), denied(1)]),
    Case(
      RequestsEnd.self, "shown", "another record that is denied while one is sent",
      [(0, .phone, slow), taken(1), part, taken(2), denied(2)]),
    Case(
      RequestsEnd.self, "shown", "a record that somebody erased while it was sent",
      [(0, .phone, slow), taken(1), part, world(9, .recordsErasedByHand(recorder: 0)), denied(1)]),
    Case(
      RequestsEnd.self, "shown", "a request that finds no room while a record of unknown size is sent",
      [
        world(0, .air(isClear: true)), (0, .phone, slow), taken(1), part, (9, .phone, requested), part, lastRequest,
        part, (9, .phone, .fileTransfer(.listed([]))), wait(13_500),
      ]),
    Case(
      RequestsEnd.self, "violated", "a request after the last of a record of unknown size came",
      [
        world(0, .air(isClear: true)), (0, .phone, slow), taken(1), part, wait(3_900), lastRequest, wait(13_500),
      ]),
    Case(
      KeepsAPhoneThatBehaves.self, "shown", "dropped when a record has ended, for what was said during it",
      on + [
        (0, .recorder, up), (9, .recorder, .encrypted), state(9000, "RECORDING"),
        (9, .recorder, .fileTransfer(.requested(.receiveComplete))), state(20_000, "BLE_OPERATION"),
        (900, .recorder, down),
      ]),
    Case(
      KeepsAPhoneThatBehaves.self, "violated", "dropped when a record has ended",
      on + [
        (0, .recorder, up), (9, .recorder, .encrypted), (9, .recorder, .fileTransfer(.requested(.receiveComplete))),
        state(9000, "RECORDING"), state(20_000, "BLE_OPERATION"), (9000, .recorder, down),
      ]),
    Case(
      KeepsAPhoneThatBehaves.self, "violated", "dropped soon after its start",
      [state(0, "INIT")] + on + [(0, .recorder, up), (9, .recorder, .encrypted), (900, .recorder, down)]),
  ]

  private static func begins(_ number: UInt8) -> (after: Int, Teller, Happening) {
    world(9, .recordBegun(recorder: 0, record(number), clock: CivilTime(secondsSince2000: 757_425_600)))
  }
  private static func lists(_ numbers: UInt8...) -> (after: Int, Teller, Happening) {
    (9, .recorder, .fileTransfer(.listed(numbers.map(record))))
  }

  static let order: [Case] = [
    Case(ListsInOrder.self, "shown", "oldest first", [begins(1), begins(2), lists(1, 2)]),
    Case(
      ListsInOrder.self, "shown", "as recorded, although its clock was set back", [begins(2), begins(1), lists(2, 1)]),
    Case(ListsInOrder.self, "shown", "beside one that it had before", [begins(1), begins(2), lists(7, 1, 2)]),
    Case(ListsInOrder.self, "shown", "a name that came again", [begins(1), begins(2), begins(1), lists(2, 1)]),
    Case(ListsInOrder.self, "violated", "newest first", [begins(1), begins(2), lists(2, 1)]),
    Case(ListsInOrder.self, "violated", "two of three changed", [begins(1), begins(2), begins(3), lists(1, 3, 2)]),
    Case(ListsInOrder.self, "notExercised", "one record", [begins(1), lists(1), lists(8, 1)]),
    Case(ListsInOrder.self, "notExercised", "a name twice", [begins(1), begins(2), lists(1, 2, 1)]),
  ]

  static let all = power + bonds + battery + fetching + keeping + records + order

  @Test(arguments: all)
  func judges(_ testCase: Case) {
    var monitors = MonitorSet([testCase.monitor.init()])
    var now = Instant.zero
    for (after, teller, happening) in testCase.events {
      now = now.advanced(by: .milliseconds(after))
      switch teller {
      case .world: if case .oracle(let oracle) = happening { monitors.observe(.oracle(oracle, at: now)) }
      case .phone: monitors.observe(ProductEvent(at: now, from: .phone(), link: 1, peer: Self.peer, happening))
      case .recorder: monitors.observe(ProductEvent(at: now, from: .recorder(), link: 1, peer: Self.peer, happening))
      }
    }
    let word = monitors.finish(at: now).first?.outcome.word
    #expect(word == testCase.outcome)
  }
}
