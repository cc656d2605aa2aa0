import Glibc
import TestThreads
import Testing
import Timeline
import World

@testable import Bench

@Suite(.waits) struct Instruments {
  private static let supply =
    "supply: {NetworkSerialPort: {host: 127.0.0.1, port: $port}, identity: ACME, settles-within: 300 ms, "
    + "calibration: [{reported: 3 V, true: 3.1 V}, {reported: 4 V, true: 4.1 V}]}"

  @Test func aConsoleOnATerminalIsIdentifiedAndObeyed() throws {
    let rig = try BenchRig("console: {RawSerialPort: $folder/console, image: f934e997}")
    let device = try rig.device()
    let phone = try rig.phone()
    try rig.run {
      try await device.prepare(seenBy: phone)
      try await device.forgetBonds()
    }
    device.close()
  }

  @Test func theSimulatedConsoleObeysWhenTheStateTaskHasItsTurn() throws {
    let rig = try BenchRig("console: {RawSerialPort: $folder/console}")
    let link = try ConsoleLink(ConsolePlan(line: rig.place.console?.line, image: nil), on: rig.loop, rig.waits)
    var logs: [String] = []
    link.onLog = { logs.append($0.text) }
    try rig.run {
      // The state task's queue holds one command, and it has had no turn yet. On a busy machine it would have had one
      // between two commands of the link, which waits for the echo of each.
      try rig.type("memtest 3\rled 1 1\r")
      _ = await rig.waits.pass(.milliseconds(200), on: rig.loop)
    }
    #expect(logs.contains("cli: failed to queue `led 1 1`"), "\(logs)")
    #expect(!logs.contains { $0.hasPrefix("led:") }, "\(logs)")
    #expect(try rig.recorder.inspect().records.map(\.bytes.count) == [448, 32])
    link.close()
  }

  @Test func aSimulatorThatIsHeldUpKeepsTheTimeBetweenMovementsOfTheButton() {
    var edges = ButtonEdges()
    let released = Instant.zero.advanced(by: .seconds(2))
    #expect(edges.take(at: released, slipped: .zero) == released)
    // 100 ms pass in reality, of which the world of the recorder counts 5.
    let ordered = released.advanced(by: .milliseconds(5))
    let pressed = edges.take(at: ordered, slipped: .milliseconds(95))
    #expect(pressed == released.advanced(by: .milliseconds(100)))
    // The next movement is not in front of it.
    #expect(edges.take(at: ordered, slipped: .milliseconds(95)) == pressed)
    edges.follow(at: pressed.advanced(by: .seconds(1)), slipped: .milliseconds(300))
    let later = pressed.advanced(by: .seconds(2))
    #expect(edges.take(at: later, slipped: .milliseconds(300)) == later)
  }

  @Test func aConsoleOfAnotherFirmwareIsRefused() throws {
    let rig = try BenchRig("console: {RawSerialPort: $folder/console, image: f934e997}")
    let link = try ConsoleLink(
      ConsolePlan(line: rig.place.console?.line, image: "0badc0de"), on: rig.loop, rig.waits)
    let sentence = rig.trouble { try await link.checkImage() }
    #expect(sentence.contains("f934e997"), "\(sentence)")
    #expect(sentence.contains("not 0badc0de: flash the intended firmware"), "\(sentence)")
  }

  @Test func aLineIsOursAlone() throws {
    let rig = try BenchRig("console: {RawSerialPort: $folder/console}")
    let device = try rig.device()
    #expect(performing: { _ = try rig.device() }, throws: { "\($0)".contains("in use by another program") })
    device.close()
    try rig.device().close()
  }

  @Test(arguments: [
    ("/dev/nothing-there", "does not exist: plug it in"), ("/etc/hostname", "is not a serial line"),
    ("/dev/null", "is not a serial line"),
  ])
  func aPortThatIsNoneIsSaidToBe(_ port: String, _ sentence: String) throws {
    let place = try benchFile("console: {RawSerialPort: \(port)}").recorders[0]
    #expect(
      performing: { _ = try ActuatedDevice("device", place, operator: nil, on: EventLoop(driver: .wall), Waits()) },
      throws: { "\($0)".contains(sentence) })
  }

  @Test func aUSBLineIsFoundByWhatUdevCallsIt() throws {
    let folder = try Folder()
    mkdir("\(folder.path)/by-id", 0o700)
    mkdir("\(folder.path)/by-path", 0o700)
    let names = [
      "by-id/usb-Pi_Pico_E661-if00", "by-id/usb-Pi_Pico_E662-if00", "by-path/pci-0000:05:00.0-usb-0:3.1:1.0",
    ]
    for name in names {
      symlink("/dev/null", "\(folder.path)/\(name)")
    }
    func find(_ path: String?, _ serial: String?) throws -> String {
      try InstrumentLine.find(.init(path: path, serial: serial), below: folder.path)
    }
    #expect(try find(nil, "E661") == "\(folder.path)/by-id/usb-Pi_Pico_E661-if00")
    #expect(try find("pci-0000:05:00.0-usb-0:3.1", nil).hasSuffix("usb-0:3.1:1.0"))
    #expect(
      performing: { _ = try find(nil, "E66") }, throws: { "\($0)".contains("USB serial line E66 is not plugged in") })
    #expect(performing: { _ = try find("pci-0000:05:00.0-usb-0:3", nil) }, throws: { "\($0)".contains("plugged in") })
  }

  @Test func aPicoPressesSensesLatchesAndResets() throws {
    let rig = try BenchRig("pico: {RawSerialPort: $folder/pico, serial: E661}")
    let device = try rig.device()
    let recorder = rig.recorder
    try rig.run {
      try await device.identify()
      try await device.cutPower()
      #expect(try !recorder.inspect().isOn)
      try await device.pressButton()
      #expect(try recorder.inspect().isOn)
      try await device.releaseButton()
      try await device.cutPower()
      try await device.powerOn()
      #expect(try recorder.inspect().isOn)
    }
    device.close()
  }

  @Test func aLatchThatDoesNotFollowIsTheBenchsFault() throws {
    let rig = try BenchRig("pico: {RawSerialPort: $folder/pico}")
    let device = try rig.device()
    rig.instruments.pico?.isStuck = true
    let sentence = rig.trouble { try await device.cutPower() }
    #expect(sentence.contains("forced the power latch off, but its nail does not feel it: check"), "\(sentence)")
    device.close()
  }

  @Test func aPicoThatIsAnotherIsRefused() throws {
    let rig = try BenchRig("pico: {RawSerialPort: $folder/pico, serial: E661}")
    let link = try PicoLink(PicoPlan(line: rig.place.pico?.line, serial: "E662"), on: rig.loop, rig.waits)
    let sentence = rig.trouble { try await link.identify() }
    #expect(sentence.hasSuffix("is E661, not E662: correct its port, or `serial`, in the bench file"), "\(sentence)")
  }

  @Test func aPicoLetsGoAfterAHoldUnlessItWasPressedAgain() {
    var server = PicoServer(serial: "E661")
    #expect(server.answer("hold 20", latch: true, millivolts: 3_300).1.count == 2)
    #expect(server.answer("press", latch: true, millivolts: 3_300).1.first == .button(isPressed: true))
    #expect(server.holdEnded(press: 1) == [])
    #expect(server.holdEnded(press: 2) == [.button(isPressed: false)])
    #expect(server.answer("sense", latch: true, millivolts: 3_300).0 == "button=0 latch=1 supply=3300")
  }

  @Test func aPicoLetsGoWhenNothingIsSaidForLong() {
    var server = PicoServer(serial: "E661")
    let pressed = server.answer("press", latch: true, millivolts: 3_300).1
    #expect(pressed == [.button(isPressed: true), .releaseWithoutWord(.seconds(120), word: 1)])
    // An empty line is a word, and no answer.
    #expect(server.heard() == [.releaseWithoutWord(.seconds(120), word: 2)])
    #expect(server.patienceEnded(word: 1) == [])
    #expect(server.patienceEnded(word: 2) == [.button(isPressed: false)])
    // A hold ends by itself.
    _ = server.answer("hold 600000", latch: true, millivolts: 3_300)
    #expect(server.heard() == [])
    #expect(server.patienceEnded(word: 3) == [])
  }

  /// What is left behind by a scenario that ends in the middle.
  private static let left = (supply: supply, pico: "pico: {RawSerialPort: $folder/pico, serial: E661}")

  @Test func whatWasDoneToARecorderIsUndone() throws {
    let rig = try BenchRig("\(Self.left.supply)\n\(Self.left.pico)")
    let device = try rig.device()
    let recorder = rig.recorder
    try rig.run {
      try await device.setBattery(millivolts: 3_500)
      try await device.powerOn()
    }
    let second = try rig.reopened(device)
    try rig.run {
      try await second.pressButton()
      try await second.setBattery(millivolts: 3_050)
      try await second.cutPower()
      #expect(try !recorder.inspect().isOn)
      #expect(await second.restore(batteryMillivolts: 3_475) == [])
    }
    let third = try rig.reopened(second)
    let (supply, pico) = try rig.links(third)
    try rig.run {
      #expect(try await supply.measure() == 3_475)
      let sense = try await pico.sense()
      #expect(!sense.isPressed)
      #expect(sense.isLatched)
    }
  }

  @Test func whatWasInterruptedInTheMiddleOfAnAnswerIsUndoneAllTheSame() throws {
    let rig = try BenchRig("\(Self.left.supply)\n\(Self.left.pico)")
    let device = try rig.device()
    let waits = rig.waits
    try rig.run { try await device.setBattery(millivolts: 3_500) }
    rig.loop.schedule(after: .zero) { waits.endAll(.interrupted) }
    #expect(rig.trouble { try await device.setBattery(millivolts: 3_050) } != "no trouble")
    rig.loop.schedule(after: .zero) { waits.endAll(.interrupted) }
    #expect(rig.trouble { try await device.pressButton() } != "no trouble")
    try rig.run { #expect(await device.restore(batteryMillivolts: 3_475) == []) }
    let (supply, pico) = try rig.links(device)
    try rig.run {
      try await supply.setOutput(on: true)
      #expect(try await supply.measure() == 3_475)
      #expect(try await !pico.sense().isPressed)
    }
  }

  @Test(arguments: [
    (WaitEnd.deadline, "when the step timed out"), (.interrupted, "when the wait was interrupted"),
    (.timeout, "when the scenario's timeout was over"), (.forbidden, "when something happened that must not"),
  ])
  func aQuestionThatIsGivenUpTellsWhy(end: WaitEnd, words: String) throws {
    let rig = try BenchRig(Self.supply)
    let (supply, waits) = (try SupplyLink(try #require(rig.place.supply), on: rig.loop, rig.waits), rig.waits)
    rig.loop.schedule(after: .zero) { waits.endAll(end) }
    let trouble = rig.trouble { _ = try await supply.measure() }
    #expect(trouble.hasSuffix("had not answered `MEAS:VOLT?` \(words)"), "\(trouble)")
  }

  @Test func whatCannotBeUndoneIsSaid() throws {
    let rig = try BenchRig(Self.supply)
    let device = try rig.device()
    try rig.run { try await device.setBattery(millivolts: 3_050) }
    rig.instruments.supply?.misbehaviour = .lies
    let troubles = try rig.run { await device.restore(batteryMillivolts: 3_475) }
    #expect(troubles.first?.contains("check its current limit") == true, "\(troubles)")
  }

  @Test(arguments: ["", "press 1", "hold", "hold 0", "hold -1", "hold 99999999", "latch 2", "PRESS", "sense sense"])
  func whatIsNoCommandIsNotPerformed(_ line: String) {
    var server = PicoServer(serial: "E661")
    let (answer, effects) = server.answer(line, latch: false, millivolts: 0)
    #expect(answer == "error unknown command")
    #expect(effects == [])
  }

  @Test(arguments: ["button=1", "button=2 latch=0 supply=0", "button=1 latch=0 supply=x", "latch=1 button=1 supply=1"])
  func whatIsNoSenseIsNotBelieved(_ line: String) { #expect(PicoSense(line) == nil) }

  @Test func everyPicoCommandIsReadBack() {
    for command in [PicoCommand.version, .press, .hold(milliseconds: 5), .release, .sense, .latch(true), .reset] {
      #expect(PicoCommand(command.text) == command)
    }
  }

  @Test func aSupplySetsWhatIsTrueAndNotWhatItSays() throws {
    let rig = try BenchRig(Self.supply)
    let device = try rig.device()
    var seen: [Int] = []
    rig.recorder.onEvent = { if case .batteryLevelChanged(let level) = $0 { seen.append(Int(level)) } }
    try rig.run {
      try await device.identify()
      try await device.setBattery(millivolts: 3_500)
    }
    let supply = try SupplyLink(try #require(rig.place.supply), on: rig.loop, rig.waits)
    #expect(try rig.run { try await supply.measure() } == 3_500)
    device.close()
  }

  @Test(arguments: [
    (SupplyServer.Misbehaviour.lies, "and measures 0.000 V after 300 ms: check its current limit"),
    (.lags(.seconds(5)), "and measures 0.000 V after 300 ms: check its current limit"),
    (.hangsUp, "is gone (it hung up): check its power"), (.babbles, "refused `VOLT 3.600` with `WARMING UP`"),
  ])
  func aSupplyThatMisbehavesEndsInOneSentence(_ misbehaviour: SupplyServer.Misbehaviour, _ words: String) throws {
    let rig = try BenchRig(Self.supply)
    let device = try rig.device()
    _ = try rig.run { try await device.identify() }
    rig.instruments.supply?.misbehaviour = misbehaviour
    let sentence = rig.trouble { try await device.setBattery(millivolts: 3_500) }
    #expect(sentence.contains(words), "\(sentence)")
    device.close()
  }

  @Test func aSupplyIsNeverSetBeyondItsBoundsAndMustBeTheRightOne() throws {
    let rig = try BenchRig(Self.supply)
    let device = try rig.device()
    #expect(throws: ControlFailure.lacking("actuators: battery of 4.300 V")) {
      try rig.run { try await device.setBattery(millivolts: 4_300) }
    }
    device.close()
    rig.instruments.supply?.misbehaviour = .babbles
    let other = try rig.device()
    #expect(rig.trouble { try await other.identify() }.contains("is `WARMING UP`, not `ACME`"))
  }

  @Test func nobodyAtThePortIsSaid() throws {
    let place = try benchFile(Self.supply.replacing("$port", with: "9")).recorders[0]
    let (loop, waits) = (EventLoop(driver: .wall), Waits())
    let device = try ActuatedDevice("device", place, operator: nil, on: loop, waits)
    nonisolated(unsafe) let shared = device
    #expect(
      performing: { try loop.run { try await shared.identify() } },
      throws: { "\($0)".contains("127.0.0.1:9 is gone (connect: Connection refused): check its power") })
  }

  @Test(arguments: [
    ("3.700", 3_700), ("3.700000E+00", 3_700), ("+3.7V", 3_700), ("-0.0004", 0), ("0", 0),
  ])
  func voltsAreReadAsInstrumentsWriteThem(_ text: String, _ millivolts: Int) {
    #expect(SCPINumber.millivolts(text) == millivolts)
  }

  @Test(arguments: [
    (-512, "-0.512"), (-1, "-0.001"), (-12_345, "-12.345"), (0, "0.000"), (7, "0.007"), (4_030, "4.030"),
  ])
  func voltsAreWrittenWithTheirSign(_ millivolts: Int, _ text: String) {
    #expect(SCPINumber.volts(millivolts) == text)
  }

  @Test func amperesAreWrittenWithTheirSign() {
    #expect([8_000, -150_000].map(SCPINumber.amperes) == ["0.008000", "-0.150000"])
  }

  @Test func anErrorFromBeforeIsNotBlamedOnOurOrder() throws {
    let rig = try BenchRig(Self.supply)
    let line = try #require(rig.place.supply?.line).open(on: rig.loop)
    let somebody = Dialogue(LineDialogue(), named: "supply", on: line, rig.loop, rig.waits)
    try rig.run {
      for order in ["BEEP", "VOLT 99"] { _ = try await somebody.ask(Question(order, hasAnswer: false)) }
      _ = try await somebody.line(Question("*IDN?"))
    }
    somebody.close()
    let device = try rig.device()
    #expect(
      rig.trouble {
        try await device.identify()
        try await device.setBattery(millivolts: 3_500)
      } == "no trouble")
    device.close()
  }

  @Test func aSupplyKeepsItsErrorsUntilSomebodyAsks() {
    var server = SupplyServer(identity: "ACME")
    for line in ["BEEP", "VOLT 99"] { _ = server.handle(line, at: .zero) }
    let answers = (0..<3).flatMap { _ in server.handle("SYST:ERR?", at: .zero) }
    #expect(
      answers == [
        .answer("-113,\"Undefined header\""), .answer("-222,\"Data out of range\""), .answer("0,\"No error\""),
      ])
  }

  @Test func aSupplyForgetsItsErrorsWhereItIsTold() {
    var server = SupplyServer(identity: "ACME")
    for line in ["BEEP", "*CLS"] { _ = server.handle(line, at: .zero) }
    #expect(server.handle("SYST:ERR?", at: .zero) == [.answer("0,\"No error\"")])
  }

  @Test(arguments: ["", "V", "nan", "inf", "9.9E37", "3,7", "three", "0x10.."])
  func whatIsNoVoltageIsNotRead(_ text: String) { #expect(SCPINumber.millivolts(text) == nil) }

  @Test func aCalibrationGoesBothWays() {
    let calibration = Calibration([.init(reported: 3_000, actual: 2_900), .init(reported: 4_000, actual: 3_950)])
    for actual in [2_000, 2_900, 3_300, 3_950, 4_200] {
      #expect(abs(calibration.actual(reported: calibration.reported(actual: actual)) - actual) <= 1)
    }
    #expect(calibration.actual(reported: 3_500) == 3_425)
    #expect(Calibration([Calibration.Point]()).reported(actual: 5) == 5)
  }

  @Test func aVoltageThatPassesByHasNotSettled() {
    var settling = SupplySettling(target: 3_500, tolerance: 10)
    let settled = [3_500, 3_700, 3_505, 3_495].map { settling.take($0) }
    #expect(settled == [false, false, false, true])
  }
}
