import Bytes
import Text
import Timeline
import World

/// An instrument at the end of a line: performs what its protocol's machine wants.
package final class Dialogue<Machine: DialogueMachine> {
  /// What messages call the instrument, such as `supply at /dev/ttyUSB0`.
  package let name: String
  /// Told of every line that answers nothing.
  package var onHeard: ((String) -> Void)?

  /// Whether a question was not answered, after which no other will be.
  package private(set) var isBroken = false

  private let line: TextLine
  private let loop: EventLoop
  private let waits: Waits
  private var machine: Machine
  private var patience: ScheduledEvent?
  /// Whether silence is an answer to what was asked last.
  private var maySilenceAnswer = false
  private var resume: ((Result<[String], DialogueFailure>) -> Void)?
  /// Told when an inquiry has its answer, so that a question can be asked.
  private var whenFree: ((()) -> Void)?

  /// Stands at a line, which it closes in the end.
  package init(_ machine: Machine, named name: String, on line: TextLine, _ loop: EventLoop, _ waits: Waits) {
    self.machine = machine
    self.name = name
    self.line = line
    self.loop = loop
    self.waits = waits
    line.onOctets = { [weak self] in self?.feed(.octets($0)) }
    line.onClosed = { [weak self] in
      self?.isBroken = true
      self?.feed(.closed($0))
    }
  }

  /// Asks, and waits for the answer.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with one sentence on what to do: never the device's fault.
  package func ask(_ question: Question) async throws(ControlFailure) -> [String] {
    if resume != nil {
      // An instrument answers one thing at a time, and a sensor has just asked for something.
      let turn = await waits.value { (free: @escaping (()) -> Void) in whenFree = free }
      if case .failure(let end) = turn { throw .bench("the \(name) was still answering when \(end.clause)") }
    }
    let result = await waits.value { (resume: @escaping (Result<[String], DialogueFailure>) -> Void) in
      self.resume = resume
      maySilenceAnswer = question.maySilenceAnswer
      feed(.ask(question))
    }
    resume = nil
    switch result {
    case .success(.success(let lines)): return lines
    case .success(.failure(let failure)): throw .bench(failure.fault(of: name))
    case .failure(let end):
      // Nobody waits any more; a late answer must not be taken for that of another question.
      feed(.patienceEnded)
      throw .bench("the \(name) had not answered `\(PlainText.escaped(question.text))` when \(end.clause)")
    }
  }

  /// Asks what is answered with one line.
  package func line(_ question: Question) async throws(ControlFailure) -> String {
    try await ask(question).first ?? ""
  }

  /// Asks what is answered with one line, where no other answer is awaited, without waiting for the answer; `answered` is
  /// told it, or at once why no answer will ever come. Nothing is asked otherwise.
  package func inquire(_ question: Question, _ answered: @escaping (Result<String, ControlFailure>) -> Void) {
    guard resume == nil else { return }
    resume = { [weak self, name] result in
      answered(result.map { $0.first ?? "" }.mapError { .bench($0.fault(of: name)) })
      let free = self?.whenFree
      self?.whenFree = nil
      free?(())
    }
    feed(.ask(question))
  }

  /// Sends an empty line, which asks nothing and has no answer.
  package func nudge() { if !isBroken { line.send([0x0A]) } }

  /// Gives the line back.
  package func close() {
    if let patience { loop.cancel(patience) }
    line.close()
  }

  private func feed(_ input: DialogueInput) {
    var effects: [DialogueEffect] = []
    machine.handle(input, &effects)
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: DialogueEffect) {
    switch effect {
    case .send(let octets): line.send(octets)
    case .startPatience(let time):
      patience = loop.schedule(after: time, .deadline) { [weak self] in self?.feed(.patienceEnded) }
    case .stopPatience:
      if let patience { loop.cancel(patience) }
      patience = nil
    case .answer(let result):
      if case .failure(let failure) = result, !(maySilenceAnswer && failure.isSilence) { isBroken = true }
      maySilenceAnswer = false
      let resume = resume
      self.resume = nil
      resume?(result)
    case .heard(let text): onHeard?(text)
    }
  }
}

extension WaitEnd {
  /// What ended a wait for an instrument, behind "when".
  fileprivate var clause: String {
    switch self {
    case .deadline: "the step timed out"
    case .starved: "the simulation went idle"
    case .interrupted: "the wait was interrupted"
    case .timeout: "the scenario's timeout was over"
    case .forbidden: "something happened that must not"
    }
  }
}

extension DialogueFailure {
  /// Whether nothing came.
  fileprivate var isSilence: Bool { if case .silence = self { true } else { false } }

  /// What is wrong with the instrument of that name, and what to do.
  func fault(of name: String) -> BenchFault {
    switch self {
    case .silence(let question, let patience):
      BenchFault(
        "the \(name) did not answer `\(PlainText.escaped(question, limit: 40))` within \(DurationText.exact(patience))",
        advice: "check its power, its cable, its speed and the name of its port", cause: .silence)
    case .nonsense(let piece):
      BenchFault(
        "the \(name) sent `\(PlainText.escaped(piece, limit: 40))`, which is not an answer",
        advice: "check the speed, and which port it is")
    case .closed(let reason):
      BenchFault("the \(name) is gone (\(PlainText.escaped(reason)))", advice: "check its power and its cable")
    }
  }
}
