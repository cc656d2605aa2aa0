import Bytes
import SecureDFU
import Testing

/// An updater and a bootloader with nothing between them, where everything arrives at once.
struct TransferRig {
  var rig: BootloaderRig
  var transfer: ImageTransfer
  var packetSize: Int
  /// What was written and notified, as the exchanges of Nordic's code are written down.
  var exchange: [String] = []
  var outcome: ImageTransferOutcome?
  var octets: [UInt32] = []
  var renewals = 0
  /// Octets that the bootloader notified and the updater has not heard.
  private var heard: [[UInt8]] = []
  /// Changes or drops a notification.
  var onNotify: (([UInt8]) -> [[UInt8]])?
  /// Exchanges of the control point after which the link breaks.
  var breaksAfter = Int.max
  private var requests = 0
  private var isLinkUp = false
  private var isRefusalTold = false
  var isTimerRunning = false
  /// Timers that run out before the flash carries on after it stood still.
  var flashStandsStillFor = 0

  init(_ rig: BootloaderRig, _ transfer: ImageTransfer, packetSize: Int = 244) {
    self.rig = rig
    self.transfer = transfer
    self.packetSize = packetSize
  }

  /// Makes a link and lets both talk until nothing more is said.
  mutating func connect() {
    isLinkUp = true
    rig.connect()
    give(.linkReady(packetSize: packetSize))
  }

  mutating func breakLink() {
    isLinkUp = false
    heard = []
    _ = rig.perform(.disconnected)
    give(.linkLost)
  }

  mutating func give(_ input: ImageTransferInput) {
    var effects: [ImageTransferEffect] = []
    transfer.handle(input, &effects)
    if !isRefusalTold, let refused = transfer.chartLog.log.refusal {
      isRefusalTold = true
      Issue.record("\(refused)")
    }
    for effect in effects { carryOut(effect) }
    while isLinkUp, !heard.isEmpty { give(.notified(heard.removeFirst())) }
  }

  /// Lets timers run out while there are any: time passes, but for the bootloader's own.
  mutating func runTimers(upTo limit: Int = 200) {
    var count = 0
    while isTimerRunning, outcome == nil, count < limit {
      count += 1
      isTimerRunning = false
      letFlashRun()
      give(.timerFired)
    }
  }

  /// Lets the flash stand still when an object is created, and carry on at the next request for a checksum.
  private mutating func letFlashRun() {
    guard !rig.isFlashRunning else { return }
    rig.isFlashRunning = true
    while rig.bootloader.flashQueueLength > 0 { listen(rig.endWaitingOperation()) }
    while isLinkUp, !heard.isEmpty { give(.notified(heard.removeFirst())) }
  }

  private mutating func carryOut(_ effect: ImageTransferEffect) {
    switch effect {
    case .writeControlPoint(let request):
      guard isLinkUp else { return }
      requests += 1
      if requests > breaksAfter {
        breaksAfter = .max
        return breakLink()
      }
      exchange.append("> CP " + Hexadecimal.string(request))
      if request.starts(with: [0x01, 0x02]), flashStandsStillFor > 0 {
        flashStandsStillFor -= 1
        rig.isFlashRunning = false
      } else if request.first == 0x03 || request.first == 0x04 {
        letFlashRun()
      }
      listen(rig.perform(.controlPointWritten(request)))
    case .writePacket(let packet):
      guard isLinkUp else { return }
      exchange.append("> PKT " + Hexadecimal.string(packet))
      listen(rig.perform(.packetWritten(packet)))
    case .startTimer: isTimerRunning = true
    case .stopTimer: isTimerRunning = false
    case .progressed(.sending, let octets): self.octets.append(octets)
    case .progressed, .trouble: break
    case .renewLink:
      renewals += 1
      breakLink()
    case .ended(let outcome): self.outcome = outcome
    }
  }

  private mutating func listen(_ log: String) {
    for entry in log.split(separator: " | ") where entry.hasPrefix("N ") {
      let value = Hexadecimal.bytes(entry.dropFirst(2)) ?? []
      exchange.append("< CP " + Hexadecimal.string(value))
      heard += onNotify?(value) ?? [value]
    }
  }

}

@Suite struct ImageTransferTests {
  private func vector(_ name: String) throws -> [String] {
    try Vectors.text(name).split(separator: "\n").compactMap { line in
      let words = line.split(separator: "#")[0].split(separator: " ")
      guard words.count == 3, words[0] == ">" || words[0] == "<" else { return nil }
      return words.joined(separator: " ")
    }
  }

  private func rig(_ options: UpdateOptions = UpdateOptions(), packetSize: Int = 244) throws -> TransferRig {
    var bootloader = BootloaderRig(.s132Debug)
    _ = bootloader.perform(.started(.updateRequested))
    let transfer = ImageTransfer(
      initPacket: try Vectors.bytes("app_s132_v2.dat"), image: try Vectors.bytes("app_5000.bin"), options: options)
    return TransferRig(bootloader, transfer, packetSize: packetSize)
  }

  @Test(arguments: [
    ("exchange_mtu247_prn0.txt", UInt16(0), true, 244), ("exchange_mtu23_prn12.txt", 12, false, 20),
  ])
  func speaksAsNordicsLibraries(_ name: String, _ receipts: UInt16, _ setsFirst: Bool, _ packetSize: Int) throws {
    var options = UpdateOptions()
    options.receiptInterval = receipts
    options.setsReceiptsFirst = setsFirst
    options.firstObjectPause = 0
    var rig = try rig(options, packetSize: packetSize)
    rig.connect()
    let expected = try vector(name)
    #expect(expected.count > 20)
    #expect(rig.exchange == expected)
    #expect(rig.outcome == .accepted)
  }

  /// A link that breaks before any one request: the next link goes on and the image arrives whole.
  @Test func survivesABreakBeforeEveryRequest() throws {
    var whole = try rig()
    whole.connect()
    whole.runTimers()
    let requests = whole.exchange.count { $0.hasPrefix("> CP") }
    #expect(requests > 12)
    for broken in 0..<requests {
      var rig = try rig()
      rig.breaksAfter = broken
      rig.connect()
      rig.runTimers()
      #expect(rig.outcome == nil)
      rig.connect()
      rig.runTimers()
      #expect(rig.outcome == .accepted, "broken before request \(broken)")
      rig.rig.boot()
      #expect(rig.rig.bootloader.flash.application == rig.transfer.image)
    }
  }

  /// Nobody heard whether the last object was taken: the next link tells.
  @Test func findsOutThatTheImageWasTaken() throws {
    var lost = try rig()
    var executions = 0
    lost.onNotify = { reply in
      guard reply == [0x60, 0x04, 0x01] else { return [reply] }
      executions += 1
      return executions == 3 ? [] : [reply]
    }
    lost.connect()
    lost.runTimers(upTo: 1)
    #expect(executions == 3)
    #expect(lost.outcome == nil)
    #expect(lost.transfer.isOutcomeUncertain)
    lost.rig.boot()
    _ = lost.rig.perform(.started(.updateRequested))
    lost.give(.linkLost)
    lost.connect()
    #expect(lost.outcome == .alreadyInstalled)
  }

  /// Packets that the bootloader had no room for are sent again, in smaller bursts.
  @Test(arguments: [UInt16(0), 12, 40]) func sendsDroppedPacketsAgain(_ receipts: UInt16) throws {
    var options = UpdateOptions()
    options.receiptInterval = receipts
    options.firstObjectPause = 0
    var rig = try rig(options)
    rig.flashStandsStillFor = 3
    rig.connect()
    rig.runTimers()
    #expect(rig.outcome == .accepted)
    #expect(rig.transfer.drops > 0)
    rig.rig.boot()
    #expect(rig.rig.bootloader.flash.application == rig.transfer.image)
  }

  @Test func asksForAReceiptThatWasLost() throws {
    var rig = try rig()
    var receipts = 0
    rig.onNotify = { reply in
      guard reply.starts(with: [0x60, 0x03, 0x01]) else { return [reply] }
      receipts += 1
      return receipts == 2 ? [] : [reply]
    }
    rig.connect()
    rig.runTimers()
    #expect(rig.outcome == .accepted)
    #expect(rig.transfer.drops == 0)
  }

  @Test func takesNoHarmFromReceiptsThatComeTwice() throws {
    var options = UpdateOptions()
    options.receiptInterval = 4
    var rig = try rig(options)
    rig.onNotify = { reply in reply.starts(with: [0x60, 0x03, 0x01]) ? [reply, reply] : [reply] }
    rig.connect()
    rig.runTimers()
    #expect(rig.outcome == .accepted)
    rig.rig.boot()
    #expect(rig.rig.bootloader.flash.application == rig.transfer.image)
  }

  @Test func givesUpABootloaderThatLies() throws {
    var rig = try rig()
    rig.onNotify = { reply in
      guard reply.starts(with: [0x60, 0x03, 0x01]), reply.count == 11 else { return [reply] }
      return [Array(reply[..<7]) + [0xDE, 0xAD, 0xBE, 0xEF]]
    }
    rig.connect()
    rig.runTimers()
    #expect(rig.outcome == .checksumsDiffer)
  }

  @Test func givesUpABootloaderThatNeverAnswers() throws {
    var rig = try rig()
    rig.onNotify = { _ in [] }
    for _ in 0..<ImageTransferTests.patience where rig.outcome == nil {
      rig.connect()
      rig.runTimers()
    }
    #expect(rig.outcome == .noAnswer)
    #expect(rig.renewals == 2)
  }

  /// The answers of the control point may be anything.
  @Test func takesNoHarmFromGarbage() throws {
    var chance = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var rig = try rig()
      rig.onNotify = { reply in
        var reply = reply
        switch chance.next() % 8 {
        case 0: reply = (0..<Int(chance.next() % 24)).map { _ in UInt8(truncatingIfNeeded: chance.next()) }
        case 1: reply[Int(chance.next() % UInt64(reply.count))] = UInt8(truncatingIfNeeded: chance.next())
        case 2: return []
        case 3: return [reply, reply]
        default: break
        }
        return [reply]
      }
      for _ in 0..<ImageTransferTests.patience where rig.outcome == nil {
        rig.connect()
        rig.runTimers()
      }
      #expect(rig.octets.allSatisfy { $0 <= 5000 })
    }
  }

  private static let patience = 12
}
