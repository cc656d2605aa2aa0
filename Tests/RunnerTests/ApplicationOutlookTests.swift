import Bench
import Requirements
import ScenarioLanguage
import Testing
import YAML

@testable import Runner

/// What somebody else's phone, which can do a few things by hooks, makes of scenarios.
@Suite struct ApplicationOutlooks {
  private static func target() throws -> ApplicationTarget {
    let hooks = ["reset", "connect", "pair", "disconnect", "sync"].map { "{for: \($0), run: [/bin/true]}" }
    let text =
      "place: shelf\nadapters: [\"tcp-client:127.0.0.1:1\"]\nphone: {hooks: [\(hooks.joined(separator: ", "))]}\n"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    return try #require(ApplicationTarget(bench, controller: nil, attended: nil))
  }

  @Test(arguments: [
    ("given:\n  device: {battery: 84 %, records: 3}\n  phone: {bonded: true}\nsteps:\n  - phone: sync", nil),
    ("steps:\n  - device: {press: 1 s}\n  - eventually: advertising\n    within: 2 s", nil),
    ("steps:\n  - phone: unpair", "phone.unpair"),
    ("steps:\n  - never: battery\n    while:\n      - phone: list", "phone.list"),
    ("steps:\n  - phone: {write-control-point: \"01\"}", "phone.write-control-point"),
    ("steps:\n  - ask: \"Is it blue?\"", "phone.ask"),
    ("steps:\n  - air: break", "actuators: medium"),
    ("given:\n  phone: {mtu: 23 B}\nsteps:\n  - phone: sync", "given phone mtu"),
    ("given:\n  phone: {clock: 2024-01-01 12:00:00}\nsteps:\n  - phone: sync", "phone.set-clock"),
    (
      "given:\n  devices: [{name: a}, {name: b}]\nsteps:\n  - phone: sync",
      "2 recorders, each on a controller of its own"
    ),
    ("steps:\n  - eventually: phone.stored\n    within: 2 s", "the event phone.stored"),
  ])
  func whatIsLackingIsNamed(body: String, missing: String?) throws {
    let scenario = try Playing.scenarios(body)[0]
    #expect(ApplicationOutlook(scenario, on: try Self.target()).missingCapability == missing)
  }

  @Test func nobodyLooksAtASimulatedPhone() throws {
    #expect(try Playing.run("steps:\n  - ask: \"Is it blue?\"").verdict == .blocked(capability: "phone.ask"))
  }
}
