import Foundation
import TestThreads
import Testing

@testable import dictobench

@Suite(.waits) struct Proving {
  @Test func aCertificateIsWrittenAndVerified() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "sync.certificate").path
    let options = ["prove", "--records", "40", "--disturbances", "1"]
    let proven = try Tool.run(options + ["--out", path])
    #expect(proven.status == 0)
    #expect(proven.output.hasPrefix("PROVEN   reference · records of 40 octets · 1 disturbance\n"))
    let checked = try Tool.run(options + ["--check", path])
    #expect(checked.status == 0)
    #expect(checked.output.hasPrefix("HOLDS    reference"))
    let other = try Tool.run(options + ["--fault", "recorder:deaf-after-break", "--check", path])
    #expect(other.status == 1)
    #expect(other.output.contains("line 2: expected a certificate about: reference+deaf-after-break"))
  }

  /// Where there are too many states, the plan is to be made smaller; nothing is wrong inside.
  @Test func tooManyStatesAreWrongUsage() throws {
    let arguments = try ParsedArguments(["--records", "40", "--disturbances", "1"], for: ProveCommand.declaration)
    let plan = try ProveCommand.plan(arguments, [])
    let failure = try #require(throws: UsageFailure.self) { _ = try ProveCommand.space(of: plan, limit: 10) }
    #expect(failure.message.hasPrefix("there are more than 10 states: ask for fewer or smaller --records"))
  }

  @Test func aMistakeIsAScenario() throws {
    let outcome = try Tool.run(["prove", "--records", "40", "--published", "link-loss"])
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("REFUTED  reference+published-link-loss"))
    #expect(outcome.output.contains("link-loss, sync"))
    #expect(outcome.output.contains("\n  - use: lose-link\n"))
    #expect(!outcome.output.contains("passes all the same"))
  }

  /// A scenario cannot hold a packet back: where it passes, the result and the file say so.
  @Test func aScenarioThatPassesSaysSo() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "refuted.yaml").path
    let outcome = try Tool.run([
      "prove", "--records", "40", "--disturbances", "1", "--fault", "phone:skips-settling", "--scenario", path,
    ])
    #expect(outcome.status == 1)
    #expect(outcome.output.contains("\n         its scenario passes all the same: it cannot hold one packet back\n"))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("This scenario passes all the same"), "\(text)")
  }
}
