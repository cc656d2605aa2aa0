import Testing
import YAML

@testable import Bench

/// Bench files whose instruments are stated in a file of labgrid.
@Suite struct LabgridFiles {
  private static let exporter = """
    shelf-1:
      location: second floor
      RawSerialPort: {port: /dev/ttyS0}
      console:
        cls: USBSerialPort
        match: {ID_SERIAL_SHORT: A50285BI}
        speed: 115200
      supply: {cls: NetworkSerialPort, host: 192.168.1.20, port: 5025, protocol: raw}
      modem: {cls: NetworkSerialPort, host: 192.168.1.21, port: 7000, protocol: rfc2217}
      probe: {cls: USBDebugger, match: {ID_SERIAL_SHORT: E6614C311B}}
      unstated: {cls: NetworkSerialPort, host: 192.168.1.21, port: 7001}
      power: {cls: NetworkPowerPort, model: gude, host: 192.168.1.22, index: 1}
    shelf-2:
      console: {cls: USBSerialPort, match: {ID_SERIAL_SHORT: OTHER}}
    """

  private static let environment = """
    targets:
      main:
        resources:
          - RawSerialPort: {name: console, port: /dev/ttyUSB7, speed: 115200}
          - NetworkSerialPort: {name: supply, host: lab, port: 5025}
    """

  private static func read(
    _ instruments: String, labgrid: String? = "labgrid: {file: lab.yaml, group: shelf-1}", _ file: String = exporter
  ) -> (bench: BenchFile?, problems: [String], asked: [String]) {
    var asked: [String] = []
    let text = """
      place: a
      \(labgrid ?? "comment: none")
      adapters: ["usb:0"]
      recorders:
        - address: C6:05:04:03:02:01
          \(instruments)
      """
    let (bench, problems) = BenchFile.read(
      SourceFile(path: "benches/a.yaml", text: text),
      other: { path throws(SourceFileFailure) in
        asked.append(path)
        return SourceFile(path: path, text: file)
      }, exists: { _ in true })
    return (bench, problems.map(\.message), asked)
  }

  private static func lines(_ bench: BenchFile?) -> [LineResource] { bench?.recorders[0].lines.map(\.1) ?? [] }

  @Test func resourcesOfAnExporterAreReachedAsLabgridSays() throws {
    let (bench, problems, asked) = Self.read(
      """
      console: {resource: console, image: f934e997}
          supply: {resource: supply, identity: RIGOL, highest: 4.6 V}
          flash: {resource: probe, image: /tmp/recorder.hex}
      """)
    #expect(problems == [])
    #expect(asked == ["benches/lab.yaml"])
    #expect(
      Self.lines(bench) == [
        .usbSerialPort(.init(path: nil, serial: "A50285BI"), speed: 115_200),
        .networkSerialPort(host: "192.168.1.20", port: 5_025),
      ])
    let flash: FlashPlan? = bench?.recorders[0].plan()
    #expect(flash?.serial == "E6614C311B")
  }

  @Test func aResourceWithoutANameHasThatOfItsClass() {
    let bench = Self.read("pico: {resource: RawSerialPort}").bench
    #expect(Self.lines(bench) == [.rawSerialPort(port: "/dev/ttyS0", speed: 115_200)])
  }

  @Test func theOnlyTargetOfAnEnvironmentNeedsNoName() {
    let (bench, problems, _) = Self.read("console: {resource: console}", labgrid: "labgrid: lab.yaml", Self.environment)
    #expect(problems == [])
    #expect(Self.lines(bench) == [.rawSerialPort(port: "/dev/ttyUSB7", speed: 115_200)])
  }

  static let mistakes: [(String, String?, String)] = [
    (
      "console: {resource: consol}", "labgrid: {file: lab.yaml, group: shelf-1}",
      "no resource `consol`; did you mean `console`?"
    ),
    ("console: {resource: console}", "labgrid: lab.yaml", "the file of labgrid has 2 groups"),
    ("console: {resource: console}", "labgrid: {file: lab.yaml, group: shelf-3}", "no group `shelf-3`"),
    ("console: {resource: console}", nil, "`resource` names nothing without `labgrid:`"),
    ("console: {resource: modem}", "labgrid: {file: lab.yaml, group: shelf-1}", "`modem` speaks rfc2217"),
    ("console: {resource: unstated}", "labgrid: {file: lab.yaml, group: shelf-1}", "`unstated` speaks rfc2217"),
    ("console: {resource: power}", "labgrid: {file: lab.yaml, group: shelf-1}", "`power` is a NetworkPowerPort"),
  ]

  @Test(arguments: mistakes) func mistakesAreSaid(_ instruments: String, _ labgrid: String?, _ sentence: String) {
    let (bench, problems, _) = Self.read(instruments, labgrid: labgrid)
    #expect(bench == nil)
    #expect(problems.contains { $0.contains(sentence) }, "\(problems)")
  }

  @Test func aFileThatIsNotThereIsSaid() {
    let text = "place: a\nlabgrid: lab.yaml\nadapters: [\"usb:0\"]\nrecorders: [{address: \"C6:05:04:03:02:01\"}]\n"
    let problems = BenchFile.read(SourceFile(path: "/nonexistent/a.yaml", text: text)).diagnostics.map(\.message)
    #expect(problems == ["cannot read /nonexistent/lab.yaml: no such file"])
  }
}
