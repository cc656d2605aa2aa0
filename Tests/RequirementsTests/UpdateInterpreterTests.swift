import Bytes
import DictofunProtocol
import HCI
import SecureDFU
import Testing
import Timeline
import Trace

@testable import Requirements

@Suite struct UpdateInterpretation {
  /// What happened to the update, in reports' words without the times.
  private func lines(_ script: PacketScript) -> [String] {
    script.events.compactMap { event in
      guard case .firmwareUpdate = event.happening else { return nil }
      return event.happening.sentence.replacing("  ", with: " ")
    }
  }

  @Test func theWayIntoTheBootloaderHasItsMeaning() {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discoverButtonless()
    script.ask([0x12, 0x2E, 0x00, 0x02, 0x00])
    script.hear([0x13])
    script.writeButtonless([0x02, 3, 0x41, 0x42, 0x43])
    script.indicateButtonless([0x20, 0x02, 0x01])
    script.writeButtonless([0x01])
    script.indicateButtonless([0x20, 0x01, 0x01])
    script.disconnect()
    script.connect(to: PacketScript.bootloaderAddress)
    script.discoverBootloader()
    script.disconnect()
    script.connect(to: PacketScript.bootloaderAddress)
    #expect(
      lines(script) == [
        "dfu.subscribed on=true", "dfu.buttonless-request opcode=set-name length=3",
        "dfu.buttonless-reply opcode=set-name length=3 result=1",
        "dfu.buttonless-request opcode=start-bootloader", "dfu.buttonless-reply opcode=start-bootloader result=1",
        "dfu.bootloader remembered=false", "dfu.bootloader remembered=true",
      ])
  }

  @Test func anObjectIsComparedWithWhatWasSent() {
    var script = PacketScript()
    script.meetBootloader()
    script.askBootloader([0x06, 0x01])
    script.hearBootloader(stateReply(6, limit: 512, []))
    script.askBootloader([0x02, 2, 0])
    script.hearBootloader([0x60, 2, 1])
    script.askBootloader([0x01, 0x01, 6, 0, 0, 0])
    script.hearBootloader([0x60, 1, 1])
    script.sendFirmware([1, 2])
    script.sendFirmware([3, 4])
    script.hearBootloader(stateReply(3, [1, 2, 3, 4]))
    script.sendFirmware([5, 6])
    script.askBootloader([0x03])
    script.hearBootloader(stateReply(3, [1, 2, 3, 4]))
    script.sendFirmware([5, 6])
    script.hearBootloader(stateReply(3, [1, 2, 3, 4, 5, 6]))
    script.askBootloader([0x04])
    script.hearBootloader([0x60, 4, 0x0B, 0x06])
    let checksums = [CRC32.checksum([1, 2, 3, 4]), CRC32.checksum([1, 2, 3, 4, 5, 6])]
    #expect(
      lines(script).dropFirst(2) == [
        "dfu.request opcode=select object=command",
        "dfu.reply opcode=select result=success object=command limit=512 offset=0 checksum=0",
        "dfu.request opcode=set-receipts interval=2",
        "dfu.reply opcode=set-receipts result=success",
        "dfu.request opcode=create object=command size=6",
        "dfu.reply opcode=create result=success object=command",
        "dfu.packet object=command octets=2", "dfu.packet object=command octets=2",
        "dfu.receipt result=success object=command offset=4 checksum=\(checksums[0]) asSent=true",
        "dfu.packet object=command octets=2", "dfu.request opcode=checksum",
        "dfu.reply opcode=checksum result=success object=command offset=4 checksum=\(checksums[0]) asSent=false",
        "dfu.packet object=command octets=2",
        "dfu.receipt result=success object=command offset=6 checksum=\(checksums[1]) asSent=true",
        "dfu.request opcode=execute", "dfu.reply opcode=execute result=hardwareVersion object=command",
      ])
  }

  @Test func aHoleInAnObjectIsNoticedUntilItIsCreatedAnew() {
    var script = PacketScript()
    script.meetBootloader()
    func ask(_ reply: [UInt8]) -> Bool? {
      script.askBootloader([0x03])
      script.hearBootloader(reply)
      guard case .firmwareUpdate(.answered(_, let answer))? = script.events.last?.happening else { return nil }
      return answer.isAsSent
    }
    func create() {
      script.askBootloader([0x01, 0x01, 100, 0, 0, 0])
      script.hearBootloader([0x60, 1, 1])
    }
    create()
    for octet: UInt8 in 1...4 { script.sendFirmware([octet]) }
    #expect(ask(stateReply(3, [1, 3, 4])) == false)
    #expect(ask(stateReply(3, [1, 3, 4])) == false)
    create()
    for octet: UInt8 in 1...4 { script.sendFirmware([octet]) }
    #expect(ask(stateReply(3, [1, 2, 3, 4])) == true)
  }

  static let strange: [(String, [UInt8])] = [
    ("nothing", []), ("half a reply", [0x60, 6]), ("another head", [0x61, 6, 1]), ("not asked", [0x60, 4, 1]),
    ("too short", [0x60, 6, 1, 0, 2, 0, 0]), ("too long", [0x60, 6, 2, 0]),
    ("no extended error", [0x60, 6, 0x0B]), ("a receipt nobody asked for", stateReply(3, [])),
  ]

  @Test(arguments: strange) func whatCannotBeIsSaid(_ what: String, _ value: [UInt8]) {
    var script = PacketScript()
    script.meetBootloader()
    script.askBootloader([0x02, 0, 0])
    script.hearBootloader([0x60, 2, 1])
    script.askBootloader([0x06, 0x02])
    script.hearBootloader(value)
    #expect(script.words.last == "dfu.not-understood", "\(what)")
    script.hearBootloader(stateReply(6, limit: 4096, []))
    #expect(script.words.last == "dfu.reply")
  }

  @Test func aRefusedRequestWasNotAsked() {
    var script = PacketScript()
    script.connect(to: PacketScript.bootloaderAddress)
    script.discoverBootloader()
    script.ask([0x12, 0x12, 0x00, 0x06, 0x01])
    script.hear([0x01, 0x12, 0x12, 0x00, 0xFD])
    #expect(lines(script).last == "dfu.request-refused error=253")
    script.hearBootloader(stateReply(6, limit: 512, []))
    #expect(script.words.last == "dfu.not-understood")
  }

  @Test func theSameAddressMayBecomeABootloaderAndBack() {
    var script = PacketScript()
    script.connect()
    script.discover()
    script.discoverButtonless()
    script.disconnect()
    script.connect()
    script.discoverBootloader()
    script.subscribe()
    script.askBootloader([0x06, 0x01])
    #expect(script.words.suffix(2) == ["service.used", "dfu.request"])
    script.disconnect()
    script.connect()
    #expect(script.words.last == "dfu.bootloader")
    script.discover()
    script.readBattery(84)
    #expect(script.words.last == "battery.read")
  }

  @Test func theRecordersHostSeesItsOwnBootloader() {
    var script = PacketScript(.recorder(), isServingRecorder: true)
    func advertise(_ data: [UInt8]) {
      let padding = [UInt8](repeating: 0, count: 31 - data.count)
      script.send(.command, [0x08, 0x20, 32, UInt8(data.count)] + data + padding)
      script.get(.event, [0x0E, 4, 1, 0x08, 0x20, 0])
    }
    advertise(Hexadecimal.bytes("020106030259fe0e09646963746f66756e5f62746c64")!)
    script.connect(role: .peripheral)
    let uuid = DictofunUUID.dfuControlPoint.littleEndian128
    script.hear([0x08, 0x01, 0x00, 0xFF, 0xFF, 0x03, 0x28])
    script.ask([0x09, 21, 0x0F, 0, 0x18, 0x10, 0] + uuid)
    script.hear([0x12, 0x10, 0x00, 0x0C])
    #expect(script.words.last == "dfu.request")
    script.disconnect()
    advertise(DictofunAdvertisement.advertisingData)
    script.connect(role: .peripheral)
    script.hear([0x12, 0x10, 0x00] + ControlPointRequest.listFiles.encoded)
    #expect(script.words.last == "fts.request")
  }

  @Test func aTransferIsUnderstoodToItsEnd() {
    for interval: UInt16 in [0, 1, 10] {
      var options = UpdateOptions()
      options.receiptInterval = interval
      var update = UpdateScript(options)
      update.run()
      #expect(update.outcome == .accepted)
      let lines = lines(update.script)
      #expect(!lines.contains { $0.contains("not-understood") || $0.contains("asSent=false") })
      #expect(lines.count { $0.hasPrefix("dfu.receipt") } == (interval == 0 ? 0 : interval == 1 ? 38 : 2))
    }
  }

  @Test(arguments: 0..<40) func nobodyIsBlamedForWhatGetsLost(_ seed: UInt64) {
    var chance = Disorder(state: seed)
    var options = UpdateOptions()
    options.receiptInterval = UInt16(chance.next(12))
    options.setsReceiptsFirst = chance.next(2) == 0
    options.attempts = 100
    var update = UpdateScript(options)
    for _ in 0..<chance.next(12) { update.lostPackets.insert(4 + chance.next(300)) }
    update.script.state(.update(.begun(phone: 0, version: 2, isAsked: true)))
    for _ in 0..<20 where update.outcome == nil {
      if chance.next(2) == 0 { update.requestsLeft = chance.next(30) }
      update.run(packetSize: [20, 60, 100, 244][chance.next(4)])
    }
    #expect(update.outcome == .accepted)
    var monitors = MonitorSet([UpdateProtocol(), UpdateProgress(), AnswersAsDocumented()])
    for event in update.script.events { monitors.observe(event) }
    for finding in monitors.finish(at: update.script.now) { #expect(finding.violations.isEmpty) }
  }

  @Test func brokenPacketsOfAnUpdateNeverTrap() {
    var update = UpdateScript()
    update.run(packetSize: 40)
    let golden = update.script.lines
    var generator = Disorder(state: 7)
    var interpreter = PacketInterpreter(.phone())
    var events: [ProductEvent] = []
    for round in 0..<20_000 {
      var packet = golden[generator.next(golden.count)].packet
      if packet.bytes.count > 9, generator.next(2) == 0 {
        packet.bytes[9 + generator.next(packet.bytes.count - 9)] = UInt8(generator.next(256))
      }
      if generator.next(4) == 0 { packet.bytes.removeLast(generator.next(min(packet.bytes.count, 12))) }
      _ = interpreter.interpret(
        packet, golden[round % golden.count].direction, at: Instant(nanoseconds: UInt64(round)), &events)
      if events.count > 1_000 { events.removeAll(keepingCapacity: true) }
    }
    #expect(interpreter.links.count <= PacketInterpreter.linkLimit)
  }
}

/// Repeatable disorder.
struct Disorder {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
