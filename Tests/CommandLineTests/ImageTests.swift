import Foundation
import TestThreads
import Testing

@testable import dictobench

/// What the command line does with firmware images.
@Suite(.waits) struct Images {
  /// A guest for the board with S140: a vector table, and a loop that does nothing.
  static let guest = """
    :020000040002F8
    :20700000000004204170020041700200417002004170020041700200417002004170020067
    :207020004170020041700200417002004170020041700200417002004170020041700200B8
    :02704000FEE769
    :00000001FF

    """

  @Test func theListSaysWhatAnImageBlocks() throws {
    let folder = try TemporaryFolder()
    let image = ["--image", try folder.write("guest.hex", Self.guest)]
    let files = [
      "scenarios/pairing/once.yaml", "scenarios/library/no-redownload.yaml", "scenarios/discovery/interval.yaml",
    ]
    let list = try Tool.run(["list"] + files + image)
    #expect(list.status == 0, "\(list.trouble)")
    let words = list.output.split(separator: "\n").map { $0.prefix { $0 != "[" } }
    for line in [
      "blocked by sensors: inspection of `bonds`  pairing-once ", "runnable  library-no-redownload",
      "runnable  discovery-interval ",
    ] {
      #expect(words.contains { $0.hasPrefix(line) }, "\(line): \(words)")
    }
    #expect(list.trouble.contains(" runnable; blocked: "), "\(list.trouble)")
  }

  @Test func theListForScriptsSaysItToo() throws {
    let folder = try TemporaryFolder()
    let image = ["--image", try folder.write("guest.hex", Self.guest), "--format", "json"]
    let list = try Tool.run(["list", "scenarios/pairing/once.yaml", "scenarios/discovery/interval.yaml"] + image)
    let document = try #require(try JSONSerialization.jsonObject(with: Data(list.output.utf8)) as? [String: Any])
    let entries = try #require(document["scenarios"] as? [[String: Any]])
    let blocked = try #require(entries.first { $0["id"] as? String == "pairing-once" })
    #expect(blocked["runnable"] as? Bool == false)
    #expect(blocked["blockedBy"] as? String == "sensors: inspection of `bonds`")
    let runnable = try #require(entries.first { $0["id"] as? String == "discovery-interval" })
    #expect(runnable["runnable"] as? Bool == true)
    #expect(runnable["wallSeconds"] == nil)
  }

  @Test func imageAndBenchAreTwoQuestions() throws {
    let list = try Tool.run(["list", "--image", "x.elf", "--bench", "bench/simulated.yaml"])
    #expect(list.status == 2)
    #expect(list.trouble.contains("--image cannot be used with --bench"))
  }

  @Test func coverageIsWrittenAndTold() throws {
    let folder = try TemporaryFolder()
    let image = ["--target", "image", "--image", try folder.write("guest.hex", Self.guest)]
    let file = folder.url.appending(path: "guest.info").path
    let run = try Tool.run(["run", "scenarios/discovery/interval.yaml", "--coverage", file] + image)
    #expect(run.output.contains("coverage: 1 instructions of the firmware executed by 1 scenario; an Intel HEX file"))
    #expect(run.output.hasSuffix("coverage in \(file)\n"), "\(run.output) \(run.trouble)")
    #expect(FileManager.default.fileExists(atPath: file))
  }

  /// Two of the scenarios begin with a bond, which the guest has to have in its flash by then; one of the phones is known by
  /// its key alone.
  @Test(arguments: ["recorder-s140.elf", "recorder-s132.elf", "recorder-s140.hex"])
  func theGuestIsAGoodRecorder(_ name: String) throws {
    let outcome = try Tool.run([
      "run", "--target", "image", "--image",
      Tool.repository.appending(path: "firmware-images/guests/built/\(name)").path,
      "Tests/CommandLineTests/Vectors/guest-recorder.yaml",
      "Tests/CommandLineTests/Vectors/guest-private-address.yaml", "scenarios/discovery/after-boot.yaml",
      "scenarios/discovery/nothing-in-sight.yaml", "scenarios/discovery/hidden-while-connected.yaml",
    ])
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.trouble)")
    #expect(outcome.output.contains("6 scenarios: 6 passed"), "\(outcome.output)")
  }

  private static let recorder = [
    "--target", "image", "--image",
    Tool.repository.appending(path: "firmware-images/guests/built/recorder-s140.elf").path,
  ]

  @Test func aRunTellsWhatItCostsTheBattery() throws {
    let folder = try TemporaryFolder()
    let out = folder.url.appending(path: "out")
    let run = try Tool.run(["run", "scenarios/discovery/after-boot.yaml", "--out", out.path] + Self.recorder)
    #expect(run.status == 0, "\(run.output) \(run.trouble)")
    #expect(run.output.contains("charge by data sheets, 3 V and 25 °C: "), "\(run.output)")
    #expect(run.output.contains("not counted: wait states"), "\(run.output)")
    let summary = try Data(contentsOf: out.appending(path: "summary.json"))
    try Documents.expect([UInt8](summary), toBe: "summary")
    let document = try #require(try JSONSerialization.jsonObject(with: summary) as? [String: Any])
    let scenario = try #require((document["scenarios"] as? [[String: Any]])?.first)
    let charge = try #require(scenario["charge"] as? [String: Any])
    let parts = try #require(charge["parts"] as? [[String: Any]])
    #expect(parts.count == 5)
    for part in parts {
      let least = try #require(part["leastNanoampereHours"] as? Int)
      let most = try #require(part["mostNanoampereHours"] as? Int)
      #expect((0...most).contains(least), "\(part)")
    }
    let modelled = try Tool.run(["run", "scenarios/discovery/after-boot.yaml"])
    #expect(!modelled.output.contains("charge"), "\(modelled.output)")
  }

  /// What it did until then counts; what the scenario made of its silence does not.
  @Test func anImageThatWorksForLongerThanItMayBlocksTheScenario() throws {
    let file = Tool.repository.appending(path: "firmware-images/guests/built/count-for-ever.elf").path
    let scenario = ["run", "scenarios/discovery/after-boot.yaml", "--target", "image", "--image", file]
    let within = try Tool.run(scenario + ["--processor-time", "1s"])
    #expect(within.output.contains("the target lacks more processor time (--processor-time)"), "\(within.output)")
    #expect(within.output.contains("--processor-time allows; at that moment"), "\(within.output)")
    let whole = try Tool.run(scenario + ["--processor-time", "3s"])
    #expect(whole.status == 1, "\(whole.output) \(whole.trouble)")
    #expect(whole.output.contains("count-for-ever.elf --processor-time 3s --seed"), "\(whole.output)")
    let without = try Tool.run(["run", "scenarios/discovery/after-boot.yaml", "--processor-time", "1s"])
    #expect(without.status == 2)
    #expect(without.trouble.contains("--processor-time needs --target image"), "\(without.trouble)")
  }

  /// It cannot be kept awake, which blocks what needs that; but one that goes off before its time failed.
  @Test(arguments: [("recorder-s140", 4, "blocked"), ("recorder-sleeps", 1, "DEV-9: recorder 0 switched itself off")])
  func anImageThatGoesOff(_ guest: String, status: Int32, result: String) throws {
    let file = Tool.repository.appending(path: "firmware-images/guests/built/\(guest).elf").path
    let run = try Tool.run([
      "run", "Tests/CommandLineTests/Vectors/guest-kept-awake.yaml", "--target", "image", "--image", file,
    ])
    #expect(run.status == status, "\(run.output) \(run.trouble)")
    #expect(run.output.contains(result), "\(run.output)")
  }

  /// All of these scenarios begin with a bond, for which the image has to live.
  @Test(arguments: [
    ("undefined-instruction", "IMG-2", "main (0x27100) holds an instruction that is not defined"),
    ("overrun-main-stack", "IMG-3", "the main stack grew"), ("spin", "IMG-5", "it has run in circles around"),
  ])
  func anImageThatDiesBeforeItCanPairFailed(_ guest: String, requirement: String, finding: String) throws {
    let file = Tool.repository.appending(path: "firmware-images/guests/built/\(guest).elf").path
    let run = try Tool.run(["run", "scenarios/library/no-redownload.yaml", "--target", "image", "--image", file])
    #expect(run.status == 1, "\(run.output) \(run.trouble)")
    #expect(run.output.contains("3 failed (against the recorder)"), "\(run.output)")
    #expect(run.output.contains("what: requirement \(requirement)"), "\(run.output)")
    #expect(run.output.contains("before the scenario, when it was to pair: \(finding)"), "\(run.output)")
  }

  @Test func anImageThatCouldNotPairInItsTimeBlocksTheScenario() throws {
    let file = Tool.repository.appending(path: "firmware-images/guests/built/count-for-ever.elf").path
    let folder = try TemporaryFolder()
    let run = try Tool.run([
      "run", "scenarios/library/no-redownload.yaml", "--target", "image", "--image", file, "--processor-time", "1s",
      "--out", folder.url.path,
    ])
    #expect(run.status == 4, "\(run.output) \(run.trouble)")
    let document = try String(contentsOf: folder.url.appending(path: "junit.xml"), encoding: .utf8)
    #expect(document.contains("nothing-in-sight: the phone heard no recorder; its processor"), "\(document)")
  }

  @Test func aPhoneAsPublishedMeetsAnImage() throws {
    let scenario = ["run", "Tests/CommandLineTests/Vectors/guest-recorder.yaml"] + Self.recorder
    let published = try Tool.run(scenario + ["--phone", "published"])
    #expect(published.output.contains(", phone published"), "\(published.output) \(published.trouble)")
    let reference = try Tool.run(scenario)
    #expect(!reference.output.contains("phone published"))
    let unknown = try Tool.run(scenario + ["--phone", "publisht"])
    #expect(unknown.status == 2)
  }

  @Test func powerIsCutInCopies() throws {
    let scenario = "Tests/CommandLineTests/Vectors/guest-press.yaml"
    let cuts = ["--cut-power-within", "950ms..1100ms"]
    let good = try Tool.run(["run", scenario] + cuts + Self.recorder)
    #expect(good.status == 0, "\(good.output) \(good.trouble)")
    #expect(good.output.contains("; no cut did harm"), "\(good.output)")
    let file = Tool.repository.appending(path: "firmware-images/guests/built/recorder-formats.elf").path
    let image = ["--target", "image", "--image", file]
    let bad = try Tool.run(["run", scenario] + cuts + image)
    #expect(bad.status == 1, "\(bad.output) \(bad.trouble)")
    #expect(bad.output.contains("is lost"), "\(bad.output)")
    // The scenario itself goes on as without the cuts.
    let plain = try Tool.run(["run", scenario] + image)
    #expect(plain.status == 0)
    func trace(_ outcome: Tool.Outcome) -> Substring? {
      outcome.output.split(separator: "\n").first { $0.hasPrefix("trace ") }
    }
    #expect(trace(bad) == trace(plain))
  }

  @Test func ofAnInterruptedRunItIsSaidThatItWas() {
    let plain = "power cuts in a: the recorder executed nothing in that time"
    #expect(PowerCuts.nothingExecuted(in: "a", isInterrupted: false) == plain)
    #expect(PowerCuts.nothingExecuted(in: "a", isInterrupted: true) == plain + " before the run was interrupted")
  }

  @Test(arguments: ["2s", "4s..2s", "2s..", "a..b", "-1s..2s"]) func aSpanThatIsNoneIsRefused(_ span: String) throws {
    let run = try Tool.run(["run", "scenarios/discovery/after-boot.yaml", "--cut-power-within", span] + Self.recorder)
    #expect(run.status == 2)
    #expect(run.trouble.contains("needs two times of which the second is later"), "\(run.trouble)")
  }
}
