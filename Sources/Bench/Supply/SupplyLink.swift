import Bytes
import Text
import Timeline
import World

/// Whether a supply has come to rest where it was sent.
struct SupplySettling {
  /// What was asked for, in millivolts.
  let target: Int
  let tolerance: Int
  /// Readings in a row that must agree: one may be chance while the voltage passes by.
  private static let readings = 2
  private var count = 0
  /// The last reading.
  private(set) var last: Int?

  init(target: Int, tolerance: Int) {
    self.target = target
    self.tolerance = tolerance
  }

  /// Takes a reading; whether it has settled.
  mutating func take(_ reading: Int) -> Bool {
    last = reading
    count = abs(reading - target) <= tolerance ? count + 1 : 0
    return count >= Self.readings
  }
}

/// A supply that speaks SCPI, as the bench uses it. Every setting is read back and measured.
package final class SupplyLink {
  private let dialogue: Dialogue<LineDialogue>
  /// Whether a question was not answered, after which no other will be.
  var isBroken: Bool { dialogue.isBroken }
  private let plan: SupplyPlan
  private let loop: EventLoop
  private let waits: Waits

  /// Time between two measurements while the voltage settles.
  private static let pace = Duration.milliseconds(50)
  /// Errors that a queue holds at most; usual ones hold 10 to 30.
  private static let longestQueue = 100
  /// What a switched-off output may still have, in millivolts.
  private static let restVoltage = 300

  /// Opens its line.
  package init(_ plan: SupplyPlan, on loop: EventLoop, _ waits: Waits) throws(ControlFailure) {
    guard let line = plan.line else {
      throw .bench("the bench file does not say where the supply is", advice: "state its line")
    }
    self.plan = plan
    self.loop = loop
    self.waits = waits
    dialogue = Dialogue(
      LineDialogue(), named: "supply at \(line.description)", on: try line.open(on: loop), loop, waits)
  }

  /// Makes sure that it is the supply that the bench file states, and changes nothing; what it says it is.
  package func recognise() async throws(ControlFailure) -> String {
    let answer = try await dialogue.line(Question("*IDN?"))
    guard answer.hasPrefix(plan.identity) else {
      throw .bench(
        "the \(dialogue.name) is `\(PlainText.escaped(answer, limit: 60))`, "
          + "not `\(PlainText.escaped(plan.identity))`", advice: "correct its address, or `identity`, in the bench file"
      )
    }
    return answer
  }

  /// Makes sure that it is the supply that the bench file states, forgets the errors that others left in its queue, and
  /// selects its output; what it says it is.
  @discardableResult
  package func identify() async throws(ControlFailure) -> String {
    let answer = try await recognise()
    try await forgetErrors()
    if let channel = plan.channel {
      try await order("INST:NSEL \(channel)")
      guard try await dialogue.line(Question("INST:NSEL?")) == String(channel) else {
        throw .bench("the \(dialogue.name) has no output \(channel)", advice: "correct `channel` in the bench file")
      }
    }
    return answer
  }

  /// Sets the voltage at which the recorder reports this, and waits until it is measured.
  package func set(reported: Int) async throws(ControlFailure) {
    guard let target = plan.terminalVoltage(reported: reported) else {
      throw .lacking("\(Ability.battery.capability) of \(SCPINumber.volts(reported)) V")
    }
    try await order("VOLT \(SCPINumber.volts(target))")
    let readBack = try await number("VOLT?")
    guard abs(readBack - target) <= plan.tolerance else {
      throw .bench(
        "the \(dialogue.name) was set to \(SCPINumber.volts(target)) V but reports \(SCPINumber.volts(readBack)) V",
        advice: "check its limits, and that no other program controls it")
    }
    guard try await isOn() else { return }
    // What it can set may lie between two of its steps.
    try await settle(at: readBack, tolerance: plan.tolerance)
  }

  /// Switches the output on or off, and waits until that is measured. It is never switched on beyond the highest voltage,
  /// whoever set that.
  package func setOutput(on: Bool) async throws(ControlFailure) {
    let voltage = on ? try await number("VOLT?") : 0
    guard voltage <= plan.highest else {
      throw .bench(
        "the \(dialogue.name) is set to \(SCPINumber.volts(voltage)) V, more than the "
          + "\(SCPINumber.volts(plan.highest)) V that its recorder may have, so its output stays off",
        advice: "set its voltage, or correct `highest` in the bench file")
    }
    try await order("OUTP \(on ? "ON" : "OFF")")
    guard try await isOn() == on else {
      throw .bench(
        "the \(dialogue.name) does not switch its output \(on ? "on" : "off")", advice: "check its protection")
    }
    try await settle(at: voltage, tolerance: on ? plan.tolerance : Self.restVoltage)
  }

  /// What the recorder should report now, in millivolts.
  package func measure() async throws(ControlFailure) -> Int {
    plan.calibration.reported(actual: try await number("MEAS:VOLT?"))
  }

  /// Asks for the current in microamperes, where the supply has nothing else to answer, without waiting for it.
  func look(_ answered: @escaping (Result<Int, ControlFailure>) -> Void) {
    let question = "MEAS:CURR?"
    dialogue.inquire(Question(question)) { [weak self] answer in
      guard let self else { return }
      answered(
        answer.flatMap { text in
          SCPINumber.microamperes(text).map { .success($0) } ?? .failure(strange(text, question))
        })
    }
  }

  /// Whether its output is on.
  func isOn() async throws(ControlFailure) -> Bool {
    let answer = try await dialogue.line(Question("OUTP?"))
    guard let isOn = ["1": true, "ON": true, "0": false, "OFF": false][answer] else { throw strange(answer, "OUTP?") }
    return isOn
  }

  private func settle(at target: Int, tolerance: Int) async throws(ControlFailure) {
    var settling = SupplySettling(target: target, tolerance: tolerance)
    let deadline = loop.now.advanced(by: plan.settling)
    while loop.now < deadline {
      if settling.take(try await number("MEAS:VOLT?")) { return }
      let pause = await waits.pass(Self.pace, on: loop)
      if case .failure(.interrupted) = pause { throw .ended(.interrupted) }
      guard case .success = pause else { break }
    }
    throw .bench(
      "the \(dialogue.name) was set to \(SCPINumber.volts(target)) V and measures "
        + "\(SCPINumber.volts(settling.last ?? 0)) V after \(DurationText.exact(plan.settling))",
      advice: "check its current limit and its leads"
    )
  }

  /// A setting, and the supply's own word on whether it took it (SCPI-99, 21.8).
  private func order(_ text: String) async throws(ControlFailure) {
    _ = try await dialogue.ask(Question(text, hasAnswer: false))
    let answer = try await oldestError()
    guard Self.isNoError(answer) else {
      throw .bench(
        "the \(dialogue.name) refused `\(text)` with `\(PlainText.escaped(answer, limit: 60))`",
        advice: "check its manual")
    }
  }

  /// The queue's oldest error, which leaves it (SCPI-99, 21.8.8).
  private func oldestError() async throws(ControlFailure) -> String { try await dialogue.line(Question("SYST:ERR?")) }

  private static func isNoError(_ answer: String) -> Bool { answer.hasPrefix("0,") || answer.hasPrefix("+0,") }

  /// Reads the queue until it is empty, so that an order of ours is not blamed for an error from before.
  private func forgetErrors() async throws(ControlFailure) {
    var answer = ""
    for _ in 0..<Self.longestQueue {
      answer = try await oldestError()
      if Self.isNoError(answer) { return }
    }
    throw .bench(
      "the \(dialogue.name) still tells `\(PlainText.escaped(answer, limit: 60))` after \(Self.longestQueue) errors",
      advice: "clear its error queue, and check that no other program controls it")
  }

  private func number(_ question: String) async throws(ControlFailure) -> Int {
    let answer = try await dialogue.line(Question(question))
    guard let millivolts = SCPINumber.millivolts(answer) else { throw strange(answer, question) }
    return millivolts
  }

  private func strange(_ answer: String, _ question: String) -> ControlFailure {
    .bench(
      "the \(dialogue.name) answered `\(PlainText.escaped(answer, limit: 60))` to `\(question)`",
      advice: "check that it speaks SCPI, and its language setting")
  }

  /// Gives the line back.
  package func close() { dialogue.close() }
}
