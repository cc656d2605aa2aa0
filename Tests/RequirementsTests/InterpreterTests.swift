import Bytes
import DictofunProtocol
import HCI
import Testing
import Timeline
import Trace
import Verdicts

@testable import Requirements

@Suite struct Interpretation {
  /// The published transcript: two files of 448 and 32 octets, MTU 247, handles of the firmware.
  private static func transcript() -> PacketScript {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.encrypt()
    let first = RecordIdentifier("0000231101213012")!
    let second = RecordIdentifier("0100231101213012")!
    for configuration: UInt8 in [0x14, 0x17, 0x23] {
      script.ask([0x12, configuration, 0x00, 0x01, 0x00])
      script.hear([0x13])
    }
    script.list([first, second])
    script.ask([0x12, 0x1A, 0x00, 0x01, 0x00])
    script.hear([0x13])
    script.inform(first, size: 448)
    script.download(first, size: 448)
    script.request(.fileSystemStatus)
    script.notify(0x1F, [0x0E, 0x00, 0x20, 0xCE, 0xFF, 0x00, 0xE0, 0x21, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00])
    script.request(.fileInformation(RecordIdentifier(repeating: 0x39)))
    script.notify(0x22, [0x02] + Array(repeating: 0x39, count: 16))
    script.request(.receiveComplete)
    script.disconnect()
    return script
  }

  @Test func goldenTranscriptHasItsMeaning() {
    let script = Self.transcript()
    let lines = script.events.filter { $0.happening.kind.isDisjoint(with: [.services]) }.map { event in
      event.description.split(separator: "  ").dropFirst(2).joined(separator: " ")
    }
    #expect(lines.contains("fts.files-list count=2 file0=0000231101213012 file1=0100231101213012"))
    let transfer = lines.filter { $0.hasPrefix("fts.data") || $0.hasPrefix("fts.complete") }
    #expect(
      transfer == [
        "fts.data file=0000231101213012 octets=200 received=200",
        "fts.data file=0000231101213012 octets=56 received=256",
        "fts.data file=0000231101213012 octets=192 received=448",
        "fts.complete file=0000231101213012 octets=448",
      ])
    #expect(
      Array(lines.suffix(7)) == [
        "fts.fs-status free=16764448 occupied=8672 count=2",
        "fts.request opcode=file-info file=9999999999999999",
        "fts.request-taken opcode=file-info file=9999999999999999",
        "fts.status code=2 file=9999999999999999",
        "fts.request opcode=receive-complete", "fts.request-taken opcode=receive-complete", "link.down reason=19",
      ])
  }

  @Test(arguments: [1, 2, 3, 5, 7, 8, 27, 251]) func fragmentsMeanWhatTheWholeMeans(size: Int) {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.inform(identifier(1), size: 100)
    script.request(.fileData(identifier(1)))
    let value = (0..<100).map { UInt8($0 + 1) }
    let passed = script.fragments([0x1B, 0x1C, 0x00] + value, of: size, isFromHost: false)
    guard case .fileTransfer(.completed(let file, 100)) = script.events.last?.happening else {
      Issue.record("the file is not complete: \(script.words)")
      return
    }
    #expect(file == identifier(1))
    // Everything but the headers is covered, and nothing of the headers.
    let joined = passed.flatMap { $0.dropFirst(4) }
    #expect(joined == [103, 0, 4, 0, 0x1B, 0x1C, 0x00] + Array(repeating: 0, count: 100))
  }

  /// A recorder that records answers later, and in bad air its answers meet the phone's next request on their way.
  @Test(arguments: [1, 40]) func everyListThatWasAskedForIsHeard(records: Int) {
    var script = PacketScript()
    script.connect()
    script.discover()
    let parts = FilesList.parts((0..<records).map(identifier))
    func answer() {
      for (index, part) in parts.enumerated() { script.notify(index == 0 ? 0x13 : 0x16, part) }
    }
    script.request(.listFiles)
    script.ask([0x12, 0x10, 0x00] + ControlPointRequest.listFiles.encoded)
    answer()
    script.hear([0x13])
    answer()
    // Nobody asked for this one.
    answer()
    let lists = script.events.filter { if case .fileTransfer(.listed) = $0.happening { true } else { false } }
    #expect(lists.count == 2, "\(script.words)")
  }

  @Test func aListIsHeardAfterARecordThatIsNotFound() {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.request(.fileData(identifier(1)))
    script.request(.listFiles)
    script.notify(0x22, [0x02] + identifier(1).octets)
    script.notify(0x13, FilesList.firstPart(count: 1, identifiers: [identifier(2)]))
    #expect(script.words.suffix(2) == ["fts.status", "fts.files-list"])
  }

  @Test func recorderSideSeesTheSameTransfer() {
    var script = PacketScript(.recorder(), isServingRecorder: true)
    script.connect(role: .peripheral)
    script.hear([0x12, 0x10, 0x00] + ControlPointRequest.fileData(identifier(1)).encoded)
    script.ask([0x13])
    let covered = script.ask([0x1B, 0x1C, 0x00, 1, 2, 3])
    #expect(covered == CoveredRange(11, 14))
    #expect(
      script.words == [
        "link.up", "link.attributes", "service.used", "fts.request", "fts.request-taken", "fts.answer-not-enabled",
        "fts.data",
      ])
  }

  /// The rest of the first is no part of the second, and a record that comes after another answer is known again.
  @Test func aRecordThatIsAskedForWhileOneIsSentHasNoKnownEnd() {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.inform(identifier(1), size: 300)
    script.request(.fileData(identifier(1)))
    script.notify(0x1C, Array(repeating: 0, count: 100))
    script.request(.fileData(identifier(1)))
    for _ in 0..<5 { script.notify(0x1C, Array(repeating: 0, count: 100)) }
    #expect(script.words.suffix(5) == Array(repeating: "fts.data", count: 5))
    script.inform(identifier(1), size: 300)
    script.request(.fileData(identifier(1)))
    for _ in 0..<3 { script.notify(0x1C, Array(repeating: 0, count: 100)) }
    guard case .fileTransfer(.completed(identifier(1), octets: 300)) = script.events.last?.happening else {
      Issue.record("the file is not complete: \(script.words)")
      return
    }
  }

  /// Where the other end tells of the packets, this one still knows when the record is complete.
  @Test func whoDoesNotTellOfFileDataFollowsIt() {
    var script = PacketScript(.recorder(), isServingRecorder: true)
    script.interpreter = PacketInterpreter(.recorder(), isServingRecorder: true, tellsFileData: false)
    script.connect(role: .peripheral)
    script.hear([0x12, 0x10, 0x00] + ControlPointRequest.fileInformation(identifier(1)).encoded)
    script.ask([0x13])
    script.ask([0x1B, 0x19, 0x00] + FileInformation(size: 3).encoded)
    script.hear([0x12, 0x10, 0x00] + ControlPointRequest.fileData(identifier(1)).encoded)
    script.ask([0x13])
    let covered = script.ask([0x1B, 0x1C, 0x00, 1, 2, 3])
    #expect(covered == CoveredRange(11, 14))
    #expect(!script.words.contains("fts.data"))
    guard case .fileTransfer(.completed(identifier(1), octets: 3)) = script.events.last?.happening else {
      Issue.record("the file is not complete: \(script.words)")
      return
    }
  }

  @Test func theRecorderAsksThePhoneForTheTime() {
    var script = PacketScript()
    script.connect()
    script.hear([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28])
    script.ask([0x09, 7, 0x10, 0x00, 0x02, 0x11, 0x00, 0x2B, 0x2A])
    let time = CivilTime("2024-02-29 23:59:58")!
    script.hear([0x0A, 0x11, 0x00])
    script.ask([0x0B] + CurrentTime(time).encoded)
    script.hear([0x0A, 0x11, 0x00])
    script.ask([0x01, 0x0A, 0x11, 0x00, 0x80])
    #expect(script.words == ["link.up", "time.asked", "time.served", "time.asked", "time.refused"])
    #expect(script.events[2].happening.details == [EventDetail("time", "2024-02-29 23:59:58")])
  }

  @Test func aKnownAddressNeedsNoDiscovery() {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.disconnect()
    script.events.removeAll()
    script.connect()
    script.readBattery(84)
    #expect(script.words == ["link.up", "link.attributes", "battery.asked", "service.used", "battery.read"])
  }

  @Test func whatCannotBeKnownIsSaidOnceAndCovered() {
    var script = PacketScript()
    script.connect()
    script.ask([0x0A, 0x29, 0x00])
    #expect(script.hear([0x0B, 84]) == CoveredRange(9, 10))
    #expect(script.hear([0x1B, 0x1C, 0x00, 1, 2]) == CoveredRange(11, 13))
    #expect(script.words == ["link.up", "link.undetermined"])
  }

  @Test func packetsThatBeginInsideAConnectionAreUndetermined() {
    var script = PacketScript()
    script.hear([0x1B, 0x1C, 0x00, 1, 2])
    #expect(script.words.first == "link.undetermined")
  }

  /// Key octets with the packets that carry them, and where the keys are.
  private static let secrets: [(kind: HCIPacket.Kind, toController: Bool, bytes: [UInt8], keys: Range<Int>)] = {
    let key = Array(repeating: UInt8(0xEE), count: 16)
    return [
      (.command, true, [0x19, 0x20, 28, 0x40, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9] + key, 15..<31),
      (.command, true, [0x1A, 0x20, 18, 0x40, 0] + key, 5..<21),
      (.command, true, [0x17, 0x20, 32] + key + key, 3..<35),
      (.command, true, [0x27, 0x20, 39, 1, 1, 2, 3, 4, 5, 6] + key + key, 10..<42),
      (.event, false, [0x0E, 20, 1, 0x17, 0x20, 0] + key, 6..<22),
      (.event, false, [0x0E, 12, 1, 0x18, 0x20, 0] + key.prefix(8), 6..<14),
      (.event, false, [0x3E, 34, 0x09, 0] + key + key, 4..<36),
      (.acl, true, PacketScript.data(6, [0x06] + key, isFromHost: true), 9..<25),
      (.acl, false, PacketScript.data(6, [0x08] + key, isFromHost: false), 9..<25),
      (.acl, false, PacketScript.data(6, [0x0A] + key, isFromHost: false), 9..<25),
    ]
  }()

  @Test(arguments: secrets.indices) func keysAreCoveredAndNothingElse(_ index: Int) {
    let (kind, toController, bytes, keys) = Self.secrets[index]
    var script = PacketScript()
    script.connect()
    let covered = toController ? script.send(kind, bytes) : script.get(kind, bytes)
    #expect(covered == CoveredRange(keys.lowerBound, keys.upperBound))
    var expected = bytes
    for position in keys { expected[position] = 0 }
    #expect(covered.applied(to: bytes) == expected)
  }

  @Test func recordingsAreCoveredWhicheverWayTheyAreRead() {
    var script = PacketScript()
    script.connect()
    script.discover()
    for (request, answer): ([UInt8], [UInt8]) in [
      ([0x0A, 0x1C, 0x00], [0x0B, 7, 7, 7]), ([0x0C, 0x1C, 0x00, 2, 0], [0x0D, 7, 7, 7]),
      ([0x0E, 0x29, 0x00, 0x1C, 0x00], [0x0F, 7, 7, 7]),
      ([0x08, 1, 0, 0xFF, 0xFF, 0x05, 0x10], [0x09, 3, 0x1C, 0, 7]),
    ] {
      script.ask(request)
      #expect(script.hear(answer) == CoveredRange(9, 8 + answer.count))
    }
    script.ask([0x0A, 0x29, 0x00])
    #expect(script.hear([0x0B, 84]).isEmpty)
  }

  @Test func whatWasNotDiscoveredMayBeARecording() {
    var script = PacketScript()
    script.connect()
    script.ask([0x08, 1, 0, 0xFF, 0xFF, 0x19, 0x2A])
    #expect(script.hear([0x09, 3, 0x29, 0, 84]).isEmpty)
    script.ask([0x0A, 0x29, 0x00])
    #expect(script.hear([0x0B, 84]).isEmpty)
    script.ask([0x0A, 0x1C, 0x00])
    #expect(script.hear([0x0B, 7, 7]) == CoveredRange(9, 11))
    #expect(script.hear([0x1B, 0x1C, 0x00, 1, 2]) == CoveredRange(11, 13))
    #expect(script.hear([0x1B, 0x29, 0x00, 84]).isEmpty)
  }

  @Test func coveredPacketsMeanTheSame() {
    let script = Self.transcript()
    var interpreter = PacketInterpreter(.phone())
    var events: [ProductEvent] = []
    for line in script.lines {
      let covered = HCIPacket(line.packet.kind, line.covered.applied(to: line.packet.bytes))
      _ = interpreter.interpret(covered, line.direction, at: line.instant, &events)
    }
    #expect(events.map(\.description) == script.events.map(\.description))
  }

  @Test func randomAndBrokenPacketsNeverTrap() {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let golden = Self.transcript().lines
    var interpreter = PacketInterpreter(.phone())
    var events: [ProductEvent] = []
    for round in 0..<20_000 {
      var packet = golden[next(golden.count)].packet
      if round % 3 == 0 {
        packet.kind = [.command, .acl, .event][next(3)]
        packet.bytes = (0..<next(40)).map { _ in UInt8(next(256)) }
      } else if !packet.bytes.isEmpty {
        for _ in 0..<next(4) { packet.bytes[next(packet.bytes.count)] = UInt8(next(256)) }
        if next(3) == 0 { packet.bytes.removeLast(next(packet.bytes.count)) }
      }
      let covered = interpreter.interpret(
        packet, next(2) == 0 ? .toHost : .toController, at: Instant(nanoseconds: UInt64(round)), &events)
      #expect(covered.applied(to: packet.bytes).count == packet.bytes.count)
      if events.count > 1_000 { events.removeAll(keepingCapacity: true) }
    }
    #expect(interpreter.links.count <= PacketInterpreter.linkLimit)
  }
}
