import Bytes
import System
import Text
import Timeline
import World

/// An operator's part of the work: several requests are one prompt, answered by one line.
package final class OperatorDesk {
  /// What an operator said of something to do.
  enum Answer: Hashable, Sendable {
    case done
    case refused(String)
  }

  /// What comes of waiting for a line.
  private enum Reply<Value: Sendable>: Sendable {
    case understood(Value)
    /// Nobody typed anything, and it was seen to be done.
    case seen(Value)
    case left
    case late
  }

  /// Something that was asked for.
  package struct Prompt: Hashable, Sendable {
    /// What was asked for, in plain text.
    package let text: String
    /// When, in the time of the scenario.
    package let asked: Instant
    /// When it was answered; `nil` where nobody did.
    package fileprivate(set) var answered: Instant?
    /// What was answered, in plain text; `nil` where nobody did.
    package fileprivate(set) var answer: String?
  }

  /// What was asked for until now.
  package private(set) var prompts: [Prompt] = []

  private let place: OperatorPlace
  private let plan: OperatorPlan
  private let loop: EventLoop
  private let waits: Waits
  /// What was typed of a line that is not ended yet.
  private var typed: [UInt8] = []
  private var voice: SpokenPrompt?

  /// Octets of one line; what is beyond them is not kept.
  private static let lineLimit = 1_024

  /// An operator at a place, asked as the bench file says.
  package init(_ place: OperatorPlace, _ plan: OperatorPlan, on loop: EventLoop, _ waits: Waits) {
    self.place = place
    self.plan = plan
    self.loop = loop
    self.waits = waits
  }

  /// The prompt for some requests.
  static func prompt(_ requests: [String], of subject: String = "", within limit: Duration) -> String {
    let list =
      requests.count == 1
      ? requests[0] : requests.enumerated().map { "\n  \($0 + 1). \($1)" }.joined()
    let whom = subject.isEmpty ? "" : ", \(subject)"
    return "OPERATOR\(whom): \(list)\n  Enter when done, or say what is wrong (\(DurationText.exact(limit))): "
  }

  /// What a line means: nothing and words of assent that it is done, everything else what is wrong.
  static func answer(_ line: String) -> Answer {
    ["", "y", "yes", "ok", "done"].contains(line.plainWord) ? .done : .refused(line)
  }

  /// What a line means where yes or no is asked for; `nil` for everything else, an empty line too.
  static func isYes(_ line: String) -> Bool? {
    switch line.plainWord {
    case "y", "yes": true
    case "n", "no": false
    default: nil
    }
  }

  /// How many times a prompt is shown whose answer is contradicted.
  private static let attempts = 3

  /// Asks for all of this at once, and waits until it is done.
  ///
  /// Requests `areOfSeveral` recorders name them by themselves. What all `witnesses` see confirms the prompt without an
  /// answer, where they see everything that was asked for (`isComplete`). An answer that one of them contradicts is not
  /// taken: the prompt is repeated with what was seen.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` when nobody answers, the operator cannot do it, or is contradicted to the end.
  func ask(
    _ requests: [String], areOfSeveral: Bool = false, seenBy witnesses: [any PromptWitness] = [],
    isComplete: Bool = true
  ) async throws(ControlFailure) {
    guard !requests.isEmpty else { return }
    var place = place
    if areOfSeveral { place.recorder = nil }
    defer { for witness in witnesses { witness.end() } }
    var contradiction: String?
    for _ in 0..<Self.attempts {
      var prompt = Self.prompt(requests, of: place.subject, within: plan.limit)
      if let contradiction { prompt = "OPERATOR: not done yet, because \(contradiction).\n\(prompt)" }
      for witness in witnesses { witness.begin() }
      let answer = try await answer(
        to: prompt, spoken: Self.spoken(requests, at: place), seenBy: isComplete ? witnesses : [], as: .done,
        Self.answer)
      if case .refused(let text) = answer {
        throw .bench("the operator could not do it: \(PlainText.escaped(text, limit: 120))")
      }
      contradiction = try await Self.contradiction(of: witnesses)
      let accounts = witnesses.compactMap(\.account)
      let account = contradiction.map { "contradicted: \($0)" } ?? accounts.joined(separator: ", ")
      if !account.isEmpty { prompts[prompts.count - 1].answer? += " (\(account))" }
      if contradiction == nil { return }
    }
    throw .bench(
      "the operator said \(Self.attempts) times that it was done, but \(contradiction ?? "")",
      advice: "check which recorder is meant, and the console's port")
  }

  private static func contradiction(of witnesses: [any PromptWitness]) async throws(ControlFailure) -> String? {
    for witness in witnesses { if let found = try await witness.contradiction() { return found } }
    return nil
  }

  /// The requests as they are spoken and reported, with whom they are about.
  private static func spoken(_ requests: [String], at place: OperatorPlace) -> String {
    (place.subject.isEmpty ? "" : "\(place.subject): ") + requests.joined(separator: ". ")
  }

  /// How long nothing is done before the operator is looked for again, whom another bench asks.
  private static let pause = Duration.milliseconds(200)

  /// Waits until no other bench asks the operator.
  private func takeTurn() async throws(ControlFailure) {
    while !place.turn.take() {
      let pause = await waits.pass(Self.pause, on: loop)
      if case .failure(.interrupted) = pause { throw .ended(.interrupted) }
      guard case .success = pause else {
        throw .bench("the operator was busy with another bench", advice: "give the steps more time with `tolerance:`")
      }
    }
  }

  /// Shows a prompt and waits for a line that `read` understands, or until all `witnesses` saw that it is done, which is
  /// then the value `seen`; after any other `again` is shown, and the time goes on.
  /// What was typed before the prompt answers nothing.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` when nobody answers; ``ControlFailure/ended(_:)`` when the user wants to stop.
  func answer<Value: Sendable>(
    to prompt: String, spoken: String, again: String = "", seenBy witnesses: [any PromptWitness] = [],
    as seen: Value? = nil, _ read: @escaping (String) -> Value?
  ) async throws(ControlFailure) -> Value {
    try await takeTurn()
    defer { place.turn.giveBack() }
    prompts.append(Prompt(text: PlainText.escaped(spoken, limit: 400), asked: loop.now))
    forgetWhatWasTyped()
    announce(prompt, spoken: spoken)
    let (loop, place, limit) = (loop, place, plan.limit)
    var timer: ScheduledEvent?
    let answered = await waits.value { (resume: @escaping (Reply<Value>) -> Void) in
      timer = loop.schedule(after: limit, .deadline) { resume(.late) }
      if let seen {
        for witness in witnesses {
          witness.onSeen = { if witnesses.allSatisfy(\.isConvinced) { resume(.seen(seen)) } }
        }
      }
      loop.watch(place.answers, for: .readable) { [weak self] _ in
        guard let self else { return }
        guard let lines = lines() else { return resume(.left) }
        for line in lines {
          guard let value = read(line) else { continue }
          prompts[prompts.count - 1].answer = line.isEmpty ? "done" : PlainText.escaped(line, limit: 120)
          return resume(.understood(value))
        }
        if !lines.isEmpty { place.show(again) }
      }
    }
    loop.unwatch(place.answers)
    for witness in witnesses { witness.onSeen = nil }
    if let timer { loop.cancel(timer) }
    voice = nil
    switch answered {
    case .success(.understood(let value)):
      prompts[prompts.count - 1].answered = loop.now
      return value
    case .success(.seen(let value)):
      place.show("seen: \(witnesses.compactMap(\.account).joined(separator: ", "))")
      prompts[prompts.count - 1].answered = loop.now
      prompts[prompts.count - 1].answer = "not typed"
      return value
    case .failure(.interrupted): throw .ended(.interrupted)
    case .success(.left): throw .bench("the operator is gone", advice: "start again when somebody is there")
    case .success(.late), .failure:
      throw .bench(
        "the operator did not answer within \(DurationText.exact(limit))", advice: "start again when somebody is there")
    }
  }

  /// Tells the operator something without waiting for an answer.
  package func tell(_ text: String) {
    let subject = place.subject.isEmpty ? "" : ", \(place.subject)"
    announce("OPERATOR\(subject): \(text)", spoken: Self.spoken([text], at: place))
  }

  /// Says nothing more.
  func close() { voice = nil }

  private func announce(_ text: String, spoken: String) {
    place.show(text)
    guard let words = plan.voice else { return }
    // Nobody waits for a voice that fails or hangs: the prompt can be read.
    voice = SpokenPrompt(words + [PlainText.escaped(spoken)], on: loop)
  }

  /// An Enter too many must not confirm what was not asked for yet.
  private func forgetWhatWasTyped() {
    typed.removeAll()
    let answers = FileDescriptor(borrowing: place.answers)
    // A terminal that is gone has nothing left to forget, and reading it says so.
    if answers.isTerminal { try? answers.discardInput() }
  }

  /// The lines that came; `nil` when nobody is there any more.
  private func lines() -> [String]? {
    let octets: [UInt8]
    do { octets = try FileDescriptor(borrowing: place.answers).read(upTo: Self.lineLimit) ?? [] } catch { return nil }
    guard !octets.isEmpty else { return nil }
    var lines: [String] = []
    for octet in octets {
      if octet == 0x0A {
        lines.append(String(decoding: typed, as: UTF8.self))
        typed.removeAll()
      } else if octet != 0x0D, typed.count < Self.lineLimit {
        typed.append(octet)
      }
    }
    return lines
  }
}

extension String {
  /// Lower case, without blanks around it and a full stop at its end.
  fileprivate var plainWord: String {
    let text = trimmingBlanks
    return (text.last == "." ? String(text.dropLast()) : text).lowercased()
  }
}
