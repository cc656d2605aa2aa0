import Bytes
import Glibc
import Timeline
import World

/// Where an operator reads what to do, and answers.
public struct OperatorPlace: Sendable {
  /// Shows a prompt.
  public let show: @Sendable (String) -> Void
  /// Where the answers come from: standard input, or a pipe.
  public let answers: Int32

  /// A place that shows prompts by `show` and reads answers, one a line, from a descriptor that can be waited for.
  public init(answers: Int32, show: @escaping @Sendable (String) -> Void) {
    self.answers = answers
    self.show = show
  }
}

/// An operator's part of the work: several requests are one prompt, answered by one line.
public final class OperatorDesk {
  /// What an operator said.
  enum Answer: Hashable, Sendable {
    case done
    case refused(String)
    case left

    fileprivate var words: String? {
      switch self {
      case .done: "done"
      case .refused(let text): PlainText.escaped(text, limit: 120)
      case .left: nil
      }
    }
  }

  /// Something that was asked for.
  public struct Prompt: Hashable, Sendable {
    /// What was asked for, in plain text.
    public let text: String
    /// When, in the time of the scenario.
    public let asked: Instant
    /// When it was answered; `nil` where nobody did.
    public fileprivate(set) var answered: Instant?
    /// What was answered, in plain text; `nil` where nobody did.
    public fileprivate(set) var answer: String?
  }

  /// What was asked for until now.
  public private(set) var prompts: [Prompt] = []

  private let place: OperatorPlace
  private let plan: OperatorPlan
  private let loop: EventLoop
  private let waits: Waits
  private var cutter = LineCutter()

  /// An operator at a place, asked as the bench file says.
  public init(_ place: OperatorPlace, _ plan: OperatorPlan, on loop: EventLoop, _ waits: Waits) {
    self.place = place
    self.plan = plan
    self.loop = loop
    self.waits = waits
  }

  /// The prompt for some requests.
  static func prompt(_ requests: [String], within limit: Duration) -> String {
    let list =
      requests.count == 1
      ? requests[0] : requests.enumerated().map { "\n  \($0 + 1). \($1)" }.joined()
    return "OPERATOR: \(list)\n  Enter when done, or say what is wrong (\(limit.text)): "
  }

  /// What a line means: nothing and words of assent that it is done, everything else what is wrong.
  static func answer(_ line: String) -> Answer {
    let word = line.trimmingBlanks.lowercased()
    return ["", "y", "yes", "ok", "done"].contains(word) ? .done : .refused(line)
  }

  /// Asks for all of this at once, and waits until it is done.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` when nobody answers, or the operator cannot do it.
  public func ask(_ requests: [String]) async throws(ControlFailure) {
    guard !requests.isEmpty else { return }
    if case .refused(let text) = try await answer(
      to: Self.prompt(requests, within: plan.limit), spoken: requests.joined(separator: ". "))
    {
      throw .bench("the operator could not do it: \(PlainText.escaped(text, limit: 120))")
    }
  }

  /// Shows a prompt and waits for one line.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` when nobody answers.
  func answer(to prompt: String, spoken: String) async throws(ControlFailure) -> Answer {
    prompts.append(Prompt(text: PlainText.escaped(spoken, limit: 400), asked: loop.now))
    try await announce(prompt, spoken: spoken)
    let (loop, place, limit) = (loop, place, plan.limit)
    defer { loop.unwatch(place.answers) }
    var timer: ScheduledEvent?
    let answered = await waits.value { (resume: @escaping (Answer?) -> Void) in
      timer = loop.schedule(after: limit, .deadline) { resume(nil) }
      loop.watch(place.answers, for: .readable) { [weak self] _ in
        if let answer = self?.read() { resume(answer) }
      }
    }
    if let timer { loop.cancel(timer) }
    switch answered {
    case .success(.left?): throw .bench("the operator is gone: start again when somebody is there")
    case .success(let answer?):
      prompts[prompts.count - 1].answered = loop.now
      prompts[prompts.count - 1].answer = answer.words
      return answer
    case .success(nil), .failure:
      throw .bench("the operator did not answer within \(limit.text): start again when somebody is there")
    }
  }

  /// Tells the operator something without waiting for an answer.
  public func tell(_ text: String) async throws(ControlFailure) {
    try await announce("OPERATOR: \(text)", spoken: text)
  }

  private func announce(_ text: String, spoken: String) async throws(ControlFailure) {
    place.show(text)
    guard let voice = plan.voice else { return }
    // A voice that fails is no reason to stop: the prompt can be read.
    _ = try? await ExternalProgram(voice + [PlainText.escaped(spoken)], within: plan.limit).run(on: loop, waits)
  }

  /// What the operator has said, if a line is complete.
  private func read() -> Answer? {
    var block = [UInt8](repeating: 0, count: 1_024)
    let count = block.withUnsafeMutableBytes { Glibc.read(place.answers, $0.baseAddress, $0.count) }
    guard count > 0 else { return .left }
    var answer: Answer?
    for octet in block.prefix(count) {
      // An empty line is an answer, which no instrument gives.
      if octet == 0x0A, cutter.rest.isEmpty { answer = .done }
      if let line = cutter.take(octet) { answer = Self.answer(String(decoding: line, as: UTF8.self)) }
    }
    return answer
  }
}
