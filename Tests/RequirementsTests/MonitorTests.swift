import Bytes
import DictofunProtocol
import HCI
import Testing
import Timeline
import Trace
import Verdicts

@testable import Requirements

/// For each monitor traces that satisfy it and traces that violate it.
@Suite struct Monitors {
  struct Case: CustomTestStringConvertible {
    let requirement: String
    let what: String
    let expected: String
    let script: @Sendable (inout PacketScript) -> Void

    init(
      _ requirement: String, _ expected: String, _ what: String,
      _ script: @escaping @Sendable (inout PacketScript) -> Void
    ) {
      self.requirement = requirement
      self.what = what
      self.expected = expected
      self.script = script
    }

    var testDescription: String { "\(requirement) \(expected): \(what)" }
  }

  private static func finding(_ testCase: Case) -> MonitorFinding {
    var script = PacketScript()
    testCase.script(&script)
    var monitors = MonitorSet()
    for event in script.events { monitors.observe(event) }
    // Several monitors may watch one requirement; what matters most stands for all of them.
    let findings = monitors.finish(at: script.now).filter { $0.declaration.requirement == testCase.requirement }
    return findings.dropFirst().reduce(findings[0]) { $0.outcome.merged(with: $1.outcome) == $0.outcome ? $0 : $1 }
  }

  static func meet(_ script: inout PacketScript) {
    script.connect()
    script.discover()
    script.encrypt()
  }

  static func serve(_ script: inout PacketScript) {
    meet(&script)
    script.enableAnswers()
  }

  static let battery: [Case] = [
    Case("APP-1.3.1.1", "shown", "read right after discovery") {
      meet(&$0)
      $0.readBattery(84)
      $0.list([])
      $0.wait(.seconds(10))
      $0.disconnect()
    },
    Case("APP-1.3.1.1", "violated", "files first") {
      meet(&$0)
      $0.list([])
      $0.readBattery(84)
    },
    Case("APP-1.3.1.1", "violated", "never, for ten seconds") {
      meet(&$0)
      $0.wait(.seconds(10))
      $0.disconnect()
    },
    Case("APP-1.3.1.1", "violated", "not in the second connection") {
      meet(&$0)
      $0.readBattery(84)
      $0.disconnect()
      $0.connect()
      $0.encrypt()
      $0.wait(.seconds(10))
    },
    Case("APP-1.3.1.1", "shown", "in the second connection the recorder never answered") {
      meet(&$0)
      $0.readBattery(84)
      $0.disconnect()
      $0.connect()
      $0.wait(.seconds(6))
    },
    Case("APP-1.3.1.1", "notExercised", "the link ended too early to tell") {
      meet(&$0)
      $0.wait(.seconds(4))
      $0.disconnect()
    },
    Case("APP-1.3.1", "shown", "every minute") {
      meet(&$0)
      for _ in 0..<3 {
        $0.readBattery(84)
        $0.wait(.seconds(60))
      }
    },
    Case("APP-1.3.1", "violated", "once in two minutes") {
      meet(&$0)
      $0.readBattery(84)
      $0.wait(.seconds(120))
    },
    Case("APP-1.3.1.2", "shown", "told at once") {
      meet(&$0)
      $0.readBattery(12)
      $0.state(.lowBatteryShown(phone: 0, percent: 12))
      $0.wait(.seconds(3))
    },
    Case("APP-1.3.1.2", "violated", "never told") {
      meet(&$0)
      $0.readBattery(12)
      $0.disconnect()
      $0.wait(.seconds(3))
    },
    Case("DEV-7", "shown", "a percentage") {
      meet(&$0)
      $0.readBattery(96)
    },
    Case("DEV-7", "violated", "254") {
      meet(&$0)
      $0.notify(0x29, [254])
    },
  ]

  static let lowBattery: [Case] = [
    Case("APP-1.3.1.3", "shown", "only the battery, then the end") {
      meet(&$0)
      $0.readBattery(12)
      $0.wait(.seconds(1))
      $0.readBattery(0)
      $0.disconnect()
    },
    Case("APP-1.3.1.3", "shown", "good again, then files") {
      meet(&$0)
      $0.readBattery(12)
      $0.wait(.seconds(1))
      $0.readBattery(24)
      $0.list([])
    },
    Case("APP-1.3.1.3", "notExercised", "never low") {
      meet(&$0)
      $0.readBattery(24)
      $0.list([])
    },
    Case("APP-1.3.1.3", "violated", "files after the reading") {
      meet(&$0)
      $0.readBattery(12)
      $0.list([])
    },
    Case("APP-1.3.1.3", "violated", "still low at 23 %") {
      meet(&$0)
      $0.readBattery(12)
      $0.readBattery(23)
      $0.list([])
    },
    Case("APP-1.3.1.3", "shown", "one request that was queued") {
      meet(&$0)
      $0.ask([0x0A, 0x29, 0x00])
      $0.hear([0x0B, 12])
      // The next packet leaves at the same instant.
      $0.now = Instant(nanoseconds: $0.now.nanoseconds - 20_000_000)
      $0.ask([0x12, 0x10, 0x00, 0x01])
      $0.hear([0x13])
      $0.disconnect()
    },
    Case("APP-1.3.1.3", "shown", "the time is refused") {
      $0.connect()
      $0.discover()
      $0.hear([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28])
      $0.ask([0x09, 7, 0x10, 0x00, 0x02, 0x11, 0x00, 0x2B, 0x2A])
      $0.readBattery(12)
      $0.hear([0x0A, 0x11, 0x00])
      $0.ask([0x01, 0x0A, 0x11, 0x00, 0x80])
      $0.disconnect()
    },
    Case("APP-1.3.1.3", "violated", "a download goes on") {
      meet(&$0)
      $0.readBattery(50)
      $0.request(.fileData(identifier(1)))
      $0.notify(0x29, [12])
      $0.wait(.seconds(6))
      $0.notify(0x1C, [1, 2, 3])
    },
  ]

  static let library: [Case] = [
    Case("APP-2.3.1", "shown", "offered again and left alone") {
      meet(&$0)
      $0.list([identifier(1), identifier(2)])
      $0.state(.recordDeleted(phone: 0, identifier(1), octets: 64))
      $0.list([identifier(1), identifier(2)])
      $0.inform(identifier(2), size: 64)
      $0.download(identifier(2), size: 64)
      $0.disconnect()
    },
    Case("APP-2.3.1", "violated", "asked for again") {
      meet(&$0)
      $0.list([identifier(1)])
      $0.state(.recordDeleted(phone: 0, identifier(1), octets: 64))
      $0.disconnect()
      $0.connect()
      $0.list([identifier(1)])
      $0.inform(identifier(1), size: 64)
      $0.request(.fileData(identifier(1)))
    },
    Case("APP-2.3.1", "violated", "asked for without a list") {
      meet(&$0)
      $0.state(.recordDeleted(phone: 0, identifier(1), octets: 64))
      $0.request(.fileData(identifier(1)))
    },
    Case("APP-2.3.1", "notExercised", "absent in between, so it is new") {
      meet(&$0)
      $0.list([identifier(1)])
      $0.state(.recordDeleted(phone: 0, identifier(1), octets: 64))
      $0.list([])
      $0.list([identifier(1)])
      $0.request(.fileData(identifier(1)))
    },
    Case("APP-2.3.1", "shown", "another size, so it is new") {
      meet(&$0)
      $0.list([identifier(1)])
      $0.state(.recordDeleted(phone: 0, identifier(1), octets: 64))
      $0.list([identifier(1)])
      $0.inform(identifier(1), size: 128)
      $0.request(.fileData(identifier(1)))
      $0.disconnect()
    },
    Case("APP-2.3.1", "notExercised", "another phone's user removed it") {
      meet(&$0)
      $0.state(.recordDeleted(phone: 1, identifier(1), octets: 64))
      $0.list([identifier(1)])
      $0.request(.fileData(identifier(1)))
    },
    Case("APP-1.1.3", "shown", "paired once and again with the same") {
      for _ in 0..<2 {
        $0.connect()
        $0.send(.acl, PacketScript.data(6, [1, 3, 0, 1, 16, 3, 3], isFromHost: true))
        $0.encrypt()
        $0.disconnect()
      }
    },
    Case("DEV-10", "violated", "keys of 7 octets offered") {
      $0.connect()
      $0.send(.acl, PacketScript.data(6, [1, 3, 0, 1, 16, 3, 3], isFromHost: true))
      $0.get(.acl, PacketScript.data(6, [2, 3, 0, 1, 7, 3, 3], isFromHost: false))
      $0.encrypt()
    },
    Case("APP-1.1.3", "violated", "paired with a second one") {
      $0.connect()
      $0.send(.acl, PacketScript.data(6, [1, 3, 0, 1, 16, 3, 3], isFromHost: true))
      $0.encrypt()
      let other = BluetoothAddress(0xC0FF_EE00_0001, .random)
      $0.events.append(ProductEvent(at: $0.now, from: .phone(), link: 9, peer: other, .paired(nil)))
    },
    Case("APP-1.1.3", "shown", "unpaired in between") {
      meet(&$0)
      $0.ask([0x12, 0x25, 0x00, 0xAD])
      $0.hear([0x13])
      let other = BluetoothAddress(0xC0FF_EE00_0001, .random)
      $0.events.append(ProductEvent(at: $0.now, from: .phone(), link: 9, peer: other, .paired(nil)))
    },
    Case("APP-1.2.2.2", "shown", "what arrived, to the end") {
      meet(&$0)
      $0.inform(identifier(1), size: 256)
      $0.download(identifier(1), size: 256)
      $0.state(.progressShown(phone: 0, identifier(1), received: 200, total: 256))
      $0.state(.progressShown(phone: 0, identifier(1), received: 256, total: 256))
    },
    Case("APP-1.2.2.2", "violated", "more than arrived") {
      meet(&$0)
      $0.request(.fileData(identifier(1)))
      $0.notify(0x1C, [1])
      $0.state(.progressShown(phone: 0, identifier(1), received: 2, total: 256))
    },
    Case("APP-1.2.2.2", "violated", "back again") {
      meet(&$0)
      $0.request(.fileData(identifier(1)))
      $0.notify(0x1C, [1, 2])
      $0.state(.progressShown(phone: 0, identifier(1), received: 2, total: 256))
      $0.state(.progressShown(phone: 0, identifier(1), received: 1, total: 256))
    },
  ]

  static let recorder: [Case] = [
    Case("APP-1.3.2.1", "shown", "4.9 s behind") { time(&$0, aheadBy: .milliseconds(-4_900)) },
    Case("APP-1.3.2.1", "violated", "5.1 s behind") { time(&$0, aheadBy: .milliseconds(-5_100)) },
    Case("APP-1.3.2.1", "violated", "an hour ahead") { time(&$0, aheadBy: .seconds(3_600)) },
    Case("APP-1.3.2.1", "notExercised", "somebody set the clock by hand before it was compared") {
      time(&$0, aheadBy: .seconds(3_600), setByHand: true)
    },
    Case("APP-1.3.2.1", "notExercised", "no time was read") {
      $0.state(.recorderClock(recorder: 0, phone: 0, aheadBy: .seconds(3_600)))
    },
    Case("DEV-2", "shown", "one second after") {
      $0.state(.buttonReleased(recorder: 0))
      $0.wait(.seconds(1))
      advertise(&$0, slots: 200)
      $0.wait(.seconds(5))
    },
    Case("DEV-2", "violated", "three seconds after") {
      $0.state(.buttonReleased(recorder: 0))
      $0.wait(.seconds(3))
      advertise(&$0, slots: 200)
    },
    Case("DEV-2", "notExercised", "a press changes nothing for a flat battery") {
      $0.state(.recorderState(recorder: 0, name: "BATTERY_LOW"))
      press(&$0)
    },
    Case("DEV-2", "violated", "a flat battery that was changed") {
      $0.state(.recorderState(recorder: 0, name: "BATTERY_LOW"))
      $0.state(.recorderPowered(recorder: 0, isOn: false))
      press(&$0)
    },
    Case("DEV-2", "violated", "every second") {
      $0.state(.buttonReleased(recorder: 0))
      advertise(&$0, slots: 1_600)
    },
    Case("DEV-2", "notExercised", "the battery is flat") {
      $0.state(.buttonReleased(recorder: 0))
      $0.state(.recorderCannotServe(recorder: 0, reason: "flat battery"))
      $0.wait(.seconds(9))
    },
    Case("DEV-2", "notExercised", "the battery was flat at the press") {
      $0.state(.buttonPressed(recorder: 0))
      $0.state(.recorderCannotServe(recorder: 0, reason: "flat battery"))
      $0.state(.buttonReleased(recorder: 0))
      $0.wait(.seconds(9))
    },
    Case("DEV-2", "violated", "the battery was flat at the press before") {
      $0.state(.recorderCannotServe(recorder: 0, reason: "flat battery"))
      $0.state(.buttonPressed(recorder: 0))
      $0.state(.buttonReleased(recorder: 0))
      $0.wait(.seconds(3))
    },
    Case("DEV-4", "shown", "unique and true") {
      $0.state(.recordBegun(recorder: 0, identifier(7), clock: CivilTime("2024-01-01 12:00:08")!))
      meet(&$0)
      $0.list([identifier(1), identifier(7)])
    },
    Case("DEV-4", "violated", "twice in a list") {
      meet(&$0)
      $0.list([identifier(1), identifier(2), identifier(1)])
    },
    Case("DEV-4", "violated", "another time than the clock's") {
      $0.state(.recordBegun(recorder: 0, identifier(7), clock: CivilTime("2024-01-31 12:00:07")!))
    },
    Case("DEV-5", "shown", "as long as announced") {
      meet(&$0)
      $0.state(.recordFinished(recorder: 0, identifier(1), octets: 448))
      $0.inform(identifier(1), size: 448)
      $0.download(identifier(1), size: 448)
    },
    Case("DEV-5", "violated", "longer than announced") {
      meet(&$0)
      $0.inform(identifier(1), size: 448)
      $0.download(identifier(1), size: 512)
    },
    Case("DEV-5", "violated", "announced otherwise than recorded") {
      meet(&$0)
      $0.state(.recordFinished(recorder: 0, identifier(1), octets: 512))
      $0.events.append(ProductEvent(at: $0.now, from: .recorder(), .fileTransfer(.informed(identifier(1), size: 448))))
    },
  ]

  static let service: [Case] = [
    Case("DEV-6", "shown", "every request answered") {
      serve(&$0)
      $0.list((0..<20).map(identifier))
      $0.inform(identifier(1), size: 0)
      $0.download(identifier(1), size: 0)
      $0.request(.fileSystemStatus)
      $0.notify(0x22, [0x03])
      $0.request(.receiveComplete)
      $0.disconnect()
      $0.wait(.seconds(60))
    },
    Case("DEV-6", "violated", "a list half told") {
      serve(&$0)
      $0.request(.listFiles)
      $0.notify(0x13, FilesList.firstPart(count: 8, identifiers: (0..<7).map(identifier)))
      $0.wait(.seconds(20))
    },
    Case("DEV-6", "violated", "a transfer falls silent") {
      serve(&$0)
      $0.inform(identifier(1), size: 4_000)
      $0.request(.fileData(identifier(1)))
      $0.notify(0x1C, [1, 2, 3])
      $0.wait(.seconds(10))
    },
    Case("DEV-6", "shown", "the link ended in the middle") {
      serve(&$0)
      $0.inform(identifier(1), size: 4_000)
      $0.request(.fileData(identifier(1)))
      $0.disconnect(reason: 0x08)
      $0.wait(.seconds(10))
    },
    Case("DEV-6", "violated", "no disconnection after everything was received") {
      meet(&$0)
      $0.request(.receiveComplete)
      $0.wait(.seconds(20))
    },
    Case("DEV-6", "notExercised", "what it need not answer") {
      meet(&$0)
      $0.request(.unaccepted([0x05]))
      $0.wait(.seconds(60))
    },
    Case("DEV-10", "shown", "refused in clear") {
      $0.connect()
      $0.discover()
      $0.ask([0x12, 0x10, 0x00, 0x01])
      $0.hear([0x01, 0x12, 0x10, 0x00, 0x05])
    },
    Case("DEV-10", "violated", "served in clear") {
      $0.connect()
      $0.discover()
      $0.list([])
    },
    Case("DEV-12", "shown", "a list in two parts") {
      meet(&$0)
      $0.list((0..<9).map(identifier))
    },
    Case("DEV-12", "violated", "both parts on one characteristic") {
      meet(&$0)
      $0.request(.listFiles)
      for part in FilesList.parts((0..<9).map(identifier)) { $0.notify(0x13, part) }
    },
    Case("DEV-12", "violated", "an info that is no info") {
      meet(&$0)
      $0.request(.fileInformation(identifier(1)))
      $0.notify(0x19, [0x05, 0x00, 0x7B])
    },
    Case("APP-1.2.1", "shown", "one request after the other") {
      meet(&$0)
      for _ in 0..<9 { $0.list([]) }
    },
    Case("APP-1.2.1", "violated", "a storm while a list is being made") {
      serve(&$0)
      for _ in 0..<5 { $0.request(.listFiles) }
    },
    Case("APP-1.2.1", "shown", "a transfer whose end nobody can see, and lists after it") {
      meet(&$0)
      $0.request(.fileData(identifier(1)))
      for _ in 0..<9 { $0.list([]) }
    },
    Case("DEV-13", "violated", "0x3B") {
      $0.connect()
      $0.disconnect(reason: 0x3B)
    },
  ]

  private static func time(_ script: inout PacketScript, aheadBy: Duration, setByHand: Bool = false) {
    script.events.append(ProductEvent(at: script.now, from: .recorder(), link: 1, .timeServed(nil)))
    if setByHand { script.state(.clockSetByHand(recorder: 0)) }
    script.wait(.seconds(1))
    script.state(.recorderClock(recorder: 0, phone: 0, aheadBy: aheadBy))
  }

  static func press(_ script: inout PacketScript) {
    script.state(.buttonPressed(recorder: 0))
    script.state(.buttonReleased(recorder: 0))
    script.wait(.seconds(3))
  }

  static func advertise(_ script: inout PacketScript, slots: UInt16) {
    script.events.append(
      ProductEvent(at: script.now, from: .recorder(), .advertisingStarted(intervalSlots: slots)))
  }

  static let all = battery + lowBattery + unheard + library + recorder + service + update + execution

  @Test(arguments: all)
  func monitorsJudgeTraces(_ testCase: Case) {
    let finding = Self.finding(testCase)
    #expect(finding.outcome.word == testCase.expected, "\(finding.outcome)")
  }

  @Test func everyMonitorIsSatisfiedAndViolatedByATrace() {
    for monitor in MonitorSet.everyMonitor {
      let words =
        Self.all.filter { $0.requirement == monitor.declaration.requirement }.map(\.expected)
        + (PromiseMonitorTests.cases + PromiseMonitorTests.promises).filter {
          $0.requirement == monitor.declaration.requirement
        }.map(\.outcome)
        + ServingMonitors.all.filter { $0.requirement == monitor.declaration.requirement }.map(\.outcome)
      #expect(words.contains("shown"), "\(monitor.declaration.requirement)")
      #expect(words.contains("violated"), "\(monitor.declaration.requirement)")
    }
  }
}
