import Bytes
import Phone
import ScenarioLanguage
import Glibc
import Synchronization
import Testing
import World
import Timeline
import YAML

@testable import Bench
@testable import Transports

/// A machine whose adapters, folders and clocks are as a test states.
private struct PretendedMachine {
  var kernel: [KernelAdapterView] = []
  var usb: [USBDescription] = []
  var root = "/nowhere-at-all"
  var free: UInt64? = 5 << 30
  /// What the clocks show, one reading after the other; the last stays.
  var clocks = [ClockReading(wall: 1_750_000_000_000_000_000, monotonic: 5)]

  var machine: BenchMachine {
    let (kernel, usb, free, tree) = (kernel, usb, free, SystemTree(root: root))
    let clock = ClockHands(clocks)
    return BenchMachine(
      survey: AdapterSurvey(kernel: { kernel }, usb: { usb }, tree: tree), tree: tree,
      traits: [BenchTrait("program", "dictobench 1")], clock: { clock.next() }, freeOctets: { _ in free })
  }

  func look(_ checks: [any BenchCheck], _ subject: BenchSubject) -> Checkup {
    var checkup = Checkup(checks, of: subject, on: machine)
    checkup.perform()
    return checkup
  }
}

private final class ClockHands: Sendable {
  private let left: Mutex<[ClockReading]>

  init(_ readings: [ClockReading]) { left = Mutex(readings) }

  func next() -> ClockReading { left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
}

/// A check that finds what it is told.
private struct Stated: BenchCheck {
  let name: String
  var needs: [String] = []
  let finding: Finding?

  func look(_ examination: inout Examination) -> Finding? { finding }
}

private func subject(
  _ controllers: [TransportSpecification] = [], folders: [String] = [], bench: BenchFile? = nil,
  isAttended: Bool = false
) -> BenchSubject {
  var subject = BenchSubject(bench, controller: nil, folders: folders, isAttended: isAttended)
  if !controllers.isEmpty { subject.controllers = controllers }
  return subject
}

@Suite struct Checkups {
  private static let address = BluetoothAddress(0x00AA_0100_0000, .public)

  private func view(_ state: KernelAdapter.State = .down, peers: [BluetoothAddress] = [], isHeld: Bool = false)
    -> KernelAdapterView
  {
    KernelAdapterView(
      adapter: KernelAdapter(index: 0, address: Self.address, state: state), peers: peers, isHeld: isHeld)
  }

  // MARK: What it all comes to

  static let outcomes: [([Finding], Readiness)] = [
    ([.ready("a"), .ready("b", advice: "c")], .ready), ([.ready("a"), .checking("b")], .checking),
    ([.checking("a"), .failed("b", advice: "c")], .failed), ([], .ready),
  ]

  @Test(arguments: outcomes.indices) func thereAreThreeOutcomes(_ index: Int) {
    let (findings, outcome) = Self.outcomes[index]
    let checks = findings.enumerated().map { Stated(name: "\($0)", finding: $1) }
    #expect(PretendedMachine().look(checks, subject()).outcome == outcome)
    #expect(Readiness.allCases.count == 3)
  }

  @Test func whatNeedsSomethingThatFailedIsNotLookedAt() {
    let checkup = PretendedMachine().look(
      [
        Stated(name: "a", finding: .failed("broken", advice: "mend it")),
        Stated(name: "b", needs: ["a"], finding: .ready("never")),
        Stated(name: "c", needs: ["b"], finding: .ready("never")), Stated(name: "d", finding: nil),
        Stated(name: "e", needs: ["d"], finding: .ready("yes")),
      ], subject())
    #expect(checkup.findings.map(\.name) == ["a", "b", "c", "e"])
    #expect(checkup.findings.map(\.finding.outcome) == [.failed, .checking, .checking, .ready])
    #expect(checkup.trouble == "broken: mend it")
  }

  @Test func anInterruptedLookIsStillChecking() {
    var checkup = Checkup(
      [Stated(name: "a", finding: .ready("yes")), Stated(name: "b", finding: .ready("yes"))], of: subject(),
      on: PretendedMachine().machine)
    var looks = 0
    checkup.perform(until: { looks > 0 }, progress: { _ in looks += 1 })
    #expect(checkup.findings.map(\.finding.outcome) == [.ready, .checking])
    #expect(checkup.outcome == .checking)
  }

  @Test func aFaultSaysWhatIsWrongAndWhatToDo() {
    let finding = Finding.failed(BenchFault("the supply at a:1 is gone", advice: "check its power; and its cable"))
    #expect(finding.found == "the supply at a:1 is gone")
    #expect(finding.advice == "check its power; and its cable")
    #expect(Finding.failed("broken: in two").found == "broken: in two")
    #expect(Finding.failed("broken").advice == "check it, and try again")
    #expect(BenchFault("a", advice: "b").description == "a: b")
    #expect(BenchFault("a").description == "a")
  }

  // MARK: Adapters

  @Test func withoutHardwareTheLookSaysSoAndGoesOn() {
    let checkup = PretendedMachine().look(Checkup.doctor(of: subject()), subject())
    #expect(checkup.outcome == .failed)
    #expect(checkup.trouble?.contains("no Bluetooth adapter") == true)
    #expect(checkup.findings.last?.name == "clock")
    #expect(checkup.findings.last?.finding.outcome == .ready)
  }

  @Test func anAdapterWithLinksIsRefusedUnlessTaken() {
    let peer = BluetoothAddress(0x00AA_0101_0009, .public)
    let machine = PretendedMachine(kernel: [view(.up, peers: [peer])])
    var asked = subject([.hciSocket(0)])
    let refused = machine.look(Checkup.preflight, asked)
    #expect(refused.trouble?.contains("live links to \(peer)") == true, "\(refused.trouble ?? "")")
    asked.takesAdaptersInUse = true
    #expect(machine.look(Checkup.preflight, asked).outcome == .ready)
    #expect(PretendedMachine(kernel: [view(isHeld: true)]).look(Checkup.preflight, asked).outcome == .failed)
  }

  @Test func anAdapterThatIsNotThereNamesThoseThatAre() {
    let checkup = PretendedMachine(kernel: [view()]).look(Checkup.preflight, subject([.hciSocket(4)]))
    #expect(checkup.trouble?.contains("hci-socket:4: there is no hci4; there are: hci0") == true)
  }

  @Test func aControllerElsewhereIsNoAdapterOfThisMachine() {
    let checkup = PretendedMachine().look(Checkup.preflight, subject([.tcpClient(host: "a", port: 1)]))
    #expect(checkup.outcome == .ready)
    #expect(checkup.findings.map(\.name) == ["adapter", "clock"])
  }

  @Test func oneOfSeveralIsNotChosenByChance() {
    let machine = PretendedMachine(kernel: [
      view(),
      KernelAdapterView(
        adapter: KernelAdapter(index: 1, address: Self.address, state: .down), peers: [], isHeld: false),
    ])
    let checkup = machine.look([AdapterCheck(), ControllerCheck(), RecorderCheck()], subject())
    #expect(checkup.examination.chosen == nil)
    #expect(checkup.outcome == .ready)
    #expect(
      checkup.findings.map(\.finding.advice) == [
        "choose one with --controller, or permanently with `dictobench setup`"
      ])
  }

  // MARK: The machine

  static let clocks: [(readings: [ClockReading], words: String)] = [
    ([ClockReading(wall: 3_600_000_000_000, monotonic: 5)], "shows 3600 s since 1970: set it"),
    (
      [
        ClockReading(wall: 1_750_000_000_000_000_000, monotonic: 5),
        ClockReading(wall: 1_750_000_002_000_000_000, monotonic: 1_000_000_005),
      ], "was changed by 1000 ms during this check"
    ),
    (
      [
        ClockReading(wall: 1_750_000_000_000_000_000, monotonic: 5),
        ClockReading(wall: 1_750_000_001_000_000_000, monotonic: 1_000_000_005),
      ], "ready"
    ),
  ]

  @Test(arguments: clocks.indices) func aClockThatCannotBeBelievedFails(_ index: Int) {
    let (readings, words) = Self.clocks[index]
    let checkup = PretendedMachine(clocks: readings).look([ClockCheck()], subject())
    #expect((checkup.trouble ?? "ready").contains(words), "\(checkup.trouble ?? "")")
  }

  @Test func whoeverKeepsTheClockIsNamed() throws {
    let folder = try Folder()
    #expect(system("mkdir -p '\(folder.path)/proc/77' && echo systemd-timesyn > '\(folder.path)/proc/77/comm'") == 0)
    let checkup = PretendedMachine(root: folder.path).look([ClockCheck()], subject())
    #expect(checkup.findings[0].finding == .ready("plausible, synchronized by systemd-timesyncd"))
  }

  @Test(arguments: [(1 << 20, Readiness.failed, true), (100 << 20, .ready, true), (5 << 30, .ready, false)])
  func roomIsNeeded(_ octets: UInt64, _ outcome: Readiness, _ hasAdvice: Bool) {
    let machine = PretendedMachine(root: "", free: octets)
    let finding = machine.look([SpaceCheck()], subject(folders: ["/tmp/not/there/yet"])).findings[0].finding
    #expect(finding.outcome == outcome, "\(finding)")
    #expect((finding.advice != nil) == hasAdvice, "\(finding)")
  }

  @Test func aFolderThatCannotBeWrittenFails() {
    let file = PretendedMachine(root: "").look([SpaceCheck()], subject(folders: ["/etc/passwd"]))
    #expect(file.findings[0].finding == .failed("/etc/passwd is not a folder", advice: "name another one"))
    let checkup = PretendedMachine(root: "").look([SpaceCheck()], subject(folders: ["/proc/sys"]))
    #expect(checkup.findings[0].finding.outcome == .failed)
  }

  // MARK: Recorders

  private func heard(_ sightings: [RecorderSighting], _ text: String) throws -> Finding? {
    let bench = try wholeBenchFile(text)
    var examination = Examination(
      subject: subject(bench: bench), machine: PretendedMachine().machine,
      began: ClockReading(wall: 0, monotonic: 0))
    examination.sightings = sightings
    return RecorderCheck().look(&examination)
  }

  private static let recorder = BluetoothAddress(0xC605_0403_0201, .random)
  private static let stranger = RecorderSighting(
    address: BluetoothAddress(0xC605_0403_0299, .random), identity: BluetoothAddress(0xC605_0403_0299, .random),
    name: "di\u{1B}[31mct", signalStrength: -60, lastHeardNanoseconds: 0, isPaired: false)

  @Test func aRecorderIsHeardOrCanBeWokenOrFails() throws {
    let bare = "place: a\nadapters: [\"usb:0\"]\nrecorders: [{address: \"\(Self.recorder)\"}]\n"
    let armed = """
      place: a
      adapters: ["usb:0"]
      recorders: [{address: "\(Self.recorder)", pico: {RawSerialPort: {port: /dev/x}}}]

      """
    var there = Self.stranger
    (there.address, there.identity) = (Self.recorder, Self.recorder)
    #expect(try heard([there], bare)?.outcome == .ready)
    let missing = try #require(try heard([Self.stranger], bare))
    #expect(missing.outcome == .failed)
    #expect(missing.found.contains("heard were"))
    #expect(!missing.found.contains("\u{1B}"))
    #expect(try heard([], armed)?.found.contains("woken when it is needed") == true)
    #expect(try heard([Self.stranger], armed)?.advice?.contains("check that the address is right") == true)
  }

  // MARK: Instruments

  private static let rig = """
    place: a
    adapters: ["unix:$folder/air"]
    recorders:
      - address: C6:05:04:03:02:01
        console: {RawSerialPort: {port: $folder/console}}
        supply: {NetworkSerialPort: {host: 127.0.0.1, port: $port}, identity: DICTOBENCH}
        pico: {RawSerialPort: {port: $folder/pico}, serial: E661}

    """

  @Test func instrumentsThatAreNotThereFailWithWhatToDo() throws {
    let place = try wholeBenchFile(
      Self.rig.replacing("$folder", with: "/nowhere").replacing("$port", with: "1")
    ).recorders[0]
    let checkup = PretendedMachine().look(InstrumentCheck.all(of: place), subject())
    #expect(checkup.findings.map(\.finding.outcome) == [.failed, .failed, .failed])
    #expect(checkup.findings.map(\.name) == ["supply", "pico", "console"].map { "\($0) of C6:05:04:03:02:01" })
    #expect(checkup.findings[2].finding.advice?.hasPrefix("plug it in") == true)
  }

  @Test func programsMustBeThereAndRun() throws {
    let folder = try Folder()
    let script = try folder.script("press", "exit 0")
    #expect(system("echo data > '\(folder.path)/data'; chmod 600 '\(folder.path)/data'") == 0)
    func look(_ path: String) throws -> Finding {
      let place = try wholeBenchFile(
        """
        place: a
        adapters: ["usb:0"]
        recorders:
          - address: C6:05:04:03:02:01
            commands: [{for: press, run: ["\(path)"]}]

        """
      ).recorders[0]
      return PretendedMachine(root: "").look(ProgramCheck.all(of: place), subject()).findings[0].finding
    }
    #expect(try look(script).outcome == .ready)
    #expect(try look("\(folder.path)/data").found.hasSuffix("is not executable"))
    #expect(try look("\(folder.path)/none").found.hasSuffix("does not exist"))
  }
}

@Suite struct GoodRuns {
  private static let run = GoodRun(
    ended: 1_750_000_000,
    traits: [BenchTrait("adapter", "a"), BenchTrait("supply", "RIGOL,DP832"), BenchTrait("c", "1")])

  @Test func areReadAsTheyWereWritten() {
    #expect(GoodRun(lines: Self.run.lines) == Self.run)
    #expect(GoodRun(lines: []) == nil)
    #expect(GoodRun(lines: ["something else", "a\tb"]) == nil)
    #expect(GoodRun(lines: Self.run.lines + ["no tabulator", "\t"])?.traits == Self.run.traits)
  }

  @Test func differFromNowInWhatBothKnow() {
    let changes = Self.run.changes(to: [
      BenchTrait("adapter", "a"), BenchTrait("supply", "RIGOL,DP811"), BenchTrait("new", "x"),
    ])
    #expect(changes == [BenchChange(name: "supply", before: "RIGOL,DP832", now: "RIGOL,DP811")])
  }

  @Test func holdNoBytesOfADevice() {
    let trait = BenchTrait("supply", "RI\u{1B}[2JGOL\tA\nB" + String(repeating: "x", count: 1_000))
    #expect(trait.value.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(trait.value.count < 300)
    #expect(GoodRun(lines: GoodRun(ended: 1, traits: [trait]).lines)?.traits == [trait])
  }
}

/// The bench that a text describes from its first line on.
func wholeBenchFile(_ text: String) throws -> BenchFile {
  let file = SourceFile(path: "bench.yaml", bytes: Array(text.utf8))
  let (bench, problems) = BenchFile.read(file)
  return try #require(bench, "\(DiagnosticReport(problems, files: [file]).text())\n\(text)")
}
