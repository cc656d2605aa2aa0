import Bytes
import DictofunProtocol
import HostStack
import SecureDFU
import Testing
import Timeline

@testable import Recorder
@testable import World

/// Each named fault of updates changes what its name says, and the reference is without it.
@Suite struct PlantedUpdateFaultTests {
  /// `nil` stands for the reference.
  private static let faults: [String?] = [nil] + (RecorderFault.ofUpdates + RecorderFault.ofBootloaders).map(\.name)

  private static func rig(
    _ fault: String?, _ configure: (inout RecorderConfiguration) -> Void = { _ in }
  ) throws -> UpdateRig {
    let planted = try fault.map { try #require(RecorderFault($0)) }
    return try UpdateRig {
      configure(&$0)
      if let planted { $0.profile = $0.profile.with(planted) }
    }
  }

  @Test func everyFaultOfUpdatesIsTried() { #expect(Self.faults.count == 17) }

  @Test(arguments: faults) func possessions(fault: String?) throws {
    guard fault == nil || fault?.hasPrefix("update-") == true else { return }
    let rig = try Self.rig(fault)
    #expect(rig.update(try UpdateRig.release(version: 2)) == "600401")
    #expect(rig.waitForApplication())
    #expect(rig.machine.records.isEmpty == (fault == "update-erases-records"))
    #expect((rig.machine.bondCount == 0) == (fault == "update-forgets-bonds"))
    #expect((rig.machine.time(at: rig.loop.now).year == 2000) == (fault == "update-loses-time"))
  }

  /// A visit without an update costs nothing even then.
  @Test(arguments: ["update-erases-records", "update-forgets-bonds", "update-loses-time"])
  func withoutAnUpdateNothingIsLost(fault: String) throws {
    let rig = try Self.rig(fault)
    #expect(rig.enterBootloader())
    #expect(rig.waitForApplication())
    #expect(rig.machine.records.count == 1)
    #expect(rig.machine.bondCount == 1)
    #expect(rig.machine.time(at: rig.loop.now).year == 2024)
  }

  @Test(arguments: faults) func olderVersions(fault: String?) throws {
    let rig = try Self.rig(fault) { $0.firmware.version = 5 }
    guard fault != "bootloader-keeps-address", fault != "bootloader-never-advertises",
      fault?.hasPrefix("buttonless-") != true
    else { return }
    let answer = rig.update(try UpdateRig.release(version: 4))
    #expect(answer == (fault == "bootloader-accepts-downgrade" ? "600401" : "60040b05"))
  }

  @Test(arguments: [nil, "bootloader-skips-signature"]) func signatures(fault: String?) throws {
    let rig = try Self.rig(fault)
    let answer = rig.update(try UpdateRig.release(version: 2, signed: false))
    #expect(answer == (fault == nil ? "60040b08" : "600401"))
  }

  @Test(arguments: [nil, "bootloader-skips-hash"]) func digests(fault: String?) throws {
    let rig = try Self.rig(fault)
    var release = try UpdateRig.release(version: 2)
    release.image[7] ^= 1
    #expect(rig.update(release) == (fault == nil ? "60040b0c" : "600401"))
    #expect(rig.waitForApplication())
    let started: RecorderEvent = .applicationStarted(version: fault == nil ? 1 : 2, isWhole: fault == nil)
    #expect(rig.updateEvents.last == started)
  }

  @Test(arguments: [nil, "bootloader-keeps-address", "bootloader-never-advertises"])
  func advertising(fault: String?) throws {
    let rig = try Self.rig(fault)
    _ = rig.enterBootloader()
    rig.disconnect()
    #expect(rig.isInBootloader)
    #expect((rig.advertisement(from: UpdateRig.bootloaderAddress) != nil) == (fault == nil))
    #expect((rig.advertisement(from: UpdateRig.address) != nil) == (fault == "bootloader-keeps-address"))
  }

  @Test(arguments: [nil, "bootloader-lies-about-checksum"]) func checksums(fault: String?) throws {
    let rig = try Self.rig(fault)
    #expect(rig.enterBootloader())
    _ = rig.ask("0601")
    #expect(rig.ask("03") == (fault == nil ? "6003010000000000000000" : "6003010000000001000000"))
  }

  @Test(arguments: [nil, "bootloader-never-times-out"]) func timeouts(fault: String?) throws {
    let rig = try Self.rig(fault)
    #expect(rig.enterBootloader())
    rig.run(for: .seconds(3600))
    #expect(rig.isInBootloader == (fault != nil))
  }

  @Test(arguments: [nil, "buttonless-without-confirmation"]) func confirmations(
    fault: String?
  ) throws {
    let rig = try Self.rig(fault)
    #expect(rig.connect(to: UpdateRig.address))
    rig.subscribe(DictofunUUID.buttonlessDFU, .indications)
    _ = rig.write(DictofunUUID.buttonlessDFU, [0x01])
    #expect(rig.next(within: .seconds(5)) == (fault == nil ? [0x20, 0x01, 0x01] : nil))
    rig.run(for: .seconds(1))
    #expect(rig.isInBootloader)
  }

  @Test(arguments: [nil, "buttonless-without-indications"]) func indications(
    fault: String?
  ) throws {
    let rig = try Self.rig(fault)
    #expect(rig.connect(to: UpdateRig.address))
    _ = rig.write(DictofunUUID.buttonlessDFU, [0x01])
    rig.run(for: .seconds(1))
    #expect(rig.isInBootloader == (fault != nil))
  }

  /// Power fails while the image is copied.
  @Test(arguments: [nil, "bootloader-starts-broken-image"]) func brokenImages(
    fault: String?
  ) throws {
    let rig = try Self.rig(fault)
    let release = try UpdateRig.release(version: 2, octets: 40_000)
    #expect(rig.enterBootloader())
    #expect(rig.sendInitPacket(release.packet) == "600401")
    #expect(rig.ask("0602") != nil)
    #expect(rig.sendImage(release.image) == "600401")
    // Five operations store the settings, four more in the fault, and each page takes two.
    rig.recorder.request(.cutPowerAtFlashOperation(skipping: 5 + 4 + 5))
    #expect(rig.waitForApplication())
    #expect(rig.recorderEvents.contains(.poweredOff(.cut)))
    #expect(rig.updateEvents.last == .applicationStarted(version: 2, isWhole: fault == nil))
  }
}
