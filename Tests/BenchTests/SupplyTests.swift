import Bytes
import TestThreads
import Testing
import Timeline
import World

@testable import Bench

/// What a supply is told, and what it may be.
@Suite(.waits) struct Supplies {
  private static let supply = "supply: {NetworkSerialPort: {host: 127.0.0.1, port: $port}, identity: ACME"
  /// One that reports what is true.
  private static let exact = ", calibration: [{reported: 3 V, true: 3 V}, {reported: 4 V, true: 4 V}]"

  /// Somebody else sets the voltage.
  private func set(_ volts: String, _ rig: BenchRig) throws {
    let line = try #require(rig.place.supply?.line).open(on: rig.loop)
    let somebody = Dialogue(LineDialogue(), named: "supply", on: line, rig.loop, rig.waits)
    try rig.run {
      _ = try await somebody.ask(Question("VOLT \(volts)", hasAnswer: false))
      _ = try await somebody.line(Question("VOLT?"))
    }
    somebody.close()
  }

  @Test(arguments: [("", "5.000", "3.600"), (", highest: 3.3 V", "3.301", "3.300")])
  func aRailIsNeverGivenMoreThanItStands(_ highest: String, _ volts: String, _ limit: String) throws {
    let rig = try BenchRig("\(Self.supply), feeds: rail\(highest)}")
    try set(volts, rig)
    let device = try rig.device()
    let sentence = rig.trouble { try await device.powerOn() }
    let words = "is set to \(volts) V, more than the \(limit) V that its recorder may have"
    #expect(sentence.contains(words), "\(sentence)")
    device.close()
    let link = try SupplyLink(try #require(rig.place.supply), on: rig.loop, rig.waits)
    #expect(try rig.run { try await !link.isOn() })
    link.close()
  }

  @Test func aSimulatedRailIsSwitchedOn() throws {
    let rig = try BenchRig("\(Self.supply), feeds: rail}")
    let device = try rig.device()
    #expect(rig.trouble { try await device.powerOn() } == "no trouble")
    device.close()
  }

  @Test func aSupplyOfCoarseStepsSettlesAtOneOfThem() throws {
    let rig = try BenchRig("\(Self.supply)\(Self.exact)}")
    rig.instruments.supply?.step = 10
    let device = try rig.device()
    #expect(rig.trouble { try await device.setBattery(millivolts: 3_475) } == "no trouble")
    #expect(rig.trouble { try await device.setBattery(millivolts: 3_218) } == "no trouble")
    device.close()
  }

  @Test func aSupplyBeyondItsToleranceIsTheBenchsFault() throws {
    let rig = try BenchRig("\(Self.supply)\(Self.exact), tolerance: 5 mV}")
    rig.instruments.supply?.step = 100
    let device = try rig.device()
    #expect(rig.trouble { try await device.setBattery(millivolts: 3_475) }.contains("reports 3.400 V"))
    device.close()
  }

  @Test func anInterruptionWhileASupplySettlesIsNotItsFault() throws {
    let rig = try BenchRig("\(Self.supply)\(Self.exact), settles-within: 10 s}")
    let link = try SupplyLink(try #require(rig.place.supply), on: rig.loop, rig.waits)
    rig.instruments.supply?.misbehaviour = .lies
    nonisolated(unsafe) let waits = rig.waits
    rig.loop.schedule(after: .milliseconds(125)) { waits.interrupt() }
    let sentence = rig.trouble { try await link.setOutput(on: true) }
    #expect(!sentence.contains("check its current limit"), "\(sentence)")
    link.close()
  }

  @Test(arguments: [
    (3_100, 3_121), (3_190, 3_178), (3_225, 3_225), (3_300, 3_321), (3_490, 3_478), (3_500, 3_521), (3_050, 3_050),
    (4_200, 4_200),
  ])
  func aStatedVoltageIsKeptOnItsSideOfAStep(_ stated: Int, _ set: Int) throws {
    let place = try benchFile("\(Self.supply)\(Self.exact), highest: 4.6 V}".replacing("$port", with: "9")).recorders[0]
    #expect(place.steadyBattery(millivolts: stated) == set)
  }

  @Test func aSupplyThatIsNotExactCannotTellLevelsApart() throws {
    let place = try benchFile("\(Self.supply), tolerance: 20 mV}".replacing("$port", with: "9")).recorders[0]
    #expect(place.steadyBattery(millivolts: 3_225) == nil)
    #expect(place.steadyBattery(millivolts: 3_050) == 3_050)
  }

  @Test func whatNoSupplySetsIsSetAsItIsStated() throws {
    let place = try benchFile("commands: [{for: set-battery, run: [/bin/true]}]").recorders[0]
    #expect(place.steadyBattery(millivolts: 3_100) == 3_100)
  }
}
