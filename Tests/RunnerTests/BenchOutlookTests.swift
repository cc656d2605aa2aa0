import Bench
import Bytes
import Requirements
import ScenarioLanguage
import Testing
import World
import YAML

@testable import Runner

/// What benches can make of scenarios.
@Suite struct BenchOutlooks {
  private static let whole = """
    console: {RawSerialPort: /dev/a}
    supply: {RawSerialPort: /dev/b, identity: A}
    pico: {RawSerialPort: /dev/c}
    """

  private func target(_ instruments: String, isAttended: Bool = false, adapters: String = "\"usb:0\"") throws
    -> HardwareTarget
  {
    let lines = instruments.split(separator: "\n").map { "    \($0)\n" }.joined()
    let text = "place: a\nadapters: [\(adapters)]\nrecorders:\n  - address: C6:05:04:03:02:01\n\(lines)"
    let bench = try #require(BenchFile.read(SourceFile(path: "bench.yaml", text: text)).bench)
    var target = try #require(HardwareTarget(bench, controller: nil, device: nil))
    if isAttended { target.attended = OperatorPlace(answers: 0) { _ in } }
    return target
  }

  @Test(
    arguments: [
      ("steps:\n  - device: {press: 1 s}", nil),
      ("given:\n  device: {battery: 24 %}\nsteps:\n  - device: {press: 1 s}", nil),
      ("given:\n  device: {voltage: 4.4 V}\nsteps:\n  - device: press", "actuators: battery of 4400 mV"),
      ("given:\n  device: {records: 2}\nsteps:\n  - phone: connect", nil),
      (
        "given:\n  device: {records: {count: 2, apart: 1 h}}\nsteps:\n  - phone: connect",
        "given device records of that kind"
      ),
      (
        "given:\n  device: {records: 2}\n  phone: {clock: \"2024-01-01 12:00:00\"}\n"
          + "steps:\n  - phone: {download: \"0000240101115800\"}", "records with the names that the steps state"
      ),
      (
        "given:\n  device: {records: 1}\n  phone: {clock: \"2024-01-01 12:00:00\"}\n"
          + "steps:\n  - phone: {write-attribute: {handle: 16, value: \"0330303030323430313031313135393030\"}}",
        "records with the names that the steps state"
      ),
      (
        "given:\n  device: {records: 1}\nsteps:\n  - phone: {entry: newest}\n    expect: {duration: 1 s}",
        "records of an exact length"
      ),
      ("given:\n  device: {clock: 2030-01-01 00:00:00}\nsteps:\n  - phone: connect", "actuators: clock"),
      ("given:\n  device: {drift: 20 ppm}\nsteps:\n  - phone: connect", "given device drift"),
      ("given:\n  device: {timeouts: field}\nsteps:\n  - phone: connect", nil),
      ("given:\n  device: {address: C6:05:04:03:02:01}\nsteps:\n  - phone: connect", nil),
      (
        "given:\n  device: {address: C6:05:04:03:02:02}\nsteps:\n  - phone: connect",
        "the recorder with the address of `given`"
      ),
      ("given:\n  air: {loss: 1 %}\nsteps:\n  - phone: connect", "actuators: medium"),
      ("given:\n  devices: [{name: a}, {name: b}]\nsteps:\n  - phone: connect", "2 recorders"),
      // No step tells what was spoken.
      ("steps:\n  - device: {press: {hold: 1 s, sound: a.wav}}", nil),
      (
        "steps:\n  - device: {press: {hold: 1 s, sound: a.wav}}\n"
          + "  - phone: {play: newest, sound: a.wav}\n    expect: {signal-to-noise: 15}", "actuators: sound"
      ),
      (
        "steps:\n  - device: {press: {hold: 1 s, sound: a.wav}}\n"
          + "  - phone: {entry: newest}\n    expect: {transcript: \"speech, 1 s\"}", "actuators: sound"
      ),
      ("steps:\n  - device: {cut-power: 3}", "actuators: rail in the middle of a write"),
      (
        "given:\n  device: {clock: 2030-01-01 00:00:00}\n  phone: {bonded: true}\nsteps:\n  - phone: connect", nil
      ),
      (
        "given:\n  device: {records: 1}\nsteps:\n  - phone: {download: \"0000240101115900\"}",
        "records with the names that the steps state"
      ),
      ("steps:\n  - eventually: {device.power: off}\n    within: 5 s", nil),
      ("steps:\n  - eventually: {device.record: finished}\n    within: 5 s", nil),
      ("steps:\n  - never: {device.record: finished}\n    for: 5 s", "sensors: device.record"),
      ("steps:\n  - eventually: {device.firmware: 1}\n    within: 5 s", "sensors: device.firmware"),
      ("steps:\n  - never: advertising\n    for: 5 s", "sensors: advertising"),
      ("steps:\n  - device: inspect\n    expect: {power: true, records: 0}", nil),
      ("steps:\n  - device: inspect\n    expect: {light: dark}", "sensors: inspection of `light`"),
      ("steps:\n  - device: inspect\n    expect: {bonds: 0}", "sensors: inspection of `bonds`"),
      ("steps:\n  - phone: library\n    expect: {identical: {at-least: 1}}", nil),
    ] as [(String, String?)])
  func whatNothingEstablishesBlocksAndIsNamed(_ body: String, _ missing: String?) throws {
    let scenario = try Playing.scenarios(body.replacing("off}", with: "\"off\"}"))[0]
    #expect(BenchOutlook(scenario, on: try target(Self.whole)).missingCapability == missing)
  }

  @Test(
    arguments: [
      ("- device: inspect\n    expect: {version: 1, bootloader: false}", nil),
      ("- eventually: {device.firmware: 1}\n    within: 5 s", nil),
      ("- never: device.firmware\n    for: 5 s", "sensors: device.firmware"),
      // A banner does not tell whether the image is intact.
      ("- eventually: {device.firmware: {version: 1, whole: true}}\n    within: 5 s", "sensors: device.firmware"),
    ] as [(String, String?)])
  func whoTellsTheFirmwaresVersionIsInTheBenchFile(_ step: String, _ missing: String?) throws {
    let scenario = try Playing.scenarios("steps:\n  \(step)")[0]
    let listed = Self.whole + "\nfirmware: [{version: 1, banner: f934e997}]"
    #expect(BenchOutlook(scenario, on: try target(listed)).missingCapability == missing)
    #expect(BenchOutlook(scenario, on: try target(Self.whole)).missingCapability?.hasPrefix("sensors: ") == true)
  }

  @Test func anAdapterThatNoPhoneNeedsListens() throws {
    let steps = "steps:\n  - never: advertising\n    for: 5 s"
    let two = "\"usb:0\", \"usb:1\""
    let alone = try Playing.scenarios(steps)[0]
    #expect(BenchOutlook(alone, on: try target(Self.whole, adapters: two)).missingCapability == nil)
    let phones = try Playing.scenarios("given:\n  phones: [{name: hers}, {name: his}]\n" + steps)[0]
    #expect(BenchOutlook(phones, on: try target(Self.whole, adapters: two)).missingCapability == "sensors: advertising")
  }

  @Test func everyPhoneNeedsAnAdapterAndItsBond() throws {
    let phones = "given:\n  phones: [{name: hers, bonded: true}, {name: his}, {name: ours, bonded: true}]\n"
    let scenario = try Playing.scenarios(phones + "steps:\n  - phone: connect")[0]
    let two = BenchOutlook(scenario, on: try target(Self.whole, adapters: "\"usb:0\", \"usb:1\""))
    #expect(two.missingCapability == "3 phones")
    let three = BenchOutlook(scenario, on: try target(Self.whole, adapters: "\"usb:0\", \"usb:1\", \"usb:2\""))
    #expect(three.missingCapability == nil)
    #expect(three.bondedPhones == [0, 2])
  }

  @Test func withoutAWayToEraseNothingThatDependsOnRecordsRuns() throws {
    let scenario = try Playing.scenarios("steps:\n  - phone: connect\n  - phone: list")[0]
    let bare = try target("comment: nothing")
    #expect(BenchOutlook(scenario, on: bare).missingCapability == "actuators: storage")
    // Without a bench file a person answers for what the recorder holds.
    let unknown = try HardwareTarget(controller: "usb:0", device: nil)
    #expect(BenchOutlook(scenario, on: unknown).missingCapability == nil)
  }

  @Test(arguments: [
    "- phone: {update: 1.5.0}", "- phone: connect-bootloader", "- phone: look-for-firmware", "- phone: versions",
  ])
  func whatDependsOnFirmwareIsBlockedWhereNothingInstallsIt(_ step: String) throws {
    let scenario = try Playing.scenarios("steps:\n  \(step)")[0]
    #expect(BenchOutlook(scenario, on: try target(Self.whole)).missingCapability == "actuators: firmware")
    let able = try target(Self.whole + "\ncommands: [{for: install-firmware, run: [/usr/bin/true]}]")
    #expect(BenchOutlook(scenario, on: able).missingCapability == nil)
  }

  @Test func whatCannotBeSetIsVerified() throws {
    let steps = "steps:\n  - phone: connect\n  - phone: list"
    let scenario = try Playing.scenarios(
      "given:\n  device: {battery: 24 %, records: 2}\n  phone: {bonded: true}\n\(steps)")[0]
    let bonds = try target("commands: [{for: forget-bonds, run: [/usr/bin/true]}]")
    let outlook = BenchOutlook(scenario, on: bonds)
    #expect(outlook.missingCapability == nil)
    #expect(outlook.verifications(of: 0) == (24, 2, true))
    let whole = BenchOutlook(scenario, on: try target(Self.whole))
    #expect(whole.verifications(of: 0) == (nil, nil, false))
  }

  @Test func aStatedVoltageIsKeptAwayFromTheStepsOfTheLevel() throws {
    let scenario = try Playing.scenarios("given:\n  device: {voltage: 3.5 V}\nsteps:\n  - device: {press: 1 s}")[0]
    let wishes = BenchOutlook(scenario, on: try target(Self.whole)).preparations(of: 0).before
    #expect(wishes.contains(.wish(.battery(millivolts: 3_519))), "\(wishes)")
    let coarse = Self.whole.replacing("identity: A", with: "identity: A, tolerance: 20 mV")
    let between = try Playing.scenarios("given:\n  device: {voltage: 3.25 V}\nsteps:\n  - device: {press: 1 s}")[0]
    #expect(
      BenchOutlook(between, on: try target(coarse)).missingCapability
        == "actuators: battery of 3250 mV, kept more exactly than the supply's `tolerance`")
  }

  @Test func anOperatorCountsOnlyWhereSomebodyAttends() throws {
    let scenario = try Playing.scenarios(
      "given:\n  device: {battery: 24 %}\nsteps:\n  - device: {press: 1 s}\n  - device: hold\n  - device: release")[0]
    let byHand = "operator: {does: [button, battery, rail]}"
    #expect(BenchOutlook(scenario, on: try target(byHand)).missingCapability == "actuators: button")
    let attended = BenchOutlook(scenario, on: try target(byHand, isAttended: true))
    #expect(attended.missingCapability == nil)
    // What it begins with is one prompt, and each press is one.
    #expect(attended.prompts == 3)
    #expect(BenchOutlook(scenario, on: try target(Self.whole)).prompts == 0)
  }

  @Test func aBenchInTroubleIsABenchErrorOfEveryScenario() throws {
    var settings = RunSettings()
    var target = try target("console: {RawSerialPort: /dev/nothing-there}")
    target.look()
    settings.hardware = target
    let scenario = try Playing.scenarios("steps:\n  - phone: connect")[0]
    let report = ScenarioRun(scenario, settings, sounds: Silence(), firmware: NoFirmware()).run()
    #expect(report.verdict.reason?.hasPrefix("/dev/nothing-there does not exist: plug it in") == true)
    #expect(report.verdict.kind == .benchError)
  }
}
