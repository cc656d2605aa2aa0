import Foundation
import Runner
import ScenarioLanguage
import SecureDFU
import Testing
import Timeline
import World
import YAML

@testable import Search

/// A library in which every sound is a tone of 1,000 Hz that becomes louder and softer.
struct Tone: SoundLibrary {
  func samples(_ name: String) throws(ControlFailure) -> [Int16] {
    (0..<48_000).map { index in
      let loudness = 6_000 + 4_000 * sin(Double(index) / 900)
      return Int16(loudness * sin(Double(index) * 2 * .pi / 16))
    }
  }
}

/// A library in which there is no firmware.
struct NoFirmware: FirmwareLibrary {
  func catalogue() throws(ControlFailure) -> FirmwareCatalogue { throw .impossible("no firmware") }
  func package(_ name: String) throws(ControlFailure) -> [UInt8] { throw .impossible("no firmware") }
}

@Suite struct Schedules {
  static let vocabulary = DictofunVocabulary.vocabulary(
    requirements: ["APP-1.2", "DEV-3", "DEV-4", "DEV-5", "DEV-6", "DEV-10", "IMG-1"])

  static func library(_ text: String) -> ScenarioLibrary {
    ScenarioLibrary(files: [SourceFile(path: "explored.yaml", text: text)], vocabulary: vocabulary)
  }

  @Test(arguments: 0..<300) func areScenarios(seed: UInt64) {
    let generator = ScheduleGenerator(ChoiceSource(seed: seed).stream("schedule"), for: .model)
    let schedule = generator.change(generator.schedule(), with: generator.schedule())
    let library = Self.library(ScheduleText(id: "explored-1-1").text(of: schedule))
    #expect(library.diagnostics.isEmpty, "\(library.report.text())")
    #expect(library.scenarios.first?.steps.count == ScheduleText.stepCount(of: schedule))
  }

  @Test(arguments: ActionKind.all.indices) func everyActionIsAStep(kind: Int) {
    let actions = ActionKind.all[kind].choices.indices.map { Schedule.Action(kind: kind, choice: $0) }
    let library = Self.library(ScheduleText(id: "explored-1-1").text(of: Schedule(actions: actions)))
    #expect(library.diagnostics.isEmpty, "\(library.report.text())")
  }

  @Test(arguments: SettingKind.all.indices) func everySettingIsAField(number: Int) {
    for value in SettingKind.all[number].choices.indices {
      var schedule = Schedule(actions: [])
      schedule.settings[number] = value
      let library = Self.library(ScheduleText(id: "explored-1-1").text(of: schedule))
      #expect(library.diagnostics.isEmpty, "\(library.report.text())")
    }
  }

  @Test func aSeedHasOneSequence() {
    func sequence(_ seed: UInt64) -> [Schedule] {
      let generator = ScheduleGenerator(ChoiceSource(seed: seed).stream("schedule"), for: .model)
      return generator.kept(50)
    }
    #expect(sequence(7) == sequence(7))
    #expect(sequence(7) != sequence(8))
  }

  /// Old ones had their turn; what they lead to is known.
  @Test func whatWasChangedLeastIsChangedNext() {
    var corpus = Corpus()
    func keep(_ kind: Int) {
      corpus.take([.transition(chart: "kinds", number: kind)], of: Schedule(actions: [.init(kind: kind)]), keeps: true)
    }
    func next(_ count: Int) -> [Int?] { (0..<count).map { _ in corpus.nextToChange()?.actions.first?.kind } }
    #expect(next(1) == [nil])
    keep(0)
    #expect(next(3) == [0, 0, 0])
    keep(1)
    #expect(next(5) == [1, 1, 1, 1, 0])
    keep(2)
    #expect(next(7) == [2, 2, 2, 2, 2, 1, 0])
  }

  @Test func runsLeavePerturbationsOut() {
    let generator = ScheduleGenerator(ChoiceSource(seed: 1).stream("schedule"), for: .model)
    let groups = (0..<200).map { _ in Set(generator.schedule().actions.map(\.declaration.perturbation)) }
    for perturbation in Perturbation.allCases {
      #expect(groups.contains { $0.contains(perturbation) }, "\(perturbation)")
      #expect(groups.contains { !$0.contains(perturbation) }, "\(perturbation)")
    }
  }

  /// A link that breaks within an answer, or a request that comes before the last one has its answer, and then another try.
  @Test func runsComeBetweenThePhoneAndItsWork() {
    let generator = ScheduleGenerator(ChoiceSource(seed: 1).stream("schedule"), for: .model)
    var interruptions: [Perturbation: Int] = [:]
    for actions in (0..<400).map({ _ in generator.schedule().actions }) {
      for (place, cut) in actions.enumerated().dropLast(2) where cut.step.limit != nil {
        let next = actions[place + 1]
        let isTriedAgain = actions[(place + 2)...].prefix(2).contains(Schedule.Action(kind: cut.kind))
        if next.declaration.interrupts, isTriedAgain { interruptions[next.declaration.perturbation, default: 0] += 1 }
      }
    }
    for perturbation: Perturbation in [.power, .air, .application, .restart, .requests] {
      #expect(interruptions[perturbation, default: 0] >= 8, "\(perturbation)")
    }
  }

  /// A recorder that is at work for a request is asked for something else at once.
  @Test func requestsComeBetweenToo() {
    let generator = ScheduleGenerator(ChoiceSource(seed: 1).stream("schedule"), for: .model)
    let schedules = (0..<400).map { _ in generator.schedule().actions }
    let crowded = schedules.count { actions in
      zip(actions, actions.dropFirst()).contains { first, second in
        first.step.goesOn && first.declaration.perturbation == .requests && first.step.limit == nil
          && second.declaration.perturbation == .requests
      }
    }
    #expect(crowded >= 12)
  }

  /// A phone that is still busy with something else would start the bootloader in the middle of what ends the run.
  @Test func bootloadersAreLeftBeforeTheEndWaits() throws {
    let kind = try #require(ActionKind.all.firstIndex { $0.noun == "start of the bootloader" })
    let steps = Closing(of: Schedule(actions: [Schedule.Action(kind: kind)])).steps
    let leaving = steps.firstIndex(of: Closing.Step("phone: disconnect", by: .owner))
    let waiting = steps.firstIndex(of: Closing.Step("wait: 150 s"))
    #expect(try #require(leaving) < #require(waiting))
  }

  /// A recorder that goes off with a full table erases it for longer than a user waits between two presses.
  @Test(arguments: SettingKind.records.choices.indices) func aTableThatMayBeFullIsErasedBeforeTheLastPress(choice: Int)
    throws
  {
    let number = try #require(SettingKind.all.firstIndex(of: .records))
    var schedule = Schedule(actions: [])
    schedule.settings[number] = choice
    let lines = Closing(of: schedule).steps.flatMap(\.lines)
    let mayBeFull = SettingKind.records.choices[choice]?.contains("25") == true
    let waiting = lines.firstIndex(of: "wait: 10 min")
    #expect((waiting != nil) == mayBeFull)
    if let waiting { #expect(lines[waiting...].contains { $0.hasPrefix("device: {press") }) }
  }

  /// On a held rail a recorder boots again and goes off again, and a press in that moment pairs nobody.
  @Test(arguments: [false, true]) func whoPairsAgainTriesMoreOftenWhereATableIsErased(mayBeFull: Bool) throws {
    let number = try #require(SettingKind.all.firstIndex(of: .records))
    let kind = try #require(ActionKind.all.firstIndex { $0.noun == "unpairing" })
    var schedule = Schedule(actions: [Schedule.Action(kind: kind)])
    schedule.settings[number] = try #require(
      SettingKind.records.choices.firstIndex { $0?.contains("25") == mayBeFull })
    let lines = Closing(of: schedule).steps.flatMap(\.lines)
    #expect(lines.count { $0 == "phone: pair" } == (mayBeFull ? 4 : 2))
  }
}

extension ScheduleGenerator {
  /// Schedules of which each reaches something new.
  func kept(_ count: Int) -> [Schedule] {
    var corpus = Corpus()
    for number in 0..<count {
      let next = next(after: &corpus)
      corpus.take([.transition(chart: "kinds", number: number)], of: next, keeps: true)
    }
    return corpus.schedules
  }
}
