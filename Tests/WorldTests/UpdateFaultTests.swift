import Bytes
import DictofunProtocol
import HCI
import HostStack
import SecureDFU
import Testing
import Timeline

@testable import Recorder
@testable import World

/// What can go wrong around a bootloader does, as often as it was asked to.
@Suite struct UpdateFaultTests {
  private static func rig(_ configure: (inout RecorderFirmware) -> Void) throws -> UpdateRig {
    try UpdateRig { configure(&$0.firmware) }
  }

  /// A bootloader with a data object of 4,096 octets, created.
  private static func objectRig(_ configure: (inout RecorderFirmware) -> Void) throws -> UpdateRig {
    let rig = try rig(configure)
    let release = try UpdateRig.release(version: 2)
    #expect(rig.enterBootloader())
    #expect(rig.sendInitPacket(release.packet) == "600401")
    rig.run(for: .seconds(1))
    #expect(rig.ask("0602") != nil)
    #expect(rig.ask("010200100000") == "600101")
    return rig
  }

  private static let packet = [UInt8](repeating: 0x11, count: 244)

  /// The offset that a reply with offset and checksum states.
  private static func offset(_ reply: String?) -> Int? {
    guard let octets = reply.flatMap({ Hexadecimal.bytes($0) }), octets.count >= 11 else { return nil }
    return (0..<4).reduce(0) { $0 | Int(octets[octets.count - 8 + $1]) << (8 * $1) }
  }

  @Test func aPacketIsDropped() throws {
    // The init packet is the first.
    let rig = try Self.objectRig { $0.faults.droppedPacket = 3 }
    rig.send([UInt8](repeating: 0x11, count: 4 * 244))
    #expect(Self.offset(rig.ask("03")) == 3 * 244)
    #expect(rig.recorderEvents.count { $0 == .updatePacketDropped } == 1)
  }

  @Test func everySoManyPacketsOneIsDropped() throws {
    let rig = try Self.objectRig { $0.faults.droppedPacketInterval = 2 }
    rig.send([UInt8](repeating: 0x11, count: 6 * 244))
    #expect(Self.offset(rig.ask("03")) == 3 * 244)
    #expect(rig.recorderEvents.count { $0 == .updatePacketDropped } == 3)
  }

  /// A flash that is busy loses what comes too fast: the queue is short, and short or long erasing decides.
  @Test(arguments: [(16, 400_000, 17, 15), (16, 100, 17, 17), (8, 400_000, 17, 7)])
  func aSlowFlashLosesPackets(queue: Int, erase: Int, sent: Int, taken: Int) throws {
    let rig = try Self.objectRig {
      $0.timing = FlashTiming(erase: erase, word: 10)
      $0.build.flashQueueLimit = queue
    }
    // The page is still being erased.
    let link = try #require(rig.link)
    for _ in 0..<sent {
      rig.central.request(
        .client(
          link, ClientToken(0),
          .writeWithoutResponse(rig.handle(DictofunUUID.dfuPacket), Array(Self.packet.prefix(200)))))
    }
    rig.run(for: .seconds(2))
    #expect(Self.offset(rig.ask("03")) == taken * 200)
  }

  /// Two packets, a receipt behind both: how many come at once, and with which offset.
  @Test(
    arguments: [
      (nil, 1, 488), (BootloaderFaults.ReceiptFault(.lost, number: 1), 0, 0),
      (BootloaderFaults.ReceiptFault(.lost, number: 2), 1, 488),
      (BootloaderFaults.ReceiptFault(.duplicated, number: 1), 2, 488),
      (BootloaderFaults.ReceiptFault(.late(.seconds(3)), number: 1), 0, 0),
      (BootloaderFaults.ReceiptFault(.wrongOffset), 1, 492),
    ] as [(BootloaderFaults.ReceiptFault?, Int, Int)])
  func receipts(fault: BootloaderFaults.ReceiptFault?, count: Int, offset: Int) throws {
    let rig = try Self.objectRig { $0.faults.receipt = fault }
    #expect(rig.ask("020200") == "600201")
    rig.send(Self.packet + Self.packet, pause: .milliseconds(500))
    var heard: [String] = []
    while let value = rig.next(within: .milliseconds(1)) { heard.append(Hexadecimal.string(value)) }
    #expect(heard.count == count)
    #expect(heard.allSatisfy { $0.hasPrefix("600301") && Self.offset($0) == offset })
    guard case .late? = fault?.kind else { return }
    #expect(rig.ask("0601")?.hasPrefix("600601") == true, "what is asked meanwhile does not wait")
    #expect(Self.offset(rig.next(within: .seconds(4)).map { Hexadecimal.string($0) }) == 488)
  }

  @Test func answersGoMissing() throws {
    let rig = try Self.rig { $0.faults.answer = BootloaderFaults.AnswerFault(.missing, to: 0x06, count: 1) }
    #expect(rig.enterBootloader())
    #expect(rig.ask("020000") == "600201")
    #expect(rig.ask("0601") == nil)
    #expect(rig.ask("0601") == "600601000200000000000000000000")
  }

  @Test func answersAreWrong() throws {
    let kinds: [(BootloaderFaults.AnswerFault.Kind, String)] = [
      (.wrongOpCode, "600901000200000000000000000000"), (.result([0x0B, 0x07]), "60060b07"),
      (.result([0x08]), "600608"),
      (.wrongChecksum, "600601000200000000000001000000"), (.wrongOffset, "600601000200000400000000000000"),
    ]
    for (kind, answer) in kinds {
      let rig = try Self.rig { $0.faults.answer = BootloaderFaults.AnswerFault(kind) }
      #expect(rig.enterBootloader())
      #expect(rig.ask("0601") == answer)
      #expect(rig.ask("0601") == answer)
    }
  }

  @Test func answersComeLate() throws {
    let rig = try Self.rig { $0.faults.answerDelay = .seconds(4) }
    #expect(rig.enterBootloader())
    #expect(rig.ask("0601", within: .milliseconds(3900)) == nil)
    #expect(rig.next(within: .milliseconds(300)) != nil)
  }

  @Test func aMuteBootloaderConfirmsNothing() throws {
    let rig = try Self.rig { $0.faults.isMute = true }
    #expect(rig.enterBootloader())
    #expect(rig.ask("0601") == "ATT ff", "thirty seconds without a response")
  }

  @Test(arguments: [false, true]) func linksBreakInPlaceOfARequest(isSilent: Bool) throws {
    let rig = try Self.rig { $0.faults.linkBreak = BootloaderFaults.LinkBreak(exchange: 2, isSilent: isSilent) }
    #expect(rig.enterBootloader())
    #expect(rig.ask("0601") != nil)
    #expect(rig.ask("0601") == "ATT ff")
    let reason: ErrorCode = isSilent ? .connectionTimeout : .remoteUserTerminatedConnection
    #expect(rig.events.contains { if case .disconnected(_, reason) = $0 { true } else { false } })
    #expect(rig.isInBootloader)
    #expect(rig.connectToBootloader(), "it is heard again")
    #expect(rig.ask("0601") != nil, "and breaks once")
  }

  /// A radio that failed is back at once; only the start is late.
  @Test func aBreakIsNoStart() throws {
    let rig = try Self.rig {
      $0.faults.linkBreak = BootloaderFaults.LinkBreak(exchange: 1, isSilent: true)
      $0.faults.advertisingDelay = .seconds(8)
    }
    #expect(rig.enterBootloader())
    #expect(rig.ask("0601") == "ATT ff")
    #expect(rig.advertisement(from: UpdateRig.bootloaderAddress, within: .seconds(1)) != nil)
  }

  @Test func theFirstConnectionBreaks() throws {
    let rig = try Self.rig { $0.faults.linkBreak = BootloaderFaults.LinkBreak(exchange: 0, isSilent: true) }
    #expect(!rig.enterBootloader())
    rig.run(for: .seconds(10))
    #expect(rig.connectToBootloader())
  }

  @Test func itsAdvertisementIsLateOrOdd() throws {
    let late = try Self.rig { $0.faults.advertisingDelay = .seconds(30) }
    #expect(!late.enterBootloader())
    let cases: [((inout BootloaderFaults) -> Void, String)] = [
      ({ $0.hidesName = true }, "020106030259fe"),
      ({ $0.hidesService = true }, "0201060e09646963746f66756e5f62746c64"),
    ]
    for (change, data) in cases {
      let rig = try Self.rig { change(&$0.faults) }
      #expect(rig.enterBootloader())
      rig.disconnect()
      #expect(rig.advertisement(from: UpdateRig.bootloaderAddress).map { Hexadecimal.string($0) } == data)
    }
  }

  /// The cap is rounded like any other.
  @Test(arguments: [(23, 23), (27, 27), (185, 183), (247, 247)] as [(UInt16, UInt16)])
  func theMTUIsCapped(cap: UInt16, answered: UInt16) throws {
    let rig = try Self.rig { $0.faults.maximumTransmissionUnit = cap }
    #expect(rig.enterBootloader())
    let sizes = rig.events.compactMap { event -> UInt16? in
      if case .clientCompleted(_, _, .success(.maximumTransmissionUnit(let size))) = event { size } else { nil }
    }
    #expect(sizes.last == answered)
  }

  @Test(arguments: [true, false]) func refusedPacketsCostBuffers(leaks: Bool) throws {
    let rig = try Self.rig { $0.build.leaksBuffers = leaks }
    #expect(rig.enterBootloader())
    #expect(rig.ask("0602") != nil)
    // Without an init packet each is refused.
    for _ in 0..<20 { rig.send([1, 2, 3, 4], pause: .milliseconds(50)) }
    #expect(rig.recorderEvents.count { $0 == .updatePacketDropped } == (leaks ? 3 : 0))
  }

  @Test func executedObjectsCanSurviveABreak() throws {
    let rig = try Self.objectRig { $0.build.savesProgress = true }
    rig.run(for: .milliseconds(400))
    rig.send(Array(try UpdateRig.release(version: 2).image.prefix(4096)))
    #expect(rig.ask("04") == "600401")
    rig.run(for: .seconds(1))
    rig.disconnect()
    #expect(rig.connectToBootloader())
    #expect(Self.offset(rig.ask("0602")) == 4096)
  }
}
