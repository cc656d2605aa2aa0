import Bytes
import Requirements
import Testing
import Timeline
import Trace
import Verdicts

/// Whom a recorder pairs with, and whom it forgets, as a simulated world states it.
@Suite struct AdmissionMonitorTests {
  private static let hers = BluetoothAddress(0xC0FF_EE00_0001, .random)
  private static let his = BluetoothAddress(0xC0FF_EE00_0002, .random)

  struct Case: CustomTestStringConvertible {
    let requirement: String
    let testDescription: String
    let outcome: String
    /// What is stated, each so many seconds after the one before.
    let statements: [(after: Int, OracleEvent)]

    init(_ requirement: String, _ outcome: String, _ what: String, _ statements: [(after: Int, OracleEvent)]) {
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
      "DEV-14", "shown", "the one that asked",
      [(1, .unpairTold(recorder: 0, hers)), (0, .bondsRemoved(recorder: 0, [hers]))]),
    Case(
      "DEV-14", "violated", "another than the one that asked",
      [(1, .unpairTold(recorder: 0, hers)), (0, .bondsRemoved(recorder: 0, [his]))]),
    Case(
      "DEV-14", "violated", "everybody",
      [(1, .unpairTold(recorder: 0, hers)), (0, .bondsRemoved(recorder: 0, [hers, his]))]),
    Case("DEV-14", "violated", "nobody asked", [(1, .bondsRemoved(recorder: 0, [hers]))]),
    Case(
      "DEV-14", "violated", "nobody forgotten",
      [(1, .unpairTold(recorder: 0, hers)), (3, .buttonPressed(recorder: 0))]),
  ]

  @Test(arguments: cases) func judges(_ testCase: Case) {
    var monitors = MonitorSet()
    var now = Instant.zero
    for (after, statement) in testCase.statements {
      now = now.advanced(by: .seconds(after))
      monitors.observe(.oracle(statement, at: now))
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
}
