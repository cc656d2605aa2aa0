import Bytes
import Glibc
import Testing
import Timeline
import World

@testable import Bench

@Suite struct Programs {
  private let loop = EventLoop(driver: .wall, seed: 1)
  private let waits = Waits()

  private func run(_ words: [String], within limit: Duration = .seconds(10)) throws -> ExternalProgram.Outcome {
    let loop = loop
    nonisolated(unsafe) let waits = waits
    return try loop.run { try await ExternalProgram(words, within: limit).run(on: loop, waits) }
  }

  @Test func itsExitCodeAndItsWordsAreTaken() throws {
    let folder = try Folder()
    let path = try folder.script("relay", "echo \"$#:$1\"; echo trouble >&2; exit 7")
    #expect(try run([path, "a b; rm -rf $HOME"]) == .init(code: 7, output: "1:a b; rm -rf $HOME\ntrouble\n"))
    #expect(try run(["/bin/true"]) == .init(code: 0, output: ""))
    #expect(try run([try folder.script("dies", "kill -9 $$")]).code == nil)
    #expect(throws: ControlFailure.self) { try run(["/nothing/there"]) }
  }

  @Test func itIsEndedWithWhatItStartedWhenItTakesTooLong() throws {
    let folder = try Folder()
    let path = try folder.script("hangs", "sleep 600 & echo $! > \(folder.path)/child; wait")
    #expect(
      performing: { _ = try run([path], within: .milliseconds(300)) },
      throws: { "\($0)".contains("took longer than 300 ms: run it by hand") })
    let child = try #require(Int32(folder.text("child").split(separator: "\n").first ?? ""))
    // A signal ends it, but the machine, and whoever adopted it, may be slow to take note.
    let gone = "while kill -0 \(child) 2>/dev/null && ! grep -q ') Z' /proc/\(child)/stat; do sleep 0.05; done"
    #expect(try run(["/bin/sh", "-c", gone]).code == 0)
  }

  @Test func anInterruptionIsNotItsFault() throws {
    nonisolated(unsafe) let waits = waits
    loop.schedule(after: .milliseconds(50)) { waits.interrupt() }
    #expect(throws: ControlFailure.ended(.interrupted)) { try run(["/bin/sleep", "600"]) }
  }

  @Test func valuesStandInOneArgument() throws {
    let plan = try benchFile("commands: [{for: set-battery, run: [/bin/dac, \"--mv=%millivolts\", x]}]").recorders[0]
    #expect(
      (plan.plan() as CommandsPlan?)?.commands[0].program([("%millivolts", "3500")]).words
        == ["/bin/dac", "--mv=3500", "x"])
  }

  @Test(arguments: [
    ("comment: a", "3791 3475"),
    ("calibration: [{reported: 3 V, true: 3.1 V}, {reported: 4 V, true: 4.1 V}]", "3575 3475"),
  ])
  func aProgramIsToldWhatIsTrueAndWhatShallBeReported(_ place: String, _ told: String) throws {
    let folder = try Folder()
    let path = try folder.script("dac", "echo $1 $2 > \(folder.path)/told")
    let rig = try BenchRig(
      "commands: [{for: set-battery, run: [\(path), \"%millivolts\", \"%reported\"]}]\n\(place)")
    let device = try rig.device()
    try rig.run { try await device.setBattery(millivolts: 3_475) }
    #expect(folder.text("told") == told + "\n")
  }

  // MARK: Flash

  /// An OpenOCD that keeps a chip in a file: its address is fixed, its flash is equal once it was programmed.
  private static let openOCD = """
    echo "$@" >> $0.log
    case "$*" in
      *"adapter serial {E661}"*) ;;
      *) echo "Error: unable to find a matching CMSIS-DAP device"; exit 1;;
    esac
    case "$*" in
      *mdw*) echo "Open On-Chip Debugger"; echo "0x100000a4: 04030201 ffff0605"; exit 0;;
      *"program {"*) test -e $0.broken || touch $0.flashed; exit 0;;
      *verify_image*) if test -e $0.flashed; then echo "verified 4096 bytes in 0.1s"; exit 0; fi
        echo "Error: checksum mismatch"; exit 1;;
    esac
    exit 2
    """

  private func programmer(_ folder: Folder, serial: String = "E661") throws -> FlashProgrammer {
    let path = try folder.script("openocd", Self.openOCD)
    let plan = try benchFile("flash: {USBDebugger: \(serial), image: app.hex, program: \(path)}").recorders[0].flash
    return FlashProgrammer(try #require(plan))
  }

  private func establish(_ programmer: FlashProgrammer, on address: String) throws -> Bool {
    let loop = loop
    nonisolated(unsafe) let waits = waits
    let address = try #require(BluetoothAddress(address))
    return try loop.run { try await programmer.establish(on: address, loop, waits) }
  }

  @Test func theRightRecorderIsWrittenOnceAndReadBack() throws {
    let folder = try Folder()
    let programmer = try programmer(folder)
    #expect(try establish(programmer, on: "C6:05:04:03:02:01"))
    #expect(try !establish(programmer, on: "C6:05:04:03:02:01"))
    let runs = folder.text("openocd.log").split(separator: "\n")
    #expect(runs.count { $0.contains("program {app.hex}") } == 1)
    #expect(runs.count == 6)
  }

  @Test func anotherRecorderIsNeverWritten() throws {
    let folder = try Folder()
    let programmer = try programmer(folder)
    #expect(
      performing: { _ = try establish(programmer, on: "C6:05:04:03:02:02") },
      throws: { "\($0)".contains("is wired to C6:05:04:03:02:01, not to C6:05:04:03:02:02") })
    #expect(!folder.text("openocd.log").contains("program {"))
  }

  @Test func aWriteThatDidNotTakeIsNoticed() throws {
    let folder = try Folder()
    let programmer = try programmer(folder)
    _ = try folder.script("openocd.broken", "")
    #expect(
      performing: { _ = try establish(programmer, on: "C6:05:04:03:02:01") },
      throws: { "\($0)".contains("does not hold app.hex after it was written") })
  }

  @Test func aProbeThatIsNotThereIsSaid() throws {
    let folder = try Folder()
    let programmer = try programmer(folder, serial: "E999")
    #expect(
      performing: { _ = try establish(programmer, on: "C6:05:04:03:02:01") },
      throws: { "\($0)".contains("does not reach a chip (`Error: unable to find a matching CMSIS-DAP device`)") })
  }

  static let realOpenOCD = "/usr/bin/openocd"

  @Test(
    .enabled(
      if: access(realOpenOCD, X_OK) == 0, "OpenOCD is not installed; `ci/packages --tests` does that"),
    arguments: [
      ("interface/cmsis-dap.cfg", "unable to find a matching CMSIS-DAP device"),
      ("interface/jlink.cfg", "No J-Link device found"),
    ])
  func theRealOpenOCDUnderstandsUpToTheProbeThatIsNotThere(_ interface: String, _ complaint: String) throws {
    let plan = try benchFile(
      "flash: {USBDebugger: \"123456789\", image: app.hex, interface: \(interface), program: \(Self.realOpenOCD)}"
    ).recorders[0].flash
    #expect(
      performing: { _ = try establish(FlashProgrammer(try #require(plan)), on: "C6:05:04:03:02:01") },
      throws: { "\($0)".contains("does not reach a chip (`Error: \(complaint)") })
  }

  @Test(arguments: ["", "0x100000a4: xyz 12", "0x100000a4: 04030201", "0x100000a4: 104030201 0605"])
  func whatIsNoAddressIsNone(_ output: String) { #expect(FlashProgrammer.address(in: output) == nil) }
}

@Suite struct Operators {
  private final class Shown: @unchecked Sendable {
    var texts: [String] = []
  }

  /// An operator who answers so, and what is shown.
  private func perform(
    _ answers: String, within limit: String = "5 s", closes: Bool = false,
    _ body: @escaping (ActuatedDevice) async throws -> Void
  ) throws -> (shown: [String], trouble: String) {
    let rig = try BenchRig("operator: {does: [button, rail, battery], within: \(limit)}")
    var pipe: [Int32] = [-1, -1]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pipe) == 0)
    _ = write(pipe[1], answers, answers.utf8.count)
    if closes { close(pipe[1]) }
    defer {
      close(pipe[0])
      if !closes { close(pipe[1]) }
    }
    let shown = Shown()
    let device = try rig.device(operator: OperatorPlace(answers: pipe[0]) { shown.texts.append($0) })
    return (shown.texts, rig.trouble { try await body(device) })
  }

  @Test func whatIsWishedForIsOnePrompt() throws {
    let shown = Shown()
    let rig = try BenchRig("operator: [rail, battery]")
    var pipe: [Int32] = [-1, -1]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pipe) == 0)
    _ = write(pipe[1], "\n", 1)
    let device = try rig.device(operator: OperatorPlace(answers: pipe[0]) { shown.texts.append($0) })
    try rig.run { try await device.perform([.wish(.power(true)), .wish(.battery(millivolts: 3_475))]) }
    #expect(
      shown.texts == [
        """
        OPERATOR:\u{20}
          1. Switch the recorder's supply off and on, so that it is awake without a press.
          2. Set the battery so that the recorder reports 3.475 V (about 3.79 V at its terminals).
          Enter when done, or say what is wrong (60 s):\u{20}
        """
      ])
  }

  @Test(arguments: [
    ("no relay here\n", "the operator could not do it: no relay here"), ("\n", "no trouble"), ("Done \n", "no trouble"),
  ])
  func theAnswerCounts(_ answer: String, _ trouble: String) throws {
    #expect(try perform(answer) { try await $0.pressButton() }.trouble == trouble)
  }

  @Test func whoWalksAwayEndsInOneSentence() throws {
    let late = try perform("", within: "100 ms") { try await $0.pressButton() }.trouble
    #expect(late == "the operator did not answer within 100 ms: start again when somebody is there")
    let gone = try perform("", closes: true) { try await $0.pressButton() }.trouble
    #expect(gone == "the operator is gone: start again when somebody is there")
  }

  @Test func withoutAnOperatorsPlaceItIsLacking() throws {
    let rig = try BenchRig("operator: [button]")
    let device = try rig.device()
    #expect(throws: ControlFailure.lacking("actuators: button")) { try rig.run { try await device.pressButton() } }
    #expect(rig.place.abilities(isAttended: false) == [])
  }

  @Test func whatSomebodyMeasuredIsWhatTheOperatorIsTold() throws {
    let place = try benchFile(
      "operator: [battery]\ncalibration: [{reported: 3 V, true: 3.1 V}, {reported: 4 V, true: 4.1 V}]"
    ).recorders[0]
    #expect(
      place.request(for: .setBattery(millivolts: 3_475))
        == "Set the battery's terminals to 3.575 V, at which the recorder reports 3.475 V.")
  }

  @Test func promptsAreSpokenOnRequestAndNobodyWaitsForThat() throws {
    let folder = try Folder()
    let voice = try folder.script(
      "speak", "echo \"$1\" > \(folder.path)/spoken; echo $$ > \(folder.path)/process; sleep 600")
    let rig = try BenchRig("operator: {does: [button], speak: [\(voice)], within: 2 min}")
    var pipe: [Int32] = [-1, -1]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pipe) == 0)
    defer { for end in pipe { close(end) } }
    let device = try rig.device(operator: OperatorPlace(answers: pipe[0]) { _ in })
    let (loop, end) = (rig.loop, pipe[1])
    // Answered when it is spoken; the voice, which would go on for minutes, is silenced then.
    func answer() {
      if folder.text("process").isEmpty {
        loop.schedule(after: .milliseconds(20)) { answer() }
      } else {
        _ = write(end, "\n", 1)
      }
    }
    answer()
    try rig.run { try await device.pressButton() }
    #expect(folder.text("spoken") == "Press the recorder's button and keep it pressed.\n")
    let process = try #require(Int32(folder.text("process").split(separator: "\n").first ?? ""))
    #expect(kill(process, 0) != 0)
  }

  @Test func whatWasTypedBeforeAPromptAnswersNothing() throws {
    let rig = try BenchRig("operator: {does: [button], within: 100 ms}")
    let folder = try Folder()
    nonisolated(unsafe) let keyboard = try LineServer(
      at: .rawSerialPort(port: folder.path + "/terminal", speed: 9_600), on: rig.loop)
    let seat = open(folder.path + "/terminal", O_RDWR | O_NOCTTY)
    defer { close(seat) }
    keyboard.send(Array("\n\n\n\n\n\n\n\nno".utf8))
    // Somebody who answers the first prompt alone, and more often than it takes.
    let shown = Shown()
    let device = try rig.device(
      operator: OperatorPlace(answers: seat) { text in
        shown.texts.append(text)
        if shown.texts.count == 1 { keyboard.send([0x0A, 0x0A, 0x0A]) }
      })
    #expect(rig.trouble { try await device.pressButton() } == "no trouble")
    #expect(rig.trouble { try await device.pressButton() }.contains("did not answer within 100 ms"))
  }
}
