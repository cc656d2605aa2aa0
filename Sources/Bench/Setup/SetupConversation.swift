import Bytes
import Phone
import Text
import Transports

/// What reaches the conversation.
package enum SetupInput: Hashable, Sendable {
  /// It begins.
  case begin
  /// The person answered, with a line without its end.
  case line(String)
  /// The recorders that were heard, or why nobody could listen.
  case heard([RecorderSighting], trouble: String?)
  /// What a supply says it is; `nil` with the reason why it says nothing.
  case identified(String?, trouble: String?)
}

/// What the conversation wants done.
package enum SetupEffect: Hashable, Sendable {
  /// Tell the person.
  case say(String)
  /// Ask, and give ``SetupInput/line(_:)``.
  case ask(String)
  /// Listen for recorders, and give ``SetupInput/heard(_:trouble:)``.
  case listen(TransportSpecification)
  /// Ask a supply what it is, and give ``SetupInput/identified(_:trouble:)``.
  case identify(LineResource)
  /// Remember this bench; nothing follows.
  case keep(BenchDraft)
  /// Leave everything as it was; nothing follows.
  case quit(SetupEnd)
}

/// Why a conversation ended without a bench.
package enum SetupEnd: Hashable, Sendable {
  /// The person wanted no more of it.
  case left
  /// There is nothing to choose from; what to do.
  case impossible(String)
  /// Too many answers meant nothing.
  case misunderstood
}

/// The first-run set-up: what is tested, adapter, recorder, instruments, operator, name, and happy or again. A question
/// with one possible answer is answered by itself.
package struct SetupConversation: Sendable {
  private enum Question: Hashable, Sendable {
    case purpose, adapter, button, recorder, console, pico, supply, hands, name, confirmation
  }

  /// Answers in a row that may be misunderstood before the conversation is given up.
  private static let patience = 20
  /// The usual TCP port of SCPI.
  private static let scpiPort = 5_025

  private let adapters: [AdapterSight]
  private let lines: [String]
  private let usualPlace: String
  private let controller: TransportSpecification?
  private var draft: BenchDraft
  private var question = Question.purpose
  private var sightings: [RecorderSighting] = []
  private var supplyLine: LineResource?
  private var misunderstandings = 0
  private var isApplicationTested = false

  /// A conversation about these adapters and these serial lines, or with the controller already chosen; `place` is what the
  /// bench is called unless somebody says otherwise.
  package init(adapters: [AdapterSight], lines: [String], place: String, controller: TransportSpecification?) {
    self.adapters = adapters
    self.lines = lines
    self.controller = controller
    usualPlace = Self.isName(place) ? place : "bench"
    draft = BenchDraft(place: usualPlace)
  }

  /// Takes what happened and appends what to do about it.
  package mutating func handle(_ input: SetupInput, _ effects: inout [SetupEffect]) {
    switch input {
    case .begin:
      draft = BenchDraft(place: usualPlace)
      ask(.purpose, &effects)
    case .line(let line):
      let answer = PlainText.escaped(line.trimmingBlanks, limit: 1_000)
      answer.lowercased() == "quit" ? effects.append(.quit(.left)) : take(answer, &effects)
    case .heard(let heard, let trouble): take(heard, trouble, &effects)
    case .identified(let identity, let trouble): take(identity, trouble, &effects)
    }
  }

  // MARK: Questions

  private mutating func ask(_ next: Question, _ effects: inout [SetupEffect]) {
    question = next
    switch next {
    case .purpose:
      effects.append(.ask("What is tested: 1 a recorder, or 2 an application on a phone? Enter for 1: "))
    case .adapter: askForAdapter(&effects)
    case .button:
      effects.append(.ask("Press the recorder's button and let it go; then press Enter to start scanning: "))
    case .recorder:
      effects.append(.ask(Self.menu("Which recorder?", sightings.map(Self.text)) + ": "))
    case .console: askForLine("the recorder's UART", then: .pico, &effects)
    case .pico: askForLine("the Pico of the bed of nails", then: .supply, &effects)
    case .supply:
      effects.append(
        .ask("Where is the SCPI supply that replaces the battery? HOST or HOST:PORT, or Enter for none: "))
    case .hands: askForHands(&effects)
    case .name: effects.append(.ask("What is this bench called? Enter for \(usualPlace): "))
    case .confirmation:
      effects.append(.say(draft.yaml))
      effects.append(
        .ask("Is this right? Enter to keep it, `again` to start over, `quit` to leave everything as it was: "))
    }
  }

  private mutating func askForAdapter(_ effects: inout [SetupEffect]) {
    if let controller {
      effects.append(.say("Adapter: \(PlainText.escaped(controller.description)), as requested."))
      return choose(controller, &effects)
    }
    switch adapters.count {
    case 0:
      effects.append(
        .quit(
          .impossible(
            "no Bluetooth adapter was found on this machine: plug in a dongle, or name a controller elsewhere by "
              + "--controller; `dictobench doctor` says more")))
    case 1:
      effects.append(.say("Adapter: \(adapters[0]), the only one."))
      choose(adapters[0].specification, &effects)
    default: effects.append(.ask(Self.menu("Which adapter?", adapters.map(\.description)) + ": "))
    }
  }

  private mutating func choose(_ adapter: TransportSpecification, _ effects: inout [SetupEffect]) {
    draft.adapter = adapter
    if let trouble = adapters.first(where: { $0.specification == adapter })?.trouble {
      effects.append(.say("It cannot be used yet: \(trouble)."))
    }
    ask(isApplicationTested ? .name : .button, &effects)
  }

  private mutating func askForLine(_ what: String, then next: Question, _ effects: inout [SetupEffect]) {
    let free = freeLines
    guard !free.isEmpty else { return ask(next, &effects) }
    effects.append(
      .ask(Self.menu("Which serial line is \(what) on?", free.map { PlainText.escaped($0) }) + ", or Enter for none: "))
  }

  private mutating func askForHands(_ effects: inout [SetupEffect]) {
    let list = draft.lacking.map(\.rawValue).joined(separator: ", ")
    effects.append(
      .ask("Will somebody at this terminal do by hand what no instrument does (\(list))? Enter for yes, or `no`: "))
  }

  // MARK: Answers

  private mutating func take(_ answer: String, _ effects: inout [SetupEffect]) {
    switch question {
    case .purpose: takePurpose(answer, &effects)
    case .adapter:
      guard let index = pick(answer, from: adapters.count, &effects) else { return }
      choose(adapters[index].specification, &effects)
    case .button: if let adapter = draft.adapter { effects.append(.listen(adapter)) }
    case .recorder:
      guard let index = pick(answer, from: sightings.count, &effects) else { return }
      take(sightings[index], &effects)
    case .console, .pico: takeLine(answer, &effects)
    case .supply: takeSupply(answer, &effects)
    case .hands:
      let isYes = ["", "y", "yes"].contains(answer.lowercased())
      guard isYes || ["n", "no"].contains(answer.lowercased()) else { return misunderstand(answer, &effects) }
      draft.byHand = isYes ? draft.lacking : []
      ask(.name, &effects)
    case .name:
      guard answer.isEmpty || Self.isName(answer) else {
        effects.append(.say("A name has letters, digits, dots, dashes and underscores, at most 64."))
        return misunderstand(answer, &effects)
      }
      if !answer.isEmpty { draft.place = answer }
      ask(.confirmation, &effects)
    case .confirmation:
      switch answer.lowercased() {
      case "", "y", "yes", "happy": effects.append(.keep(draft))
      case "again": handle(.begin, &effects)
      default: misunderstand(answer, &effects)
      }
    }
  }

  private mutating func takePurpose(_ answer: String, _ effects: inout [SetupEffect]) {
    guard ["", "1", "2"].contains(answer) else { return misunderstand(answer, &effects) }
    isApplicationTested = answer == "2"
    ask(.adapter, &effects)
  }

  private mutating func take(_ heard: [RecorderSighting], _ trouble: String?, _ effects: inout [SetupEffect]) {
    sightings = heard
    if let trouble {
      effects.append(.say("Nobody could listen: \(trouble)."))
      return askAgain(&effects)
    }
    switch heard.count {
    case 0:
      effects.append(
        .say("No recorder was heard: make sure that it has power and that no other phone is connected to it."))
      askAgain(&effects)
    case 1:
      effects.append(.say("Recorder: \(Self.text(heard[0])), the only one."))
      take(heard[0], &effects)
    default: ask(.recorder, &effects)
    }
  }

  private mutating func take(_ sighting: RecorderSighting, _ effects: inout [SetupEffect]) {
    draft.recorder = sighting.address
    ask(.console, &effects)
  }

  private mutating func takeLine(_ answer: String, _ effects: inout [SetupEffect]) {
    let next = question == .console ? Question.pico : .supply
    guard !answer.isEmpty else { return ask(next, &effects) }
    guard let index = pick(answer, from: freeLines.count, &effects) else { return }
    let line = freeLines[index]
    if question == .console { draft.console = line } else { draft.pico = line }
    ask(next, &effects)
  }

  private mutating func takeSupply(_ answer: String, _ effects: inout [SetupEffect]) {
    guard !answer.isEmpty else { return ask(.hands, &effects) }
    let parts = answer.split(separator: ":", omittingEmptySubsequences: false)
    let port = parts.count == 2 ? Int(parts[1]) : parts.count == 1 ? Self.scpiPort : nil
    guard let port, (1...65_535).contains(port), !parts[0].isEmpty else { return misunderstand(answer, &effects) }
    let line = LineResource.networkSerialPort(host: String(parts[0]), port: port)
    supplyLine = line
    effects.append(.identify(line))
  }

  private mutating func take(_ identity: String?, _ trouble: String?, _ effects: inout [SetupEffect]) {
    // Maker and model are the first two of the four fields (IEEE 488.2, 10.14.3); firmware may change.
    let printable = (identity ?? "").unicodeScalars.prefix { (0x20...0x7E).contains($0.value) }
    let fields = String(String.UnicodeScalarView(printable)).split(separator: ",").prefix(2).joined(separator: ",")
    guard let supplyLine, !fields.isEmpty else {
      effects.append(.say("It cannot be used: \(trouble ?? "it does not say what it is")."))
      return askAgain(&effects)
    }
    draft.supply = BenchDraft.Supply(line: supplyLine, identity: String(fields.prefix(60)))
    effects.append(.say("Supply: \(fields)."))
    ask(.hands, &effects)
  }

  // MARK: Words

  private var freeLines: [String] { lines.filter { $0 != draft.console } }

  private mutating func pick(_ answer: String, from count: Int, _ effects: inout [SetupEffect]) -> Int? {
    guard let number = Int(answer), number > 0, number <= count else {
      misunderstand(answer, &effects)
      return nil
    }
    return number - 1
  }

  private mutating func misunderstand(_ answer: String, _ effects: inout [SetupEffect]) {
    effects.append(.say("`\(PlainText.escaped(answer, limit: 40))` is not one of the answers."))
    askAgain(&effects)
  }

  private mutating func askAgain(_ effects: inout [SetupEffect]) {
    misunderstandings += 1
    misunderstandings < Self.patience ? ask(question, &effects) : effects.append(.quit(.misunderstood))
  }

  private static func menu(_ question: String, _ options: [String]) -> String {
    question + options.enumerated().map { "\n  \($0 + 1)  \($1)" }.joined() + "\nA number from 1 to \(options.count)"
  }

  private static func text(_ sighting: RecorderSighting) -> String {
    "\(sighting.address) \(PlainText.escaped(sighting.name, limit: 40))"
      + (sighting.signalStrength.map { " at \($0) dBm" } ?? "")
  }

  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { octet in
        UnicodeScalar(octet).properties.isAlphabetic && octet < 0x80 || (0x30...0x39).contains(octet)
          || [0x2D, 0x2E, 0x5F].contains(octet)
      }
  }
}
