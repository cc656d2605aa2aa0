import Bytes
import DictofunProtocol
import HostStack
import SecureDFU
import Testing
import Timeline

@testable import Recorder
@testable import World

/// Each deliberate fault of updates changes what it says, and the reference is without it.
@Suite struct UpdateMutantTests {
  private static let mutants: [RecorderMutant?] = [nil] + RecorderMutant.allCases.filter { isOfUpdates($0) }

  private static func isOfUpdates(_ mutant: RecorderMutant) -> Bool {
    ["update-", "bootloader-", "buttonless-"].contains { mutant.rawValue.hasPrefix($0) }
  }

  private static func rig(
    _ mutant: RecorderMutant?, _ configure: (inout RecorderConfiguration) -> Void = { _ in }
  ) throws -> UpdateRig {
    try UpdateRig {
      configure(&$0)
      if let mutant { $0.profile = $0.profile.with(mutant) }
    }
  }

  @Test func everyFaultOfUpdatesIsTried() { #expect(Self.mutants.count == 14) }

  @Test(arguments: mutants) func possessions(mutant: RecorderMutant?) throws {
    guard mutant == nil || mutant?.rawValue.hasPrefix("update-") == true else { return }
    let rig = try Self.rig(mutant)
    #expect(rig.update(try UpdateRig.release(version: 2)) == "600401")
    #expect(rig.waitForApplication())
    #expect(rig.machine.records.isEmpty == (mutant == .updateErasesRecords))
    #expect((rig.machine.bondCount == 0) == (mutant == .updateForgetsBonds))
    #expect((rig.machine.time(at: rig.loop.now).year == 2000) == (mutant == .updateLosesTime))
  }

  /// A visit without an update costs nothing even then.
  @Test(arguments: [RecorderMutant.updateErasesRecords, .updateForgetsBonds, .updateLosesTime])
  func withoutAnUpdateNothingIsLost(mutant: RecorderMutant) throws {
    let rig = try Self.rig(mutant)
    #expect(rig.enterBootloader())
    #expect(rig.waitForApplication())
    #expect(rig.machine.records.count == 1)
    #expect(rig.machine.bondCount == 1)
    #expect(rig.machine.time(at: rig.loop.now).year == 2024)
  }

  @Test(arguments: mutants) func olderVersions(mutant: RecorderMutant?) throws {
    let rig = try Self.rig(mutant) { $0.firmware.version = 5 }
    guard mutant != .bootloaderKeepsAddress, mutant != .bootloaderNeverAdvertises, mutant?.isOfButtonless != true
    else { return }
    let answer = rig.update(try UpdateRig.release(version: 4))
    #expect(answer == (mutant == .bootloaderAcceptsDowngrade ? "600401" : "60040b05"))
  }

  @Test(arguments: [nil, RecorderMutant.bootloaderSkipsSignature]) func signatures(mutant: RecorderMutant?) throws {
    let rig = try Self.rig(mutant)
    let answer = rig.update(try UpdateRig.release(version: 2, signed: false))
    #expect(answer == (mutant == nil ? "60040b08" : "600401"))
  }

  @Test(arguments: [nil, RecorderMutant.bootloaderSkipsHash]) func digests(mutant: RecorderMutant?) throws {
    let rig = try Self.rig(mutant)
    var release = try UpdateRig.release(version: 2)
    release.image[7] ^= 1
    #expect(rig.update(release) == (mutant == nil ? "60040b0c" : "600401"))
    #expect(rig.waitForApplication())
    let started: RecorderEvent = .applicationStarted(version: mutant == nil ? 1 : 2, isWhole: mutant == nil)
    #expect(rig.updateEvents.last == started)
  }

  @Test(arguments: [nil, RecorderMutant.bootloaderKeepsAddress, .bootloaderNeverAdvertises])
  func advertising(mutant: RecorderMutant?) throws {
    let rig = try Self.rig(mutant)
    _ = rig.enterBootloader()
    rig.disconnect()
    #expect(rig.isInBootloader)
    #expect((rig.advertisement(from: UpdateRig.bootloaderAddress) != nil) == (mutant == nil))
    #expect((rig.advertisement(from: UpdateRig.address) != nil) == (mutant == .bootloaderKeepsAddress))
  }

  @Test(arguments: [nil, RecorderMutant.bootloaderLiesAboutChecksum]) func checksums(mutant: RecorderMutant?) throws {
    let rig = try Self.rig(mutant)
    #expect(rig.enterBootloader())
    _ = rig.ask("0601")
    #expect(rig.ask("03") == (mutant == nil ? "6003010000000000000000" : "6003010000000001000000"))
  }

  @Test(arguments: [nil, RecorderMutant.bootloaderNeverTimesOut]) func timeouts(mutant: RecorderMutant?) throws {
    let rig = try Self.rig(mutant)
    #expect(rig.enterBootloader())
    rig.run(for: .seconds(3600))
    #expect(rig.isInBootloader == (mutant != nil))
  }

  @Test(arguments: [nil, RecorderMutant.buttonlessWithoutConfirmation]) func confirmations(
    mutant: RecorderMutant?
  ) throws {
    let rig = try Self.rig(mutant)
    #expect(rig.connect(to: UpdateRig.address))
    rig.subscribe(DictofunUUID.buttonlessDFU, .indications)
    _ = rig.write(DictofunUUID.buttonlessDFU, [0x01])
    #expect(rig.next(within: .seconds(5)) == (mutant == nil ? [0x20, 0x01, 0x01] : nil))
    rig.run(for: .seconds(1))
    #expect(rig.isInBootloader)
  }

  @Test(arguments: [nil, RecorderMutant.buttonlessWithoutIndications]) func indications(
    mutant: RecorderMutant?
  ) throws {
    let rig = try Self.rig(mutant)
    #expect(rig.connect(to: UpdateRig.address))
    _ = rig.write(DictofunUUID.buttonlessDFU, [0x01])
    rig.run(for: .seconds(1))
    #expect(rig.isInBootloader == (mutant != nil))
  }

  /// Power fails while the image is copied.
  @Test(arguments: [nil, RecorderMutant.bootloaderStartsBrokenImage]) func brokenImages(
    mutant: RecorderMutant?
  ) throws {
    let rig = try Self.rig(mutant)
    let release = try UpdateRig.release(version: 2, octets: 40_000)
    #expect(rig.enterBootloader())
    #expect(rig.sendInitPacket(release.packet) == "600401")
    #expect(rig.ask("0602") != nil)
    #expect(rig.sendImage(release.image) == "600401")
    // Five operations store the settings, four more in the fault, and each page takes two.
    rig.recorder.request(.cutPowerAtFlashOperation(skipping: 5 + 4 + 5))
    #expect(rig.waitForApplication())
    #expect(rig.recorderEvents.contains(.poweredOff(.cut)))
    #expect(rig.updateEvents.last == .applicationStarted(version: 2, isWhole: mutant == nil))
  }
}

extension RecorderMutant {
  fileprivate var isOfButtonless: Bool { rawValue.hasPrefix("buttonless-") }
}
