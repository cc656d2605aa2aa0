import DictofunProtocol
import HCI
import Testing
import Timeline
import Trace
import Verdicts

@testable import Requirements

/// A monitor that is shown every packet, whatever is enough for it.
private struct ShownEverything: Monitor {
  private var monitor: any Monitor

  init() { monitor = HonestProgress() }
  init(_ monitor: any Monitor) { self.monitor = monitor }

  var declaration: MonitorDeclaration { monitor.declaration }
  var preconditionCount: Int { monitor.preconditionCount }
  var endsSteps: Bool { monitor.endsSteps }
  var interests: EventKinds { monitor.interests }
  var deadline: Instant? { monitor.deadline }
  mutating func observe(_ event: ProductEvent) -> Observation { monitor.observe(event) }
  mutating func reach(_ instant: Instant) -> Observation { monitor.reach(instant) }
  mutating func finish(at instant: Instant) -> Observation { monitor.finish(at: instant) }
}

/// Whoever says that the last packet of a row is enough finds what it would find in every packet.
@Suite struct LastPackets {
  private let chance: ChoiceStream
  private let record = RecordIdentifier(CivilTime(secondsSince2000: 757_425_600))
  private var received: UInt32 = 0
  private var now = Instant.zero
  private static let size: UInt32 = 1000

  init() { chance = ChoiceSource(seed: 1).stream("packets") }

  @Test func tellAsMuchAsAllOfThem() {
    var script = self
    var outcomes: Set<String> = []
    for _ in 0..<400 {
      var (each, last) = (MonitorSet(MonitorSet.everyMonitor.map(ShownEverything.init)), MonitorSet())
      for event in script.events() {
        each.observe(event)
        last.observe(event)
      }
      let findings = last.finish(at: script.now)
      let others = each.finish(at: script.now)
      let different = zip(findings, others).filter { $0 != $1 }.map(\.0.declaration.requirement)
      #expect(different == [])
      outcomes.formUnion(
        findings.filter { $0.outcome.word != "notExercised" }.map { "\($0.declaration.requirement) \($0.outcome.word)" }
      )
    }
    // Those to whom it is enough had something to judge, and not always the same.
    #expect(
      outcomes.isSuperset(of: ["DEV-6 shown", "DEV-6 violated", "DEV-9 shown", "DEV-9 violated", "DEV-5 violated"]))
    #expect(outcomes.isSuperset(of: ["APP-1.2.2.2 shown", "APP-1.2.2.2 violated"]))
  }

  /// A link on which a record is sent, while anything else may happen.
  private mutating func events() -> [ProductEvent] {
    received = 0
    now = .zero
    let start: [(TraceSource, Happening)] = [
      (.world, .oracle(.air(isClear: true))), (.world, .oracle(.recorderPowered(recorder: 0, isOn: true))),
      (.world, .oracle(.recorderState(recorder: 0, name: "BLE_OPERATION"))), (.recorder(), up(.peripheral)),
      (.phone(), up(.central)),
      (.phone(), .fileTransfer(.informed(record, size: Self.size))),
    ]
    return start.map { event($0, $1) } + (0..<60).map { _ in next() }
  }

  private func up(_ role: LinkRole) -> Happening {
    .linkUp(role: role, LELinkParameters(intervalUnits: 12, latency: 0, supervisionTimeoutUnits: 400))
  }

  private mutating func next() -> ProductEvent {
    now = now.advanced(by: .milliseconds(Int64(chance.below(60) == 0 ? 9_000 : 20)))
    switch chance.below(60) {
    case 0: return event(.world, .oracle(.recorderState(recorder: 0, name: "SHUTDOWN")))
    case 1: return event(.world, .oracle(.recordFinished(recorder: 0, record, octets: 2000)))
    case 2, 3: return event(.world, .oracle(.progressShown(phone: 0, record, received: received, total: Self.size)))
    case 4: return event(.world, .oracle(.progressShown(phone: 0, record, received: received + 1, total: Self.size)))
    case 5: return event(.phone(), .fileTransfer(.requested(.fileData(record))))
    case 6, 7: return event(.phone(), .fileTransfer(.requestTaken(.fileData(record))))
    case 8: return event(.phone(), .fileTransfer(.status(.fileNotFound(record))))
    case 9: return event(.recorder(), .linkDown(.connectionTimeout))
    case 10: return event(.phone(), .fileTransfer(.completed(record, octets: Self.size)))
    case 11: return event(.world, .oracle(.buttonPressed(recorder: 0)))
    case 12: return data(size: nil)
    default: return data(size: Self.size)
    }
  }

  private mutating func data(size: UInt32?) -> ProductEvent {
    received += 40
    return event(.phone(), .fileTransfer(.data(record, octets: 40, received: received, size: size)))
  }

  private func event(_ source: TraceSource, _ happening: Happening) -> ProductEvent {
    ProductEvent(at: now, from: source, link: source.isHost ? 1 : 0, happening)
  }
}
