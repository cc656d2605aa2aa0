import Recorder
import Text
import Timeline
import World

/// Sees at a recorder's console whether an operator did what a prompt asks for.
///
/// What the log tells confirms a prompt by itself. The log loses lines, so its silence tells nothing: after the operator's
/// Enter the console is asked, where its answer, or that there is none, shows whether the recorder has power.
final class ConsoleWitness: PromptWitness {
  /// Told when everything that was asked for has been seen.
  var onSeen: (() -> Void)?

  private let deeds: [Deed]
  private let console: ConsoleLink
  private let loop: EventLoop
  private let waits: Waits
  /// What was seen of each deed since the prompt; `nil` for nothing.
  private var seen: [String?]
  /// The last battery voltage that the recorder told since the prompt, in millivolts.
  private var told: Int?
  private var onTold: (() -> Void)?

  /// From an event to its line, and some more.
  private static let latency = Duration.milliseconds(200)
  /// The battery's log comes every 10 s, and the recorder smooths what it measures.
  private static let settling = Duration.seconds(45)
  /// The log has one decimal place, which is cut off.
  private static let step = 100
  /// How a transition ends to which only the button leads: into `recordPrepare` and `recording`.
  private static let presses = [SystemState.recordPrepare, .recording].map { "->\($0.rawValue)" }
  private static let battery = "state::batt:"

  /// A witness of deeds to the recorder at a console.
  init(_ deeds: [Deed], at console: ConsoleLink, on loop: EventLoop, _ waits: Waits) {
    self.deeds = deeds
    self.console = console
    self.loop = loop
    self.waits = waits
    seen = deeds.map { _ in nil }
  }

  /// Begins to look, when the prompt is shown.
  func begin() {
    seen = deeds.map { _ in nil }
    told = nil
    // What the log tells at once happened before the prompt.
    let begin = loop.now.advanced(by: Self.latency)
    console.onWitnessed = { [weak self, loop] log in
      if loop.now >= begin { self?.take(log.text) }
    }
  }

  /// Stops looking.
  func end() {
    console.onWitnessed = nil
    onSeen = nil
  }

  /// Whether everything that was asked for has been seen.
  var isConvinced: Bool { !seen.contains(nil) }

  /// What was seen, for reports; `nil` for nothing.
  var account: String? {
    let facts = seen.compactMap { $0 }
    return facts.isEmpty ? nil : facts.joined(separator: ", ")
  }

  private func take(_ text: String) {
    if text.hasPrefix(Self.battery) { told = Self.millivolts(text) }
    for (index, deed) in deeds.enumerated() {
      if let fact = fact(text, of: deed) { seen[index] = "the console: \(PlainText.escaped(fact, limit: 60))" }
    }
    onTold?()
    if isConvinced { onSeen?() }
  }

  /// What a line of the log proves of a deed; `nil` for nothing.
  private func fact(_ text: String, of deed: Deed) -> String? {
    switch deed {
    case .press:
      text.hasPrefix("created record [") || Self.presses.contains(where: text.hasSuffix)
        || text.hasPrefix(FirmwareSense.banner)
        ? text : nil
    case .powerOn: text.hasPrefix(FirmwareSense.banner) ? "it booted" : nil
    case .setBattery(let millivolts):
      Self.millivolts(text).map { abs($0 - millivolts) <= Self.step } == true ? text : nil
    case .release, .cutPower, .setClock, .eraseRecords, .forgetBonds, .installFirmware: nil
    }
  }

  /// The voltage in `state::batt:3.7V`; `nil` in any other line.
  private static func millivolts(_ text: String) -> Int? {
    guard text.hasPrefix(battery), text.hasSuffix("V") else { return nil }
    let parts = text.dropFirst(battery.count).dropLast().split(separator: ".")
    guard parts.count == 2, parts[1].count == 1, let whole = Int(parts[0]), let tenth = Int(parts[1]),
      (0...9).contains(whole), (0...9).contains(tenth)
    else { return nil }
    return whole * 1_000 + tenth * 100
  }

  /// What contradicts the operator, who says that it is done; `nil` for nothing.
  ///
  /// - Throws: ``ControlFailure/ended(_:)`` where the step is given up meanwhile.
  func contradiction() async throws(ControlFailure) -> String? {
    for (index, deed) in deeds.enumerated() where seen[index] == nil {
      switch deed {
      case .powerOn:
        guard await console.isAnswering() else { return "the console does not answer, so the recorder has no power" }
        seen[index] = "the console: it answers"
      case .cutPower:
        guard await !console.isAnswering() else { return "the console answers, so the recorder has power" }
        seen[index] = "the console: it is silent"
      case .setBattery(let millivolts):
        try await awaitBattery(index)
        if seen[index] == nil, let told {
          let volts = (told: SCPINumber.volts(told), wanted: SCPINumber.volts(millivolts))
          return "the recorder reports \(volts.told) V at its console, not \(volts.wanted) V"
        }
      case .press, .release, .setClock, .eraseRecords, .forgetBonds, .installFirmware: break
      }
    }
    return nil
  }

  /// Waits until the recorder reports the battery that was asked for, or has had the time for it.
  private func awaitBattery(_ index: Int) async throws(ControlFailure) {
    let loop = loop
    var timer: ScheduledEvent?
    let end = await waits.value { (resume: @escaping (Bool) -> Void) in
      timer = loop.schedule(after: Self.settling, .deadline) { resume(false) }
      onTold = { [weak self] in if self?.seen[index] != nil { resume(true) } }
    }
    onTold = nil
    if let timer { loop.cancel(timer) }
    if case .failure(let reason) = end { throw .ended(reason) }
  }
}
