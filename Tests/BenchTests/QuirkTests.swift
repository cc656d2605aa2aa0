import Bytes
import Foundation
import HCI
import ScenarioLanguage
import TestThreads
import Testing
import Timeline
import World
import YAML

@testable import Bench
@testable import HostStack
@testable import Transports

/// The adapters that deviate from the specification, and how the program lives with them.
@Suite(.waits) struct Quirks {
  /// Our phone on the adapter hears the recorder, or says why not.
  private static func listen(_ quirk: AdapterQuirk?, _ library: QuirkLibrary) -> Result<RadioLook, ControlFailure> {
    Result { () throws(ControlFailure) in
      try RadioLook(QuirkyTransport(quirk).specification, listening: .seconds(1), knowing: library)
    }
  }

  /// An entry that means the virtual controller: by its version, or before that by how it is reached.
  private static func entry(_ quirk: AdapterQuirk) -> QuirkEntry {
    var entry = QuirkEntry([quirk], source: "a test", seen: "it deviates")
    if quirk.precedesVersion {
      entry.adapter = QuirkyTransport(quirk).specification.description
    } else {
      (entry.company, entry.hciVersion) = (0xFFFF, 9)
    }
    return entry
  }

  private static func heard(_ result: Result<RadioLook, ControlFailure>) -> [BluetoothAddress] {
    (try? result.get().sightings.map(\.address)) ?? []
  }

  /// Those that a listener notices; the buffers have a test of their own.
  static let noticed = AdapterQuirk.allCases.filter { $0 != .tooManyBuffers }

  @Test(arguments: noticed) func anAdapterDoesNotWorkWithoutItsEntry(_ quirk: AdapterQuirk) {
    #expect(Self.heard(Self.listen(quirk, QuirkLibrary())) == [])
  }

  @Test(arguments: noticed) func anAdapterWorksWithItsEntry(_ quirk: AdapterQuirk) throws {
    let result = Self.listen(quirk, QuirkLibrary([Self.entry(quirk)]))
    #expect(Self.heard(result) == [QuirkyTransport.recorder], "\(result)")
    #expect(try result.get().quirks == [Self.entry(quirk)])
  }

  @Test func anEntryOfAnotherAdapterChangesNothing() throws {
    var other = Self.entry(.countsNoCredits)
    other.company = 0x000A
    #expect(Self.heard(Self.listen(.countsNoCredits, QuirkLibrary([other]))) == [])
    let result = Self.listen(nil, QuirkLibrary([other]))
    #expect(Self.heard(result) == [QuirkyTransport.recorder])
    #expect(try result.get().quirks == [])
  }

  @Test(arguments: [true, false]) func onlyTheBuffersThatAreThereAreUsed(_ isKnown: Bool) {
    let loop = EventLoop(driver: .virtual)
    let controller = OneBuffer(on: loop)
    let pipe = AdaptedPipe(controller, without: isKnown ? [.tooManyBuffers] : [], on: loop)
    let host = BufferedHost()
    pipe.receiver = host
    pipe.send(Command.leReadBufferSize.packet)
    loop.runEvents()
    host.begin(on: pipe, frames: 3)
    loop.runEvents()
    #expect(controller.transmitted.count == (isKnown ? 3 : 1))
  }

  /// A host that sends frames as the controller has room.
  private final class BufferedHost: PacketReceiver {
    private var scheduler = ACLScheduler.withoutBuffers
    private var pipe: (any PacketPipe)?

    func begin(on pipe: any PacketPipe, frames: UInt8) {
      self.pipe = pipe
      scheduler.open(ConnectionHandle(0))
      for frame in 0..<frames {
        scheduler.enqueue([0, 0, 1, 0, frame], for: ConnectionHandle(0), .none)
      }
      drain()
    }

    private func drain() {
      scheduler.drain { if case .send(let packet) = $0 { pipe?.send(packet) } }
    }

    func receive(_ packet: HCIPacket) {
      switch try? Event(decoding: packet.bytes) {
      case .commandComplete(_, _, .leBufferSize(let size)):
        scheduler = ACLScheduler(dataLength: Int(size.octets), packetCount: Int(size.count))
      case .numberOfCompletedPackets(let completed):
        for one in completed { scheduler.complete(Int(one.count), for: one.handle) { _ in } }
        drain()
      default: break
      }
    }

    func pipeClosed(_ reason: PipeClosure) {}
  }

  // MARK: What doctor measures

  static let measured: [(AdapterQuirk, AdapterQuirk)] = [
    (.countsNoCredits, .countsNoCredits), (.noDataLength, .noDataLength), (.needsSecondScan, .needsSecondScan),
  ]

  @Test(arguments: measured.indices) func whatDeviatesBecomesAnEntryThatCanBeRead(_ index: Int) throws {
    let (quirk, expected) = Self.measured[index]
    let findings = try AdapterExaminer.examine(QuirkyTransport(quirk).specification)
    #expect(findings.deviations.map(\.quirk) == [expected])
    #expect(findings.identity.version?.company == 0xFFFF)
    let entry = try #require(findings.entry)
    let (read, problems) = QuirkFile.read(SourceFile(path: "own.yaml", text: "quirks:\n  - \(entry.yaml)\n"))
    #expect(read == [entry], "\(problems)")
    #expect(QuirkLibrary([entry]).entries(for: findings.identity) == [entry])
  }

  @Test func anAdapterThatDoesNotDeviateHasNoEntry() throws {
    let findings = try AdapterExaminer.examine(QuirkyTransport(nil).specification)
    #expect(findings.deviations == [])
    #expect(findings.entry == nil)
    #expect(findings.notMeasured == [.needsSecondReset, .tooManyBuffers])
    #expect(findings.answers.allSatisfy { $0.microseconds != nil })
  }

  @Test func whoIsTurnedAwayAtFirstComesAgain() throws {
    let busy = BusyTransport(turningAway: 2)
    let findings = try AdapterExaminer.examine(busy.specification)
    #expect(findings.answers.allSatisfy { $0.microseconds != nil })
    #expect(busy.visitCount == 3)
    let closed = BusyTransport(turningAway: .max)
    #expect(throws: ControlFailure.self) { try AdapterExaminer.examine(closed.specification) }
    #expect(closed.visitCount == 5)
  }

  // MARK: The library

  @Test(
    arguments: [
      (#"- {usb: "0a12:0001", quirks: [counts-no-credit], source: a, seen: b}"#, 2, 33, "counts-no-credits"),
      (#"- {usb: "0a12:0001", quirk: [counts-no-credits], source: a, seen: b}"#, 2, 24, "quirks"),
      (#"- {usb: "a12:1", quirks: [counts-no-credits], source: a, seen: b}"#, 2, 11, "not a vendor and a product"),
      (#"- {usb: "0a12:0001", release: "1", quirks: [counts-no-credits], source: a, seen: b}"#, 2, 33, "not a version"),
      (#"- {company: 1, release: "0134", quirks: [counts-no-credits], source: a, seen: b}"#, 2, 27, "without `usb`"),
      ("- {quirks: [counts-no-credits], source: a, seen: b}", 2, 14, "does not say which adapters"),
      ("- {company: 1, quirks: [slow-to-open], source: a, seen: b}", 2, 26, "before the adapter can be asked"),
      ("- {company: 1, quirks: [], source: a, seen: b}", 2, 26, "names no quirk"),
      ("- {adapter: usb, quirks: [slow-to-open], source: a, seen: b}", 2, 15, "is not a transport"),
      ("- {company: 70000, quirks: [no-data-length], source: a, seen: b}", 2, 15, "70000"),
    ])
  func mistakesAreToldAtTheirPlaces(_ line: String, _ row: Int, _ column: Int, _ words: String) {
    let file = SourceFile(path: "own.yaml", text: "quirks:\n  \(line)\n")
    let (entries, problems) = QuirkFile.read(file)
    #expect(entries == nil)
    let text = DiagnosticReport(problems, files: [file]).text()
    #expect(problems.count == 1, "\(text)")
    #expect(text.contains("own.yaml:\(row):\(column):"), "\(text)")
    #expect(text.contains(words), "\(text)")
  }

  @Test func theProgramsLibraryCanBeRead() throws {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../bench/quirks.yaml").path
    let file = try SourceFile.read(path)
    let (entries, problems) = QuirkFile.read(file)
    #expect(problems == [])
    let intel = AdapterIdentity(adapter: "usb:0", usb: USBNumbers(vendor: 0x8087, product: 0x07DC, release: 1))
    #expect(QuirkLibrary(entries ?? []).entries(for: intel).map(\.quirks) == [[.countsNoCredits]])
  }

  @Test func aBenchFileHasEntriesOfItsOwn() throws {
    let entry = "  - {usb: \"0a12:0001\", quirks: [no-data-length], source: a, seen: b}"
    let text = benchText("operator: {does: [clock]}", top: "quirks:\n\(entry)\n")
    let (bench, problems) = BenchFile.read(SourceFile(path: "bench.yaml", text: text))
    #expect(bench?.quirks.map(\.quirks) == [[.noDataLength]], "\(problems)")
    let wrong = text.replacing("\"0a12:0001\"", with: "\"0a12\"")
    let (none, found) = BenchFile.read(SourceFile(path: "bench.yaml", text: wrong))
    #expect(none == nil)
    #expect(found.map(\.location.line) == [4])
  }

  @Test func anAdapterIsMeantWhenAllFieldsAreItsOwn() {
    let version = LocalVersion(hciVersion: 6, hciSubversion: 8891, linkVersion: 6, company: 10, linkSubversion: 8891)
    let numbers = USBNumbers(vendor: 0x0A12, product: 1, release: 0x8891)
    let adapter = AdapterIdentity(adapter: "usb:0", usb: numbers, version: version)
    var entry = QuirkEntry([.noDataLength], source: "a", seen: "b")
    entry.usb = USBNumbers(vendor: 0x0A12, product: 1)
    #expect(entry.matches(adapter))
    entry.hciSubversion = 8891
    #expect(entry.matches(adapter))
    #expect(!entry.matches(AdapterIdentity(adapter: "usb:0", usb: numbers)))
    entry.linkSubversion = 1
    #expect(!entry.matches(adapter))
    entry.linkSubversion = nil
    entry.usb = USBNumbers(vendor: 0x0A12, product: 1, release: 0x0134)
    #expect(!entry.matches(adapter))
  }
}
