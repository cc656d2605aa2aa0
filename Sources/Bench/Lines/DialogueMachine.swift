/// One thing to ask an instrument.
package struct Question: Hashable, Sendable {
  /// What is sent, without the end of its line.
  package var text: String
  /// Whether an answer follows; settings of SCPI have none.
  package var hasAnswer: Bool
  /// How long the answer may take.
  package var patience: Duration
  /// Whether silence is an answer too, after which others may be asked.
  package var maySilenceAnswer = false

  package init(_ text: String, hasAnswer: Bool = true, patience: Duration = .seconds(5)) {
    self.text = text
    self.hasAnswer = hasAnswer
    self.patience = patience
  }
}

/// What reaches the machine of a text protocol.
package enum DialogueInput: Hashable, Sendable {
  /// Somebody asks; nobody asks before the last question is answered.
  case ask(Question)
  /// Octets came.
  case octets([UInt8])
  /// The time of the question is over.
  case patienceEnded
  /// The line is gone; why.
  case closed(String)
}

/// What the machine of a text protocol wants done.
package enum DialogueEffect: Hashable, Sendable {
  /// Send octets.
  case send([UInt8])
  /// Give ``DialogueInput/patienceEnded`` after this time, unless taken back.
  case startPatience(Duration)
  /// Take the end of patience back.
  case stopPatience
  /// The question is answered, by no line, one or several, or it failed.
  case answer(Result<[String], DialogueFailure>)
  /// A line came that answers nothing: a log.
  case heard(String)
}

/// Why a question was not answered. After one of them the two ends are out of step, and every later question fails alike.
package enum DialogueFailure: Error, Hashable, Sendable {
  /// Nothing came.
  case silence(question: String, patience: Duration)
  /// Something came that is not part of the protocol; a piece of it, unescaped.
  case nonsense(String)
  /// The line is gone; why.
  case closed(String)
}

/// The client's end of a text protocol: asks one question at a time.
package protocol DialogueMachine {
  /// Takes what happened and appends what to do about it.
  mutating func handle(_ input: DialogueInput, _ effects: inout [DialogueEffect])
}

/// Cuts octets into lines, which end with CR, LF or both.
struct LineCutter {
  /// Octets of one line; a peer that sends more never ends its line.
  static let limit = 1_024

  private(set) var rest: [UInt8] = []

  /// Whether more came without an end of line than any line has.
  var isOverlong: Bool { rest.count > Self.limit }

  /// Takes an octet; the line that it ends, unless that is empty.
  mutating func take(_ octet: UInt8) -> [UInt8]? {
    guard octet == 0x0A || octet == 0x0D else {
      if rest.count <= Self.limit { rest.append(octet) }
      return nil
    }
    defer { rest.removeAll(keepingCapacity: true) }
    return rest.isEmpty ? nil : rest
  }
}

/// A protocol of one line there and at most one line back: SCPI, and the Pico's.
package struct LineDialogue: DialogueMachine {
  private var cutter = LineCutter()
  private var question: Question?
  private var failure: DialogueFailure?

  package init() {}

  package mutating func handle(_ input: DialogueInput, _ effects: inout [DialogueEffect]) {
    switch input {
    case .ask(let asked):
      if let failure {
        effects.append(.answer(.failure(failure)))
        return
      }
      effects.append(.send(Array(asked.text.utf8) + [0x0A]))
      guard asked.hasAnswer else {
        effects.append(.answer(.success([])))
        return
      }
      question = asked
      effects.append(.startPatience(asked.patience))
    case .octets(let octets): take(octets, &effects)
    case .patienceEnded:
      guard let question else { return }
      fail(.silence(question: question.text, patience: question.patience), &effects)
    case .closed(let reason): fail(.closed(reason), &effects)
    }
  }

  private mutating func take(_ octets: [UInt8], _ effects: inout [DialogueEffect]) {
    for octet in octets where failure == nil {
      let line = cutter.take(octet)
      guard !cutter.isOverlong else {
        fail(.nonsense(String(decoding: cutter.rest.prefix(40), as: UTF8.self)), &effects)
        return
      }
      guard let line else { continue }
      let text = String(decoding: line, as: UTF8.self)
      guard line.allSatisfy({ (0x20...0x7E).contains($0) || $0 == 0x09 }) else {
        fail(.nonsense(text), &effects)
        return
      }
      guard question != nil else {
        // An answer that nobody waits for would be taken for the next one.
        fail(.nonsense(text), &effects)
        return
      }
      question = nil
      effects += [.stopPatience, .answer(.success([text]))]
    }
  }

  private mutating func fail(_ failure: DialogueFailure, _ effects: inout [DialogueEffect]) {
    guard self.failure == nil else { return }
    self.failure = failure
    guard question != nil else { return }
    question = nil
    effects += [.stopPatience, .answer(.failure(failure))]
  }
}
