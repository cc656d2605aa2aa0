import Bytes
import ScenarioLanguage
import Testing
import YAML

@testable import Bench

/// A bench file whose recorder has these further lines.
func benchText(_ recorder: String, adapters: String = "[\"tcp-client:127.0.0.1:9001\"]", top: String = "") -> String {
  let lines = recorder.split(separator: "\n").map { "    \($0)\n" }.joined()
  return "place: bench-a\nadapters: \(adapters)\n\(top)recorders:\n  - address: C6:05:04:03:02:01\n\(lines)"
}

func benchFile(_ recorder: String) throws -> BenchFile {
  let file = SourceFile(path: "bench.yaml", text: benchText(recorder))
  let (bench, problems) = BenchFile.read(file, exists: { _ in true })
  return try #require(bench, "\(DiagnosticReport(problems, files: [file]).text())")
}

@Suite struct BenchFiles {
  @Test func aWholeBenchIsRead() throws {
    let bench = try benchFile(
      """
      console: {RawSerialPort: {port: /dev/console, speed: 57600}, image: f934e997}
      supply:
        NetworkSerialPort: {host: 192.168.1.20, port: 5555}
        identity: RIGOL
        channel: 2
        calibration: [{reported: 3 V, true: 2.98 V}, {reported: 4 V, true: 3.96 V}]
      pico: {USBSerialPort: {match: {ID_SERIAL_SHORT: E6614C311B}}}
      flash: {USBDebugger: E6614C311B, image: images/app.hex}
      commands: [{for: forget-bonds, run: [/usr/bin/true]}]
      operator: {does: [clock], within: 5 s}
      """)
    #expect(bench.place == "bench-a")
    #expect(bench.tolerance == .zero)
    #expect(bench.adapters == [.tcpClient(host: "127.0.0.1", port: 9001)])
    let recorder = bench.recorders[0]
    #expect(recorder.address == BluetoothAddress("C6:05:04:03:02:01"))
    #expect(recorder.console?.line == .rawSerialPort(port: "/dev/console", speed: 57_600))
    #expect(recorder.supply?.line == .networkSerialPort(host: "192.168.1.20", port: 5_555))
    #expect(recorder.supply?.calibration.actual(reported: 3_500) == 3_470)
    #expect(recorder.pico?.line == .usbSerialPort(.init(path: nil, serial: "E6614C311B"), speed: 115_200))
    #expect(recorder.flash?.serial == "E6614C311B")
    #expect(recorder.flash?.image == "images/app.hex")
    #expect(recorder.abilities(isAttended: false) == [.button, .rail, .battery, .storage, .bonds])
    #expect(recorder.abilities(isAttended: true) == [.button, .rail, .battery, .clock, .storage, .bonds])
    #expect(recorder.isByHand(.clock))
    #expect(!recorder.isByHand(.bonds))
  }

  @Test(
    arguments: [
      ("consol: {RawSerialPort: /dev/a}", 5, 5, "no field `consol`", "console"),
      ("console: {RawSerialPort: {prt: /dev/a}}", 5, 31, "no field `prt`", "port"),
      ("console: {image: a}", 5, 14, "does not say where the instrument is", nil),
      ("console: {RawSerialPort: {port: /dev/a, speed: fast}}", 5, 52, "`fast`", nil),
      ("console: {RawSerialPort: {port: /dev/a, speed: 115201}}", 5, 14, "115201 is not a speed", nil),
      ("pico: {USBSerialPort: {match: {}}}", 5, 11, "`match` matches everything", nil),
      ("supply: {RawSerialPort: /dev/a}", 5, 13, "`supply` needs `identity`", nil),
      ("supply: {RawSerialPort: /dev/a, identity: R, highest: 12 V}", 5, 59, "`12 V`", nil),
      ("supply: {RawSerialPort: /dev/a, identity: R, tolerance: 5}", 5, 61, "unit", nil),
      ("commands: [{for: pres, run: [/bin/true]}]", 5, 22, "`pres`", "press"),
      ("commands: [{for: press, run: [relay]}]", 5, 15, "`relay` is not the full path", nil),
      ("commands: [{for: press, run: []}]", 5, 15, "`` is not the full path", nil),
      ("supply: {RawSerialPort: /dev/a, identity: \"\"}", 5, 13, "`identity` is empty", nil),
      ("console: {RawSerialPort: {port: \"\"}}", 5, 14, "`port` does not name a device file", nil),
      ("pico: {NetworkSerialPort: {host: \"\"}}", 5, 11, "`host` does not name a machine", nil),
      ("pico: {USBSerialPort: {match: {ID_SERIAL_SHORT: \"\"}}}", 5, 11, "`match` matches everything", nil),
      ("firmware: [{version: 1}]", 4, 14, "nothing shows version 1", nil),
      ("firmware: [{version: 1, digest: f934e997}]", 4, 14, "`f934e997` is not a SHA-256", nil),
      (
        "firmware: [{version: 1, banner: f934}, {version: 2, banner: f934e997}]", 4, 14,
        "versions 1 and 2 cannot be told apart", nil
      ),
      ("operator: {does: [buton]}", 5, 23, "`buton`", "button"),
      ("flash: {USBDebugger: \"A}; exec x; {\", image: a}", 5, 12, "cannot be passed to OpenOCD", nil),
      ("console: {RawSerialPort: /dev/a}\npico: {RawSerialPort: /dev/a}", 6, 11, "another instrument", nil),
      (
        "console: {RawSerialPort: /dev/a}\npico: {RawSerialPort: {port: /dev/../dev/a, speed: 9600}}", 6, 11,
        "another instrument", nil
      ),
      (
        "supply: {RawSerialPort: /dev/a, identity: R, calibration: [{reported: 4 V, true: 3 V}, {reported: 3 V, true: 4 V}]}",
        5, 13, "do not rise", nil
      ),
    ] as [(String, Int, Int, String, String?)])
  func aMistakeIsToldOnceAtItsPlace(
    _ recorder: String, _ line: Int, _ column: Int, _ message: String, _ suggestion: String?
  ) {
    let (bench, problems) = BenchFile.read(
      SourceFile(path: "bench.yaml", text: benchText(recorder)), exists: { _ in true })
    #expect(bench == nil)
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.message.contains(message) == true, "\(problems)")
    #expect(problems.first?.suggestion == suggestion, "\(problems)")
    #expect([problems.first?.location.line, problems.first?.location.column] == [line, column], "\(problems)")
    #expect(problems.first?.expected != nil)
  }

  @Test(arguments: [
    ("[\"tcp-clint:127.0.0.1:9001\"]", "", "tcp-clint"), ("[]", "", "the bench has no adapter"),
    ("[\"usb:0\", \"usb:0\"]", "", "the adapter usb:0 appears twice"),
    ("[\"usb:0\"]", "tags: [board]\n", "`board` is not a tag"),
    ("[\"usb:0\"]", "tolerance: -1 s\n", "`-1 s`"), ("[\"usb:0\"]", "place: again\n", "duplicate key"),
  ])
  func aMistakeAtTheTopIsToldOnce(_ adapters: String, _ top: String, _ message: String) {
    let text = benchText("comment: none", adapters: adapters, top: top)
    let (bench, problems) = BenchFile.read(SourceFile(path: "bench.yaml", text: text))
    #expect(bench == nil)
    #expect(problems.count == 1, "\(problems)")
    #expect(problems[0].message.contains(message), "\(problems)")
  }

  @Test(arguments: ["", "# nothing", "- a", "recorders: {", "place: \u{0}", "place: [1, 2"])
  func whatIsNoBenchFileIsRefused(_ text: String) {
    let (bench, problems) = BenchFile.read(SourceFile(path: "bench.yaml", text: text))
    #expect(bench == nil)
    #expect(!problems.isEmpty)
  }

  @Test func oneAddressIsOneRecorder() {
    let text = benchText("comment: a") + "  - address: C6:05:04:03:02:01\n"
    let (_, problems) = BenchFile.read(SourceFile(path: "bench.yaml", text: text))
    #expect(problems.map(\.message) == ["the address C6:05:04:03:02:01 appears twice"], "\(problems)")
  }

  /// A bench file below `shelf`, with a health scenario and an image, of which these exist.
  private static func files(_ existing: [String]) -> (bench: BenchFile?, places: [String]) {
    let text = benchText("flash: {USBDebugger: E661, image: ../app.hex}", top: "health: health.yaml\n")
    let (bench, problems) = BenchFile.read(
      SourceFile(path: "shelf/bench.yaml", text: text), exists: { existing.contains($0) })
    return (bench, problems.map { "\($0.location.line): \($0.message)" })
  }

  @Test func whatABenchNamesLiesBesideItsFile() throws {
    let bench = try #require(Self.files(["shelf/health.yaml", "shelf/../app.hex"]).bench)
    #expect(bench.health == "shelf/health.yaml")
    #expect(bench.recorders[0].flash?.image == "shelf/../app.hex")
  }

  @Test func whatIsNotThereIsToldAtItsField() {
    #expect(Self.files(["shelf/../app.hex"]).places == ["3: cannot read shelf/health.yaml"])
    #expect(Self.files(["shelf/health.yaml"]).places == ["6: cannot read shelf/../app.hex"])
  }

  @Test func anEmptyPathOfAHealthScenarioIsToldAtItsField() {
    let text = benchText("comment: a", top: "health: \"\"\n")
    let (_, problems) = BenchFile.read(SourceFile(path: "shelf/bench.yaml", text: text), exists: { _ in true })
    #expect(problems.map { "\($0.location.line): \($0.message)" } == ["3: `health` does not name a file"])
  }

  @Test(arguments: ["bench.yaml", "./bench.yaml", "health.yaml", "app.hex", "lab.yaml", "measured.yaml"])
  func aLockIsAFileOfItsOwn(_ name: String) throws {
    let folder = try Folder()
    let text = benchText(
      "flash: {USBDebugger: E661, image: app.hex}\nprofile: measured.yaml",
      top: "health: health.yaml\nlabgrid: lab.yaml\nlock: \(name)\n")
    let (_, problems) = BenchFile.read(
      SourceFile(path: "\(folder.path)/bench.yaml", text: text),
      other: { SourceFile(path: $0, text: "shelf: {}\n") }, exists: { _ in true })
    let file = name.hasPrefix("./") ? "bench.yaml" : name
    #expect(
      problems.map { "\($0.location.line): \($0.message)" }
        == ["5: `lock` names \(folder.path)/\(file), which the bench needs"])
  }

  private static func sharing(_ path: String, _ place: String, _ rest: String) throws -> BenchFile {
    let text = "place: \(place)\nadapters: [\"unix:/tmp/\(place)\"]\n\(rest)\n"
    return try #require(BenchFile.read(SourceFile(path: path, text: text)).bench)
  }

  @Test func oneLockIsOneWhateverItsPath() throws {
    let folder = try Folder()
    let one = try Self.sharing(
      "\(folder.path)/a.yaml", "a", "lock: x.lock\nrecorders: [{address: \"C6:05:04:03:02:01\"}]")
    let other = try Self.sharing(
      "\(folder.path)/../\(folder.path.split(separator: "/").last ?? "")/b.yaml", "b",
      "lock: ./x.lock\nrecorders: [{address: \"C6:05:04:03:02:02\"}]")
    #expect(one.shared(with: other) == "the lock \(folder.path)/x.lock")
  }

  @Test func oneLineIsOneWhateverItsSpeed() throws {
    let (one, other) = (
      try Self.sharing(
        "a.yaml", "a", "recorders: [{address: \"C6:05:04:03:02:01\", pico: {RawSerialPort: {port: /dev/a}}}]"),
      try Self.sharing(
        "b.yaml", "b",
        "recorders: [{address: \"C6:05:04:03:02:02\", pico: {RawSerialPort: {port: /dev/a, speed: 9600}}}]")
    )
    #expect(one.shared(with: other) == "an instrument at /dev/a")
  }
}
