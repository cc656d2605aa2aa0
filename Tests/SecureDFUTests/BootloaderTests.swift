import Bytes
import Crypto
import SecureDFU
import Testing

/// What the transcripts do not show: drops, power cuts, activation, both kinds of build.
@Suite struct BootloaderTests {
  private let packet: [UInt8]
  private let image: [UInt8]

  init() throws {
    packet = try Vectors.bytes("app_s132_v2.dat")
    image = try Vectors.bytes("app_5000.bin")
  }

  private static func largeUpdate() throws -> (packet: [UInt8], image: [UInt8]) {
    var generator = SeededGenerator(seed: 20)
    let image = generator.bytes(20 * 1024)
    let key = try KeyFile.privateKey(try Vectors.text("private.pem"))
    let release = ApplicationRelease(version: 2, hardwareVersion: 52, softDeviceRequirements: [0x0101])
    return (try release.package(image, name: "large", key: key).images[0].initPacket, image)
  }

  /// With the flash standing still, the queue of 16 decides what is lost.
  @Test(arguments: [(244, true, 16, "600301 4c0e0000 d8661b48"), (244, false, 12, ""), (20, true, 16, "")])
  func packetsAreLostWhenTheFlashIsBusy(_ size: Int, _ isSettled: Bool, _ first: Int, _ checksum: String) throws {
    var rig = BootloaderRig.ready()
    rig.isFlashRunning = isSettled
    _ = rig.uploadInitPacket(packet)
    rig.isFlashRunning = false
    _ = rig.write("010200100000")
    let lost = (1...17).first { number in
      let start = (number - 1) * size
      return rig.perform(.packetWritten(Array(image[start..<(start + size)]))) == "NOBUF"
    }
    #expect(lost == first)
    if !checksum.isEmpty {
      #expect(rig.perform(.packetWritten([0, 0, 0, 0])) == "NOBUF")
      #expect(rig.write("03") == "ATT 0x0 | N " + checksum.filter { $0 != " " })
      #expect(rig.write("04") == "ATT 0x0 | N 600408")
    }
    _ = rig.write("020100")
    #expect(rig.perform(.packetWritten([1, 2, 3, 4])) == "NOBUF | N 6003010000000000000000")
  }

  /// 182 octets are no whole words: checksums stay right, the image does not.
  @Test func unalignedPacketsSpoilTheImage() throws {
    var rig = BootloaderRig.ready()
    #expect(rig.uploadInitPacket(packet) == "ATT 0x0 | N 600401")
    let last = rig.uploadImage(image, packetSize: 182)
    #expect(last.hasPrefix("ATT 0x0 | N 60040b0c"))
    rig.boot()
    #expect(rig.bootloader.isApplicationRunning)
    #expect(rig.bootloader.flash.application == BootloaderRig.oldApplication)
  }

  /// Power fails before each flash operation of a whole update, and again before each operation that follows.
  @Test func aPowerCutLeavesTheOldOrTheNewApplication() throws {
    let update = try Self.largeUpdate()
    // Less memory than on the chip makes the sweep shorter.
    var build = BootloaderBuild.s132Release
    build.bootloaderStart = build.bankStart + 0xA000 + build.applicationDataSize
    var whole = BootloaderRig.ready(build)
    let total = Self.update(&whole, update.packet, update.image)
    #expect(whole.bootloader.flash.application == update.image)
    var ends: [String] = []
    var cuts = 0
    for cut in 0..<total {
      var rig = BootloaderRig.ready(build)
      rig.operationsLeft = cut
      _ = Self.update(&rig, update.packet, update.image)
      #expect(!rig.hasPower)
      // The second cut comes a few operations into whatever the start does.
      for second in [0, 1, 2, 3, 5, 9, Int.max] {
        var again = rig
        again.operationsLeft = second
        again.boot()
        again.operationsLeft = Int.max
        again.boot()
        #expect(again.bootloader.isApplicationRunning, "cut at \(cut), then \(second)")
        let application = again.bootloader.flash.application
        let isOld = application == BootloaderRig.oldApplication
        #expect(isOld || application == update.image, "cut at \(cut), then \(second)")
        #expect(again.bootloader.settings.applicationVersion == (isOld ? 1 : 2))
        if second == Int.max { ends.append(isOld ? "old" : "new") }
        cuts += 1
      }
    }
    // The settings that announce the new image are whole with the third of the operations that end the update.
    let change = try #require(ends.firstIndex(of: "new"))
    #expect(ends == Array(repeating: "old", count: change) + Array(repeating: "new", count: total - change))
    #expect(cuts == total * 7)
  }

  /// Runs an update and both starts after it; the number of flash operations.
  private static func update(_ rig: inout BootloaderRig, _ packet: [UInt8], _ image: [UInt8]) -> Int {
    _ = rig.uploadInitPacket(packet)
    _ = rig.uploadImage(image)
    if rig.hasPower { rig.boot() }
    return rig.operationCount
  }

  @Test func aLargeImageGivesUpTheOldOneAndCanBeResumed() throws {
    let key = try KeyFile.privateKey(try Vectors.text("private.pem"))
    var generator = SeededGenerator(seed: 5)
    let large = generator.bytes(290_000)
    let release = ApplicationRelease(version: 2, hardwareVersion: 52, softDeviceRequirements: [0x0101])
    let initPacket = try release.package(large, name: "large", key: key).images[0].initPacket
    var rig = BootloaderRig.ready()
    #expect(rig.uploadInitPacket(initPacket) == "ATT 0x0 | N 600401")
    _ = rig.write("010200100000")
    rig.send(Array(large.prefix(2000)))
    rig.bootloader.cutPower()
    rig.boot()
    #expect(rig.bootloader.isUpdating)
    rig.connect()
    #expect(rig.write("0601").hasPrefix("ATT 0x0 | N 60060100020000\(String(initPacket.count, radix: 16))000000"))
    #expect(rig.uploadImage(large).hasPrefix("ATT 0x0 | N 600401 | TIMER 60000 | DISC 0x13"))
    rig.boot()
    #expect(rig.bootloader.flash.application == large)
  }

  @Test func progressSurvivesABreakWhereTheBuildStoresIt() throws {
    var build = BootloaderBuild.s132Debug
    build.savesProgress = true
    var rig = BootloaderRig.ready(build)
    _ = rig.uploadInitPacket(packet)
    _ = rig.write("010200100000")
    rig.send(Array(image.prefix(4096)))
    _ = rig.write("04")
    _ = rig.write("010288030000")
    rig.send(Array(image[4096..<4340]))
    _ = rig.perform(.disconnected)
    rig.connect()
    #expect(rig.write("0602") == "ATT 0x0 | N 600601001000000010000033cb0b80")
    #expect(rig.write("04") == "ATT 0x0 | N 600401 | TIMER 60000")
  }

  /// A damaged application is started by a debug build only; damaged settings cost nothing as long as a copy is whole.
  @Test func theStartDependsOnBuildAndSettings() throws {
    for build in [BootloaderBuild.s132Debug, .s132Release] {
      var rig = BootloaderRig(build)
      rig.bootloader.alterFlash { $0.perform(.write($0.start, [0, 0, 0, 0])) }
      rig.boot()
      #expect(rig.bootloader.isApplicationRunning == build.isDebug)
    }
    var rig = BootloaderRig()
    rig.bootloader.alterFlash { $0.settings = nil }
    rig.boot()
    #expect(rig.bootloader.isApplicationRunning)
    rig.bootloader.alterFlash {
      $0.settings = nil
      $0.backup = nil
    }
    rig.boot()
    #expect(rig.bootloader.isUpdating)
    #expect(rig.bootloader.settings.applicationVersion == 0)
  }

  @Test func aNameIsAdvertisedUntilTheApplicationStarts() {
    var rig = BootloaderRig()
    rig.bootloader.alterFlash { $0.advertisedName = Array("Dfu01234".utf8) }
    #expect(rig.perform(.started(.updateRequested)).contains("ADVDATA 020106030259fe0909" + "4466753031323334"))
    rig.boot()
    #expect(rig.bootloader.isApplicationRunning)
    #expect(rig.bootloader.flash.advertisedName == nil)
    #expect(Bootloader.address(ofApplication: [0xFF, 1, 2, 3, 4, 5]) == [0, 1, 2, 3, 4, 5])
  }

  @Test func afterAnUpdateTheChecksumOfNothingIsStale() throws {
    var rig = BootloaderRig.ready()
    _ = rig.uploadInitPacket(packet)
    _ = rig.uploadImage(image)
    rig.boot()
    _ = rig.perform(.started(.updateRequested))
    rig.connect()
    #expect(rig.write("0601") == "ATT 0x0 | N 600601000200000000000000000000")
    #expect(rig.write("0602") == "ATT 0x0 | N 600601001000000000000000800200")
  }

  @Test func randomInputsNeverTrap() throws {
    var generator = SeededGenerator(seed: 99)
    for round in 0..<60 {
      var rig = BootloaderRig.ready(BootloaderBuild.all[round % 3])
      rig.isFlashRunning = round % 2 == 0
      for _ in 0..<200 {
        switch generator.next() % 12 {
        case 0...3:
          let request = [UInt8(generator.next() % 14), UInt8(generator.next() % 4)] + generator.bytes(4)
          _ = rig.perform(.controlPointWritten(Array(request.prefix(Int(generator.next() % 7)))))
        case 4: _ = rig.write("01018c000000")
        case 5: rig.send(packet)
        case 6: _ = rig.write("04")
        case 7: _ = rig.write("010200100000")
        case 8: rig.send(Array(image.prefix(4096)))
        case 9: rig.endFlashOperation()
        case 10: _ = rig.perform([.connected, .disconnected, .pairingRequested][Int(generator.next() % 3)])
        default:
          _ = rig.perform(.started(generator.next() % 2 == 0 ? .normal : .updateRequested))
          rig.connect()
        }
        #expect(rig.bootloader.flashQueueLength <= 16)
      }
    }
  }
}
