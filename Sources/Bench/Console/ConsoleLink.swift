import Bytes
import Text
import Timeline
import World

/// The recorder's console, as the bench uses it.
package final class ConsoleLink {
  private let dialogue: Dialogue<ConsoleDialogue>
  private let plan: ConsolePlan
  private let waits: Waits
  private let loop: EventLoop
  var onLog: ((ConsoleLog) -> Void)?
  /// Told of every line of the log, whoever else waits for some of them.
  var onSaid: ((ConsoleLog) -> Void)?
  /// Told of every line of the log while an operator is asked for something.
  var onWitnessed: ((ConsoleLog) -> Void)?
  /// What the recorder told of its boots and links; the latest.
  private var tidings: [String] = []
  /// The boot banner that it showed last; `nil` for none so far.
  private(set) var banner: String?

  /// Time from a reset to the banner.
  private static let bootTime = Duration.seconds(5)
  /// The longest time that the firmware gives an erase of the chip.
  private static let eraseTime = Duration.seconds(60)
  /// The longest time that one block may take (2,000 ticks).
  private static let quiet = Duration.seconds(2)
  /// Times that the banner is waited for: the log loses lines.
  private static let bootAttempts = 3
  private static let tidingLimit = 16

  /// Opens the console.
  package init(_ plan: ConsolePlan, on loop: EventLoop, _ waits: Waits) throws(ControlFailure) {
    guard let line = plan.line else {
      throw .bench("the bench file does not say where the console is", advice: "state its line")
    }
    self.plan = plan
    self.loop = loop
    self.waits = waits
    dialogue = Dialogue(
      ConsoleDialogue(), named: "console at \(line.description)", on: try line.open(on: loop), loop, waits)
    dialogue.onHeard = { [weak self] line in
      if let log = ConsoleLog(line) { self?.take(log) }
    }
  }

  private func take(_ log: ConsoleLog) {
    onLog?(log)
    onSaid?(log)
    onWitnessed?(log)
    if log.isBootBanner { banner = log.text }
    guard [FirmwareSense.banner, "Connected", "Disconnected"].contains(where: log.text.hasPrefix) else { return }
    if tidings.count == Self.tidingLimit { tidings.removeFirst() }
    tidings.append(log.text)
  }

  /// What messages call it.
  var name: String { dialogue.name }

  /// Whether the recorder told of a link, or of a boot where that counts, since this was last forgotten.
  func hasTold(ofBoots: Bool) -> Bool { tidings.contains { ofBoots || !$0.hasPrefix(FirmwareSense.banner) } }

  /// Forgets what the recorder told.
  func forgetTidings() { tidings.removeAll() }

  /// Makes sure that a recorder is at the other end. Nothing is changed.
  package func identify() async throws(ControlFailure) { try await perform(.version) }

  /// Whether anything answers; a recorder that is off does not.
  func isAnswering() async -> Bool {
    var question = Question(ConsoleCommand.version.text, patience: Self.quiet)
    question.maySilenceAnswer = true
    return (try? await dialogue.ask(question)) != nil
  }

  /// Makes sure that it runs the firmware that the bench file states, for which the recorder is reset.
  package func checkImage() async throws(ControlFailure) {
    guard let image = plan.image else { return }
    for _ in 0..<Self.bootAttempts {
      guard let banner = try await bannerAfterReset() else { continue }
      guard banner.contains(image) else {
        throw .bench(
          "the \(dialogue.name) runs `\(PlainText.escaped(banner, limit: 80))`, not \(PlainText.escaped(image))",
          advice: "flash the intended firmware, or correct `image` in the bench file")
      }
      return
    }
    throw .bench(
      "the \(dialogue.name) showed no boot banner after \(Self.bootAttempts) resets",
      advice: "try again without `image`")
  }

  /// Types a command.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` when the console does not acknowledge it.
  package func perform(_ command: ConsoleCommand) async throws(ControlFailure) {
    let answer = try await dialogue.ask(Question(command.text))
    guard answer.last == command.acknowledgement else {
      throw .bench(
        "the \(dialogue.name) answered `\(PlainText.escaped(answer.last ?? "", limit: 60))` to `\(command.text)`",
        advice: "check that a recorder's application is running there")
    }
  }

  /// Erases the flash chip, and has the recorder make an empty file system on it.
  ///
  /// The chip's erase makes no file system (test 1); the mount at the next boot finds none and formats. A boot that
  /// formats leaves the file transfer deaf, so another follows.
  package func eraseRecords() async throws(ControlFailure) {
    try await perform(.memoryTest(1, start: nil, end: nil))
    try await waitForQuiet()
    for _ in 0..<2 {
      try await perform(.reset)
      try await waitForQuiet()
    }
  }

  /// Waits until no log of erasing came for a while: every block of the flash is one, and most of them arrive.
  private func waitForQuiet() async throws(ControlFailure) {
    defer { onLog = nil }
    var lastErase = loop.now
    onLog = { [loop] log in if log.text.hasPrefix("erasing") { lastErase = loop.now } }
    let deadline = loop.now.advanced(by: Self.eraseTime)
    while loop.now < lastErase.advanced(by: Self.quiet), loop.now < deadline {
      guard case .success = await waits.pass(.milliseconds(250), on: loop) else {
        throw .bench("the \(dialogue.name) did not finish erasing the records before the step timed out")
      }
    }
  }

  /// Resets the recorder and takes its banner; `nil` when the log lost it.
  private func bannerAfterReset() async throws(ControlFailure) -> String? {
    defer { onLog = nil }
    var banner: String?
    var resume: ((String?) -> Void)?
    onLog = { log in
      guard log.text.hasPrefix(FirmwareSense.banner) else { return }
      banner = log.text
      resume?(log.text)
    }
    try await perform(.reset)
    if let banner { return banner }
    let (loop, bootTime) = (loop, Self.bootTime)
    let found = await waits.value { (done: @escaping (String?) -> Void) in
      resume = done
      loop.schedule(after: bootTime, .deadline) { done(nil) }
    }
    resume = nil
    guard case .success(let text) = found else {
      throw .bench("the \(dialogue.name) did not boot before the step timed out")
    }
    return text
  }

  /// Gives the line back.
  package func close() { dialogue.close() }
}
