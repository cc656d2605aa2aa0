import FirmwareImages
import Foundation
import ImageRecorder
import Runner
import Testing
import Timeline
import Verdicts

@testable import Search

/// Guests that stand in the place of a firmware: recorders of our own, as they were built.
@Suite struct ImageExplorations {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "firmware-images/guests/built")

  private static func program(_ name: String) throws -> ImageProgram {
    let octets = [UInt8](try Data(contentsOf: folder.appending(path: name + ".elf")))
    return try ImageProgram(try FirmwareImage(octets, name: name), on: .s140)
  }

  private static func trials(_ program: ImageProgram, _ settings: RunSettings = RunSettings()) -> SimulatedTrials {
    var settings = settings
    settings.program = program.recorderProgram(named: "guest")
    return SimulatedTrials(
      settings, executing: program, vocabulary: Schedules.vocabulary, sounds: Tone(), firmware: NoFirmware())
  }

  private static func plan(runs: Int, seed: UInt64 = 1, jobs: Int = 2) -> Explorer.Plan {
    var plan = Explorer.Plan()
    plan.runs = runs
    plan.seed = seed
    plan.jobs = jobs
    plan.scope = .image
    return plan
  }

  private static func explore(
    _ name: String, _ plan: Explorer.Plan
  ) throws -> (findings: [Finding], corpus: Corpus, progress: Explorer.Progress) {
    Explorer(plan, trials(try program(name))).run(isStopped: { false }) { _ in }
  }

  @Test func aSeedHasTheSameRunsOnAnyNumberOfThreads() throws {
    let results = try [1, 2].map { try Self.explore("recorder-s140", Self.plan(runs: 4, jobs: $0)) }
    #expect(results[0].findings.map(\.text) == results[1].findings.map(\.text))
    #expect(results[0].corpus.schedules == results[1].corpus.schedules)
    #expect(results[0].progress == results[1].progress)
    #expect(results[0].progress.blocked == 0, "\(results[0].progress.lack ?? "")")
    let coverage = try #require(results[0].corpus.coverage(of: try Self.program("recorder-s140").application))
    #expect(coverage.functions.contains { $0.name == "main" && $0.entered > 0 })
    #expect(coverage.functions.contains { $0.entered == 0 })
    #expect(coverage.brief.contains(" of "))
  }

  /// What is executed guides: with the landmarks of a model alone fewer schedules are kept.
  @Test func instructionsThatAreNewKeepASchedule() throws {
    let schedules = [0, 1].map { Schedule(settings: ScheduleScope.image.settings, actions: [.init(kind: $0)]) }
    let trials = Self.trials(try Self.program("recorder-s140"))
    let executed = schedules.map { trials.run($0, as: ScheduleText(id: "explored-1-1"), repetition: 0).executed }
    var corpus = Corpus()
    let isFirstNew = corpus.take([], executed[0], of: schedules[0], keeps: true)
    let isSecondNew = corpus.take([], executed[0], of: schedules[1], keeps: true)
    #expect(isFirstNew)
    #expect(!isSecondNew)
    #expect(corpus.schedules == [schedules[0]])
    // What reached a landmark takes turns with what reached only instructions.
    let landmarks = (2...4).map { Schedule(actions: [.init(kind: $0)]) }
    for (number, schedule) in landmarks.enumerated() {
      corpus.take([.transition(chart: "kinds", number: number)], of: schedule, keeps: true)
    }
    let changed = (0..<6).map { _ in corpus.nextToChange() }
    #expect(changed == [landmarks[2], schedules[0], landmarks[1], schedules[0], landmarks[0], schedules[0]])
  }
}

@Suite struct ImageSchedules {
  @Test(arguments: 0..<200) func startNoBootloaderAndLetTheRecorderSleep(seed: UInt64) {
    let generator = ScheduleGenerator(ChoiceSource(seed: seed).stream("schedule"), for: .image)
    for schedule in generator.kept(4) {
      #expect(!schedule.does("phone: enter-bootloader"))
      #expect(schedule.setting(.timeouts) == "field")
      #expect(schedule.setting(.sound) == nil)
    }
  }

  @Test(arguments: 0..<20) func areMadeSmallWithoutLosingThat(seed: UInt64) throws {
    let generator = ScheduleGenerator(ChoiceSource(seed: seed).stream("schedule"), for: .image)
    let whole = generator.kept(1)[0]
    let needed = try #require(whole.actions.last)
    var shrinker = ScheduleShrinker(for: .image) { $0.actions.contains(needed) }
    let smallest = shrinker.smallest(whole)
    #expect(smallest.actions == [needed])
    #expect(smallest.settings == ScheduleScope.image.settings)
  }

  @Test func makingSmallEnds() {
    let actions = (0..<Schedule.limit).map { Schedule.Action(kind: 0, choice: $0 % 11) }
    var shrinker = ScheduleShrinker(for: .image) { $0.actions.count > 1 && $0.actions.count % 2 == 0 }
    _ = shrinker.smallest(Schedule(settings: ScheduleScope.image.settings, actions: actions))
    #expect(shrinker.trials <= 120)
  }
}
