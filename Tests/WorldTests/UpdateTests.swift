import Bytes
import Crypto
import DictofunProtocol
import HCI
import HostStack
import SecureDFU
import Testing
import Timeline

@testable import Recorder
@testable import World

/// The bootloader in the simulated recorder, seen by a raw client over the air.
@Suite struct UpdateTests {
  @Test func aWholeUpdateEndsInTheNewVersionWithEverythingElseAsItWas() throws {
    let update = try UpdateRig.release(version: 2)
    var better = RecorderProfile(name: "better")
    better.lowBatteryMillivolts = 3333
    let rig = try UpdateRig {
      $0.firmware.known = [
        KnownFirmware(digest: SHA256.digest(update.image), name: "2", profile: better)
      ]
    }
    let records = rig.machine.records
    let clock = rig.machine.time(at: rig.loop.now).secondsSinceEpoch - Int64(rig.loop.now.nanoseconds / 1_000_000_000)
    #expect(rig.machine.firmwareVersion == 1)
    #expect(rig.enterBootloader())
    #expect(rig.ask("0601") == "600601000200000000000000000000")
    #expect(rig.sendInitPacket(update.packet) == "600401")
    #expect(rig.ask("0602") == "600601001000000000000000000000")
    #expect(rig.sendImage(update.image) == "600401")
    #expect(rig.waitForApplication())
    #expect(rig.machine.firmwareVersion == 2)
    #expect(rig.machine.records == records)
    #expect(rig.machine.memory?.bonds == [UpdateRig.bond])
    let later = rig.machine.time(at: rig.loop.now).secondsSinceEpoch - Int64(rig.loop.now.nanoseconds / 1_000_000_000)
    #expect(abs(later - clock) <= 1)
    let expected: [RecorderEvent] = [
      .bootloaderStarted, .updateFinished(version: 2), .applicationStarted(version: 2, isWhole: true),
    ]
    #expect(rig.recorderEvents.filter(expected.contains) == expected)
    #expect(rig.machine.profile == better)
    #expect(!rig.recorderEvents.contains { if case .poweredOff = $0 { true } else { false } })
    #expect(rig.connect(to: UpdateRig.address), "the application is heard again")
  }

  /// The exchange by which an application is left, octet by octet.
  @Test func theJumpIsNordics() throws {
    let rig = try UpdateRig()
    #expect(rig.connect(to: UpdateRig.address))
    #expect(rig.write(DictofunUUID.buttonlessDFU, [0x01]) == 0xFD)
    rig.subscribe(DictofunUUID.buttonlessDFU, .indications)
    #expect(rig.write(DictofunUUID.buttonlessDFU, Hexadecimal.bytes("02084466753031323334") ?? []) == nil)
    #expect(rig.next() == [0x20, 0x02, 0x01])
    #expect(rig.write(DictofunUUID.buttonlessDFU, [0x02, 1, 0x41]) == nil)
    #expect(rig.next() == [0x20, 0x02, 0x04])
    #expect(rig.write(DictofunUUID.buttonlessDFU, [0x01]) == nil)
    #expect(rig.next() == [0x20, 0x01, 0x01])
    #expect(rig.wait { rig.link == nil })
    // The chip resets before the radio can say good-bye.
    #expect(rig.events.contains { if case .disconnected(_, .connectionTimeout) = $0 { true } else { false } })
    let advertisement = try #require(rig.advertisement(from: UpdateRig.bootloaderAddress))
    #expect(Hexadecimal.string(advertisement) == "020106030259fe09094466753031323334")
    #expect(rig.advertisement(from: UpdateRig.address) == nil)
    #expect(rig.updateEvents == [.poweredOn(.rail), .bootloaderStarted])
    // Nobody comes: the application starts, the name is forgotten and may be set again.
    rig.run(for: .seconds(61))
    #expect(rig.isOn)
    #expect(!rig.isInBootloader)
    #expect(rig.updateEvents.last == .applicationStarted(version: 1, isWhole: true))
    #expect(rig.connect(to: UpdateRig.address))
    rig.subscribe(DictofunUUID.buttonlessDFU, .indications)
    _ = rig.next(within: .milliseconds(1))
    #expect(rig.write(DictofunUUID.buttonlessDFU, [0x02, 1, 0x41]) == nil)
    #expect(rig.next() == [0x20, 0x02, 0x01])
  }

  @Test func theBootloaderAdvertisesUnderItsOwnName() throws {
    let rig = try UpdateRig()
    #expect(rig.enterBootloader())
    rig.disconnect()
    let advertisement = try #require(rig.advertisement(from: UpdateRig.bootloaderAddress))
    #expect(Hexadecimal.string(advertisement) == "020106030259fe0e09646963746f66756e5f62746c64")
    let interval = rig.advertisingInterval(from: UpdateRig.bootloaderAddress)
    // 25 ms, and at most 10 ms of chance.
    #expect((25.0...35.1).contains(interval), "\(interval) ms")
  }

  @Test func theBootloaderAsksForItsConnectionParameters() throws {
    let rig = try UpdateRig()
    #expect(rig.enterBootloader())
    rig.run(for: .seconds(1))
    let wished = ConnectionParameters(intervalUnits: 12, latency: 0, supervisionTimeoutUnits: 600)
    #expect(rig.events.contains { if case .parametersUpdated(_, wished) = $0 { true } else { false } })
  }

  @Test(
    arguments: [
      (23, 23), (24, 23), (26, 23), (27, 27), (50, 47), (100, 99), (155, 155), (158, 155), (185, 183), (186, 183),
      (187, 187), (246, 243), (247, 247), (517, 247),
    ] as [(UInt16, UInt16)])
  func theBootloaderAnswersAnMTUWithRoomForWholeWords(asked: UInt16, answered: UInt16) throws {
    #expect(Bootloader.maximumTransmissionUnit(requested: Int(asked)) == Int(answered))
    let rig = try UpdateRig(mtu: asked)
    #expect(rig.enterBootloader())
    let sizes = rig.events.compactMap { event -> UInt16? in
      if case .clientCompleted(_, _, .success(.maximumTransmissionUnit(let size))) = event { size } else { nil }
    }
    #expect(sizes.last == answered)
  }

  @Test func theDatabaseOfTheBootloaderIsItsOwn() throws {
    let rig = try UpdateRig()
    #expect(rig.enterBootloader())
    guard case .success(.services(let services))? = rig.perform(.discoverAll) else {
      Issue.record("nothing was discovered")
      return
    }
    #expect(
      services.map(\.uuid) == [
        DictofunUUID.genericAccessService, DictofunUUID.genericAttributeService, DictofunUUID.secureDFUService,
      ])
    let dfu = try #require(services.last?.characteristics)
    #expect(dfu.map(\.uuid) == [DictofunUUID.dfuPacket, DictofunUUID.dfuControlPoint])
    #expect(dfu.map(\.properties) == [.writeWithoutResponse, [.write, .notify]])
    #expect(services[1].characteristics.map(\.uuid) == [DictofunUUID.serviceChanged])
  }

  @Test func theControlPointNeedsNotifications() throws {
    let rig = try UpdateRig()
    #expect(rig.enterBootloader())
    rig.disconnect()
    #expect(rig.connect(to: UpdateRig.bootloaderAddress))
    #expect(rig.ask("0601") == "ATT fd", "a new link has no subscriptions")
    rig.subscribe(DictofunUUID.dfuControlPoint, .notifications)
    #expect(rig.ask("0601") == "600601000200000000000000000000")
    #expect(rig.ask("09aa") == "600902")
    #expect(rig.ask("0606") == "600605")
  }

  @Test func refusedPacketsLeaveTheOldApplication() throws {
    let rig = try UpdateRig { $0.firmware.version = 5 }
    let refusals: [((packet: [UInt8], image: [UInt8]), String, [UInt8])] = [
      (try UpdateRig.release(version: 4), "60040b05", [0x0B, 0x05]),
      (try UpdateRig.release(version: 6, softDevice: 0x0101), "60040b07", [0x0B, 0x07]),
      (try UpdateRig.release(version: 6, signed: false), "60040b08", [0x0B, 0x08]),
    ]
    #expect(rig.enterBootloader())
    for (release, answer, result) in refusals {
      #expect(rig.sendInitPacket(release.packet) == answer)
      #expect(rig.recorderEvents.last == .updateRefused(result))
    }
    rig.run(for: .seconds(70))
    #expect(!rig.isInBootloader)
    #expect(rig.machine.firmwareVersion == 5)
    #expect(rig.updateEvents.last == .applicationStarted(version: 5, isWhole: true))
  }

  @Test func aTamperedImageIsRefusedInTheEnd() throws {
    let rig = try UpdateRig()
    var release = try UpdateRig.release(version: 2)
    release.image[100] ^= 1
    #expect(rig.update(release) == "60040b0c")
    #expect(
      rig.wait {
        rig.events.contains { if case .disconnected(_, .remoteUserTerminatedConnection) = $0 { true } else { false } }
      })
    #expect(rig.waitForApplication())
    #expect(
      rig.updateEvents.suffix(2) == [.updateRefused([0x0B, 0x0C]), .applicationStarted(version: 1, isWhole: true)])
  }

  /// Whoever enters bootloader mode and leaves it alone gets thrown out, connected or not.
  @Test(arguments: [true, false]) func theInactivityTimeoutResets(isConnected: Bool) throws {
    let rig = try UpdateRig()
    #expect(rig.enterBootloader())
    if !isConnected { rig.disconnect() }
    let start = try #require(rig.instant(of: .bootloaderStarted))
    #expect(rig.waitForApplication())
    let waited = start.duration(to: rig.loop.now)
    #expect(abs(waited.wholeNanoseconds - 60_000_000_000) < 1_000_000, "\(waited)")
    #expect(rig.wait { rig.link == nil })
    if isConnected {
      #expect(rig.events.contains { if case .disconnected(_, .connectionTimeout) = $0 { true } else { false } })
    }
  }

  @Test func aSecondUpdateReplacesTheFirst() throws {
    let rig = try UpdateRig()
    for version: UInt32 in [2, 3, 3] {
      #expect(rig.update(try UpdateRig.release(version: version, octets: 9000 - 2000 * Int(version))) == "600401")
      #expect(rig.waitForApplication())
      #expect(rig.machine.firmwareVersion == version)
      rig.run(for: .seconds(2))
    }
    #expect(rig.machine.profile.name == "reference", "nobody knows these images")
  }

  @Test func aBreakCostsTheImageButNotTheInitPacket() throws {
    let rig = try UpdateRig()
    let release = try UpdateRig.release(version: 2, octets: 9000)
    #expect(rig.enterBootloader())
    #expect(rig.sendInitPacket(release.packet) == "600401")
    #expect(rig.ask("0602") == "600601001000000000000000000000")
    #expect(rig.ask("010200100000") == "600101")
    rig.run(for: .milliseconds(400))
    rig.send(Array(release.image.prefix(4096)))
    #expect(rig.ask("04") == "600401")
    rig.disconnect()
    #expect(rig.connectToBootloader())
    let stored = rig.ask("0601")
    #expect(
      stored?.hasPrefix("6006010002000" + "0" + UpdateRig.length(release.packet.count)) == true, "\(stored ?? "")")
    #expect(rig.ask("04") == "600401")
    #expect(rig.ask("0602") == "600601001000000000000000000000")
    #expect(rig.sendImage(release.image) == "600401")
    #expect(rig.waitForApplication())
    #expect(rig.machine.firmwareVersion == 2)
  }

  @Test func aRequestToPairResets() throws {
    let rig = try UpdateRig()
    #expect(rig.enterBootloader())
    let link = try #require(rig.link)
    rig.central.request(.secure(link))
    #expect(rig.wait { !rig.isInBootloader })
    #expect(rig.machine.memory?.bonds == [UpdateRig.bond])
  }

  /// Whatever is written, nothing traps and the bootloader goes on or resets.
  @Test func hostileWritesDoNoHarm() throws {
    let rig = try UpdateRig { $0.firmware.build = .s132Release }
    #expect(rig.enterBootloader())
    var state: UInt64 = 1
    func next() -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33)
    }
    for _ in 0..<300 {
      guard let link = rig.link else {
        guard rig.isInBootloader, rig.connectToBootloader() else { break }
        continue
      }
      let octets = (0..<(next() % 300)).map { _ in UInt8(truncatingIfNeeded: next()) }
      if next() % 3 == 0 {
        rig.central.request(
          .client(link, ClientToken(0), .writeWithoutResponse(rig.handle(DictofunUUID.dfuPacket), octets)))
        rig.run(for: .milliseconds(50))
      } else {
        // The first octet one of the requests, so that more than the first check is met; abort is left out.
        let request = [UInt8(next() % 7)] + octets.prefix(next() % 40)
        _ = rig.write(DictofunUUID.dfuControlPoint, request)
      }
    }
    rig.disconnect()
    #expect(rig.waitForApplication())
    #expect(rig.machine.firmwareVersion == 1)
    #expect(rig.updateEvents.last == .applicationStarted(version: 1, isWhole: true))
  }
}
