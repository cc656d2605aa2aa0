import Bytes
import Text
import Timeline
import World

/// The Pico under the bed of nails, as the bench uses it.
package final class PicoLink {
  private let dialogue: Dialogue<LineDialogue>
  private let plan: PicoPlan
  private let loop: EventLoop
  /// The next sign of life while the button is down.
  private var sign: ScheduledEvent?

  /// Whether a question was not answered, after which no other will be.
  var isBroken: Bool { dialogue.isBroken }

  /// Time between two signs of life, a third of the Pico's patience.
  private static let pace = PicoServer.patience / 3

  /// Opens its line.
  package init(_ plan: PicoPlan, on loop: EventLoop, _ waits: Waits) throws(ControlFailure) {
    guard let line = plan.line else {
      throw .bench("the bench file does not say where the Pico is", advice: "state its line")
    }
    self.plan = plan
    self.loop = loop
    dialogue = Dialogue(LineDialogue(), named: "Pico at \(line.description)", on: try line.open(on: loop), loop, waits)
  }

  /// Makes sure that our firmware is at the other end, and the Pico that the bench file states; what it says it is.
  @discardableResult
  package func identify() async throws(ControlFailure) -> String {
    let answer = try await dialogue.line(Question(PicoCommand.version.text))
    guard answer.hasPrefix(PicoServer.name + " ") else {
      throw .bench(
        "the \(dialogue.name) says it is `\(PlainText.escaped(answer, limit: 60))`, not `\(PicoServer.name)`",
        advice: "copy bench/pico/main.py onto it, or correct its port")
    }
    let serial = answer.dropFirst(PicoServer.name.count + 1)
    if let wanted = plan.serial, serial != wanted {
      throw .bench(
        "the \(dialogue.name) is \(PlainText.escaped(serial)), not \(PlainText.escaped(wanted))",
        advice: "correct its port, or `serial`, in the bench file")
    }
    return answer
  }

  /// Presses the button or lets it go, and makes sure that the nails feel it.
  package func setButton(pressed: Bool) async throws(ControlFailure) {
    stopSigns()
    if pressed { giveSign() }
    try await order(pressed ? .press : .release)
    guard try await sense().isPressed == pressed else { throw unfelt(pressed: pressed) }
  }

  private func unfelt(pressed: Bool) -> ControlFailure {
    .bench(
      "the \(dialogue.name) \(pressed ? "pressed" : "released") the button, but its nail does not feel it",
      advice: "check that the recorder sits in the bed of nails")
  }

  /// Presses the button for a time that the Pico measures itself, in whole milliseconds and at least one: nobody can be
  /// held up between the press and the release. Returns when the Pico has begun.
  func hold(for time: Duration) async throws(ControlFailure) {
    stopSigns()
    try await order(.hold(milliseconds: Int(clamping: max(1, time.wholeNanoseconds / 1_000_000))))
    guard time >= Self.longEnoughToFeel else { return }
    guard try await sense().isPressed else { throw unfelt(pressed: true) }
  }

  /// Waits until the nails feel that the button is up again, a moment after ``hold(for:)`` should have ended.
  func awaitRelease() async throws(ControlFailure) {
    let end = loop.now.advanced(by: Self.releaseLimit)
    while try await sense().isPressed {
      guard loop.now < end else { throw unfelt(pressed: false) }
    }
  }

  /// A shorter press may be over before its nail is looked at.
  private static let longEnoughToFeel = Duration.milliseconds(500)
  private static let releaseLimit = Duration.seconds(1)

  /// Forces the power latch, and makes sure that the nails feel it.
  package func setLatch(_ isOn: Bool) async throws(ControlFailure) {
    try await order(.latch(isOn))
    guard try await sense().isLatched == isOn else {
      throw .bench(
        "the \(dialogue.name) forced the power latch \(isOn ? "on" : "off"), but its nail does not feel it",
        advice: "check that the recorder sits in the bed of nails, and its supply")
    }
  }

  /// What the nails feel.
  package func sense() async throws(ControlFailure) -> PicoSense {
    let answer = try await dialogue.line(Question(PicoCommand.sense.text))
    guard let sense = PicoSense(answer) else { throw refused(answer, PicoCommand.sense) }
    return sense
  }

  /// Asks what the nails feel, where the Pico has nothing else to answer, without waiting for it.
  func look(_ answered: @escaping (Result<PicoSense, ControlFailure>) -> Void) {
    dialogue.inquire(Question(PicoCommand.sense.text)) { [weak self] answer in
      guard let self else { return }
      answered(answer.flatMap { text in PicoSense(text).map { .success($0) } ?? .failure(refused(text, .sense)) })
    }
  }

  /// The Pico lets the button go when nobody is there any more, so that a recorder does not record for ever.
  private func giveSign() {
    sign = loop.schedule(after: Self.pace, .background) { [weak self] in
      self?.dialogue.nudge()
      self?.giveSign()
    }
  }

  private func stopSigns() {
    if let sign { loop.cancel(sign) }
    sign = nil
  }

  private func order(_ command: PicoCommand) async throws(ControlFailure) {
    let answer = try await dialogue.line(Question(command.text))
    guard answer == "ok" else { throw refused(answer, command) }
  }

  private func refused(_ answer: String, _ command: PicoCommand) -> ControlFailure {
    .bench(
      "the \(dialogue.name) answered `\(PlainText.escaped(answer, limit: 60))` to `\(command.text)`",
      advice: "copy bench/pico/main.py onto it again")
  }

  /// Gives the line back.
  package func close() {
    stopSigns()
    dialogue.close()
  }
}
