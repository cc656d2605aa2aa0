import Testing
import World
import Timeline

@testable import Bench

/// A machine and what it wanted.
struct MachineRig<Machine: DialogueMachine> {
  var machine: Machine

  mutating func feed(_ inputs: DialogueInput...) -> [DialogueEffect] {
    var effects: [DialogueEffect] = []
    for input in inputs { machine.handle(input, &effects) }
    return effects
  }

  mutating func hear(_ text: String) -> [DialogueEffect] { feed(.octets(Array(text.utf8))) }
}

@Suite struct LineDialogues {
  private let question = Question("MEAS:VOLT?", patience: .seconds(1))

  @Test func aLineAnswersAQuestion() {
    var rig = MachineRig(machine: LineDialogue())
    #expect(rig.feed(.ask(question)) == [.send(Array("MEAS:VOLT?\n".utf8)), .startPatience(.seconds(1))])
    #expect(rig.hear("3.") == [])
    #expect(rig.hear("700\r\n") == [.stopPatience, .answer(.success(["3.700"]))])
    #expect(rig.feed(.ask(question)).count == 2)
  }

  @Test func aSettingHasNoAnswer() {
    var rig = MachineRig(machine: LineDialogue())
    #expect(
      rig.feed(.ask(Question("VOLT 3", hasAnswer: false))) == [.send(Array("VOLT 3\n".utf8)), .answer(.success([]))])
  }

  @Test func afterSilenceNoAnswerIsTrusted() {
    var rig = MachineRig(machine: LineDialogue())
    _ = rig.feed(.ask(question))
    let silence = DialogueFailure.silence(question: "MEAS:VOLT?", patience: .seconds(1))
    #expect(rig.feed(.patienceEnded) == [.stopPatience, .answer(.failure(silence))])
    // What comes late belongs to the question before.
    #expect(rig.hear("3.700\n") == [])
    #expect(rig.feed(.ask(question)) == [.answer(.failure(silence))])
  }

  @Test(arguments: ["\u{1}\u{2}\n", "3.7\u{0}0\n", String(repeating: "x", count: 1_100)])
  func whatIsNoTextIsNonsense(_ text: String) {
    var rig = MachineRig(machine: LineDialogue())
    _ = rig.feed(.ask(question))
    let effects = rig.hear(text)
    guard case .answer(.failure(.nonsense)) = effects.last else {
      Issue.record("\(effects)")
      return
    }
  }

  @Test func anAnswerWithoutAQuestionPutsTheEndsOutOfStep() {
    var rig = MachineRig(machine: LineDialogue())
    #expect(rig.hear("3.3\n") == [])
    #expect(rig.feed(.ask(question)) == [.answer(.failure(.nonsense("3.3")))])
  }

  @Test func aLineThatIsGoneFailsTheQuestion() {
    var rig = MachineRig(machine: LineDialogue())
    _ = rig.feed(.ask(question))
    #expect(rig.feed(.closed("unplugged")) == [.stopPatience, .answer(.failure(.closed("unplugged")))])
  }

  @Test func failuresSayWhatToDo() {
    #expect(DialogueFailure.nonsense("\u{1B}[2J").fault(of: "a").problem.contains(#"\u{1B}[2J"#))
    let silence = DialogueFailure.silence(question: "a", patience: .milliseconds(1_500)).fault(of: "supply")
    #expect(silence.problem == "the supply did not answer `a` within 1500 ms")
    #expect(silence.cause == .silence)
  }
}
