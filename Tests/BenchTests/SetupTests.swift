import Bytes
import Phone
import ScenarioLanguage
import Testing
import Timeline

@testable import Bench
@testable import Transports

/// Plays a conversation with given answers; what is heard and identified is stated too.
private struct Script {
  var adapters = [AdapterSight(.usb, .usb(.index(0)), title: "a dongle", identity: "a")]
  var lines: [String] = []
  var controller: TransportSpecification?
  var heard: [[RecorderSighting]] = [[Script.sighting(1)]]
  var supplies: [String?] = []

  static func sighting(_ last: UInt64, _ name: String = "dict") -> RecorderSighting {
    let address = BluetoothAddress(0xC605_0403_0200 | last, .random)
    return RecorderSighting(
      address: address, identity: address, name: name, signalStrength: -50, lastHeardNanoseconds: 0, isPaired: false)
  }

  struct Outcome {
    var said: [String] = []
    var asked: [String] = []
    var end: SetupEffect?
    /// What was kept.
    var yaml: String? { if case .keep(let draft)? = end { draft.yaml } else { nil } }
  }

  func play(_ answers: [String]) -> Outcome {
    var conversation = SetupConversation(adapters: adapters, lines: lines, place: "my bench!", controller: controller)
    var (answers, heard, supplies) = (answers[...], heard[...], supplies[...])
    var outcome = Outcome()
    var input: SetupInput? = .begin
    while let next = input {
      var effects: [SetupEffect] = []
      conversation.handle(next, &effects)
      input = nil
      for effect in effects {
        switch effect {
        case .say(let text): outcome.said.append(text)
        case .ask(let text):
          outcome.asked.append(text)
          input = answers.popFirst().map { .line($0) }
        case .listen: input = .heard(heard.popFirst() ?? [], trouble: nil)
        case .identify:
          let identity = supplies.popFirst() ?? nil
          input = .identified(identity, trouble: identity == nil ? "nobody is there" : nil)
        case .keep, .quit: outcome.end = effect
        }
      }
    }
    return outcome
  }
}

@Suite struct SetupConversations {
  /// The bench that a kept file describes.
  private func bench(_ outcome: Script.Outcome) throws -> BenchFile {
    try wholeBenchFile(try #require(outcome.yaml, "\(outcome)"))
  }

  @Test func theShortestWayIsFiveTimesEnter() throws {
    let outcome = Script().play(["", "", "", "", "", ""])
    let bench = try bench(outcome)
    #expect(bench.place == "bench")
    #expect(bench.adapters == [.usb(.index(0))])
    #expect(bench.recorders.map(\.address) == [Script.sighting(1).address])
    #expect(bench.recorders[0].abilities(isAttended: true) == Ability.allCases.filter { $0 != .firmware })
    #expect(outcome.said.first == "Adapter: usb:0 (a dongle), the only one.")
    // Nobody is asked for lines where there are none.
    #expect(outcome.asked.count == 6)
  }

  @Test func everythingCanBeChosen() throws {
    var script = Script()
    script.adapters.append(AdapterSight(.kernel, .hciSocket(1), title: "hci1", identity: "b"))
    script.lines = ["/dev/serial/by-id/one", "/dev/serial/by-id/it's"]
    script.heard = [[], [Script.sighting(1), Script.sighting(2, "di\u{1B}[2Jct")]]
    script.supplies = [nil, "RIGOL TECHNOLOGIES,DP832,DP8C1,00.01.16"]
    let outcome = script.play([
      "1", "3", "2", "", "", "2", "2", "1", "nowhere", "10.0.0.7:5555", "no", "rig.7", "",
    ])
    let bench = try bench(outcome)
    #expect(bench.place == "rig.7")
    #expect(bench.adapters == [.hciSocket(1)])
    let recorder = bench.recorders[0]
    #expect(recorder.address == Script.sighting(2).address)
    #expect(recorder.console?.line == .rawSerialPort(port: "/dev/serial/by-id/it's", speed: 115_200))
    #expect(recorder.pico?.line == .rawSerialPort(port: "/dev/serial/by-id/one", speed: 115_200))
    #expect(recorder.supply?.identity == "RIGOL TECHNOLOGIES,DP832")
    #expect(recorder.supply?.line == .networkSerialPort(host: "10.0.0.7", port: 5_555))
    #expect((recorder.plan() as OperatorPlan?) == nil)
    #expect(outcome.said.contains("`3` is not one of the answers."))
    #expect(outcome.said.contains { $0.hasPrefix("No recorder was heard") })
    #expect((outcome.said + outcome.asked).allSatisfy { !$0.contains("\u{1B}") })
  }

  @Test func anApplicationNeedsNoRecorder() throws {
    let bench = try bench(Script().play(["2", "shelf", ""]))
    #expect(bench.phone != nil)
    #expect(bench.recorders.isEmpty)
    #expect(bench.place == "shelf")
  }

  @Test func againBeginsAnew() throws {
    var script = Script()
    script.heard = [[Script.sighting(1)], [Script.sighting(2)]]
    let outcome = script.play(["", "", "", "no", "first", "again", "", "", "", "no", "", ""])
    let bench = try bench(outcome)
    #expect(bench.place == "bench")
    #expect(bench.recorders[0].address == Script.sighting(2).address)
  }

  @Test func itCanBeLeftAtEveryQuestion() {
    let answers = ["", "", "", "no", "name"]
    for count in 0...answers.count {
      #expect(Script().play(Array(answers.prefix(count)) + ["Quit "]).end == .quit(.left))
    }
  }

  @Test func withoutAnAdapterItSaysWhatToDo() {
    var script = Script()
    script.adapters = []
    guard case .quit(.impossible(let sentence))? = script.play([""]).end else {
      Issue.record("went on without an adapter")
      return
    }
    #expect(sentence.contains("plug in a dongle"))
    script.controller = .tcpClient(host: "a", port: 1)
    #expect(script.play(["", "", "", "", "", ""]).yaml?.contains("'tcp-client:a:1'") == true)
  }

  @Test func anEndlessStreamOfNonsenseEnds() {
    #expect(Script().play(Array(repeating: "y", count: 1_000)).end == .quit(.misunderstood))
    #expect(Script().play([""] + Array(repeating: "", count: 1_000)).end != nil)
    var deaf = Script()
    deaf.heard = []
    #expect(deaf.play(Array(repeating: "", count: 1_000)).end == .quit(.misunderstood))
  }

  @Test(arguments: ["a b", "../x", "'", String(repeating: "n", count: 65), "\u{1B}[2J", "ä"])
  func namesThatAreNoneAreAskedForAgain(_ name: String) throws {
    let outcome = Script().play(["", "", "", "no", name, "good", ""])
    #expect(try bench(outcome).place == "good")
  }

  @Test func aSupplysAnswerIsNeverTakenAsItIs() throws {
    var script = Script()
    script.supplies = ["EV'IL: {\u{1B}[2J,x"]
    let outcome = script.play(["", "", "host", "no", "", ""])
    #expect(try bench(outcome).recorders[0].supply?.identity == "EV'IL: {")
  }
}
