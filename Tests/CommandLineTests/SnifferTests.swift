import Foundation
import TestThreads
import Testing

/// What a sniffer captures of a run, judged like the run, and the recordings in it.
@Suite(.waits) struct SnifferCaptures {
  private static let scenario = """
    scenario: a phone pairs and fetches two records
    id: sniffed
    verifies: [DEV-12]
    given:
      device: {security: SECURITY, records: {count: 2, seconds: 2 s}}
    steps:
      - phone: connect
      - phone: pair
      - wait: 100 ms
      - phone: read-battery
      - wait: 1 s
      - phone: read-battery
      - wait: 1030 ms
      - phone: read-battery
      - wait: 1060 ms
      - phone: sync
      - phone: disconnect
      - phone: sync
      - phone: disconnect
    """

  private func run(_ security: String, _ folder: TemporaryFolder) throws -> (air: String, host: String) {
    let text = Self.scenario.replacingOccurrences(of: "SECURITY", with: security)
    let file = try folder.write("sniffed.yaml", text + "\n")
    let (air, out) = (folder.url.appending(path: "air.pcap").path, folder.url.appending(path: "out").path)
    let outcome = try Tool.run(["run", file, "--air", air, "--captures", "all", "--capture", "full", "--out", out])
    #expect(outcome.status == 0, "\(outcome.output) \(outcome.trouble)")
    return (air, out + "/captures/sniffed.btsnoop")
  }

  private func requirements(_ capture: String) throws -> [String] {
    let lines = try Tool.run(["check", capture]).output.split(separator: "\n").map(String.init)
    return lines.filter { $0.hasPrefix("  ") && !$0.contains("not judged") }
  }

  @Test func aSniffersCaptureIsJudgedAsTheRunWas() throws {
    let folder = try TemporaryFolder()
    let (air, host) = try run("legacy", folder)
    #expect(try requirements(air) == requirements(host))
    #expect(try !Tool.run(["check", air]).output.contains("not judged"))
  }

  /// The recorder loses its power on a link; nobody sends anything for longer than the phone may go without a battery level.
  @Test func anEndThatNobodyHeardIsNamedAndNotAViolation() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "gone.yaml",
      """
      scenario: the recorder loses its power on a link, and comes back
      id: gone
      verifies: [DEV-6]
      given:
        device: {security: legacy}
      steps:
        - phone: connect
        - phone: pair
        - wait: 1 s
        - device: cut-power
        - wait: 2 min
        - device: power-on
        - wait: 5 s
        - phone: connect
        - wait: 1 s
        - phone: disconnect

      """)
    let air = folder.url.appending(path: "air.pcap").path
    let run = try Tool.run(["run", file, "--air", air, "--out", folder.url.appending(path: "out").path])
    #expect(run.status == 0, "\(run.output) \(run.trouble)")
    let checked = try Tool.run(["check", air])
    #expect(checked.status == 0, "\(checked.output)")
    #expect(checked.output.contains("not judged: a connection of phone 0: the packets lack the end of a connection"))
  }

  @Test func overheardRecordingsAreThoseOfTheRunOctetForOctet() throws {
    let folder = try TemporaryFolder()
    let (air, host) = try run("legacy", folder)
    let (heard, sent) = (folder.url.appending(path: "heard"), folder.url.appending(path: "sent"))
    #expect(try Tool.run(["check", air, "--recordings", heard.path]).trouble.contains("records written"))
    #expect(try Tool.run(["check", host, "--recordings", sent.path]).status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: sent.path).sorted()
    #expect(names.count == 4)
    #expect(try FileManager.default.contentsOfDirectory(atPath: heard.path).sorted() == names)
    for name in names {
      let octets = try Data(contentsOf: heard.appending(path: name))
      #expect(octets.count >= 16_000)
      #expect(octets == (try Data(contentsOf: sent.appending(path: name))), "\(name)")
    }
  }

  @Test func withSecureConnectionsNothingIsOverheardAndThatIsSaid() throws {
    let folder = try TemporaryFolder()
    let (air, _) = try run("secure-connections", folder)
    let heard = folder.url.appending(path: "heard")
    let outcome = try Tool.run(["check", air, "--recordings", heard.path])
    #expect(outcome.trouble.contains("records written to \(heard.path): 0"))
    #expect(!FileManager.default.fileExists(atPath: heard.path))
    #expect(outcome.output.contains(" encrypted with a key that is not known"))
    #expect(outcome.output.contains("not judged: violations from "))
  }

  @Test func oneScenarioIsHeardAtATime() throws {
    let refused = try Tool.run(["run", "--tag", "smoke", "--air", "air.pcap"])
    #expect(refused.status == 2)
    #expect(refused.trouble.contains("--air needs one scenario that runs once"))
    #expect(try Tool.run(["check", "--key", "12", "nothing.pcap"]).status == 2)
  }

  @Test(arguments: [("--repeat", "2", "it is to run 2 times"), ("--for", "60s", "--for repeats it")])
  func whatIsRepeatedIsNotHeard(option: String, value: String, reason: String) throws {
    let refused = try Tool.run(["run", "scenarios/records/order.yaml", option, value, "--air", "air.pcap"])
    #expect(refused.status == 2)
    #expect(refused.trouble.contains("--air needs one scenario that runs once, but \(reason)"), "\(refused.trouble)")
  }
}
