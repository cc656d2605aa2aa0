import DictofunProtocol
import HostStack
import SecureDFU
import Testing
import Timeline

@testable import Recorder
@testable import World

/// Power that fails in an update.
@Suite struct UpdatePowerTests {
  /// A chip with a quick flash, so that sweeps are short, and less of it, so that images meet each other.
  private static func rig(_ configure: (inout RecorderConfiguration) -> Void = { _ in }) throws -> UpdateRig {
    try UpdateRig {
      $0.firmware.timing = FlashTiming(erase: 100, word: 1)
      configure(&$0)
    }
  }

  /// A rig whose bootloader has everything but the last execute.
  private static func prepared(_ release: (packet: [UInt8], image: [UInt8])) throws -> UpdateRig {
    let rig = try rig()
    #expect(rig.enterBootloader())
    #expect(rig.sendInitPacket(release.packet) == "600401")
    #expect(rig.ask("0602") != nil)
    for start in stride(from: 0, to: release.image.count, by: 4096) {
      if start > 0 { #expect(rig.ask("04") == "600401") }
      let object = Array(release.image[start..<min(start + 4096, release.image.count)])
      #expect(rig.ask("0102" + UpdateRig.length(object.count)) == "600101")
      rig.send(object)
    }
    return rig
  }

  /// Power fails at each operation from the last execute on; what starts then is whole, and in the end one of the two.
  @Test func everyOperationOfAnActivationCanBeTheLast() throws {
    let release = try UpdateRig.release(version: 2, octets: 40_000)
    let rig = try Self.prepared(release)
    let before = rig.machine.flashOperationCount
    #expect(rig.ask("04") == "600401")
    #expect(rig.waitForApplication())
    let operations = rig.machine.flashOperationCount - before
    #expect(operations > 20, "\(operations)")
    var versions: [UInt32] = []
    for skipped in 0..<operations {
      let rig = try Self.prepared(release)
      let records = rig.machine.records
      rig.recorder.request(.releaseRail)
      rig.recorder.request(.cutPowerAtFlashOperation(skipping: skipped))
      _ = rig.ask("04", within: .seconds(1))
      #expect(rig.wait { !rig.isOn }, "\(skipped)")
      #expect(rig.recorderEvents.last == .poweredOff(.cut))
      #expect(rig.machine.flashOperationCount == before + skipped)
      rig.run(for: .seconds(5))
      #expect(!rig.isOn)
      rig.recorder.request(.holdRail)
      #expect(rig.waitForApplication(), "\(skipped)")
      versions.append(rig.machine.firmwareVersion)
      #expect(rig.machine.records == records)
      #expect(rig.machine.memory?.bonds == [UpdateRig.bond])
      #expect(rig.updateEvents.last == .applicationStarted(version: versions[skipped], isWhole: true))
    }
    // With the settings' third operation the update counts: the first erases twice.
    #expect(versions == versions.sorted())
    #expect(versions.first == 1)
    #expect(versions.last == 2)
    #expect(versions.count { $0 == 1 } == 3)
  }

  @Test func aCutInBootloaderModeEndsIt() throws {
    let rig = try Self.rig()
    #expect(rig.enterBootloader())
    rig.recorder.request(.cutPower)
    #expect(!rig.isOn)
    #expect(rig.wait { rig.link == nil })
    rig.run(for: .seconds(100))
    #expect(!rig.isOn)
    rig.recorder.request(.pressButton)
    rig.recorder.request(.releaseButton)
    #expect(rig.isOn)
    #expect(!rig.isInBootloader)
    // Nothing was on its way, so the chip starts its application at once.
    #expect(
      rig.updateEvents.suffix(3) == [
        .poweredOff(.cut), .poweredOn(.button), .applicationStarted(version: 1, isWhole: true),
      ])
  }

  /// A recorder whose rail is held gets power again by itself.
  @Test func aHeldRailStartsTheChipAgain() throws {
    let release = try UpdateRig.release(version: 2, octets: 9000)
    let rig = try Self.prepared(release)
    rig.recorder.request(.cutPowerAtFlashOperation(skipping: 8))
    _ = rig.ask("04", within: .seconds(1))
    #expect(rig.waitForApplication())
    #expect(rig.machine.firmwareVersion == 2)
    #expect(
      rig.updateEvents.suffix(4) == [
        .updateFinished(version: 2), .poweredOff(.cut), .poweredOn(.reset),
        .applicationStarted(version: 2, isWhole: true),
      ])
  }

  /// A cut that is asked for in the application can come in the bootloader.
  @Test func operationsOfBothFlashesAreCounted() throws {
    let rig = try Self.rig()
    rig.recorder.request(.cutPowerAtFlashOperation(skipping: 5))
    #expect(rig.enterBootloader())
    let before = rig.machine.flashOperationCount
    #expect(rig.sendInitPacket(try UpdateRig.release(version: 2).packet) == "600401")
    rig.run(for: .milliseconds(100))
    #expect(rig.machine.flashOperationCount == before + 4)
    #expect(rig.ask("0602") != nil)
    _ = rig.ask("010200100000")
    rig.run(for: .milliseconds(10))
    #expect(rig.machine.flashOperationCount == before + 5)
    rig.send([1, 2, 3, 4])
    #expect(rig.recorderEvents.contains(.poweredOff(.cut)))
  }

  /// The application's own time-outs do not run in the bootloader, and start anew behind it.
  @Test func theBootloaderHoldsThePowerLatch() throws {
    let rig = try Self.rig {
      $0.staysAwake = false
      $0.firmware.build.inactivityTimeout = 300_000
    }
    #expect(rig.enterBootloader())
    rig.recorder.request(.releaseRail)
    rig.run(for: .seconds(200))
    #expect(rig.isInBootloader)
    rig.run(for: .seconds(105))
    #expect(rig.isOn)
    #expect(!rig.isInBootloader)
    rig.run(for: .seconds(60))
    #expect(rig.recorderEvents.last { if case .poweredOff = $0 { true } else { false } } == .poweredOff(.noRecord))
  }

  /// What is done to the recorder meanwhile is there when the application is.
  @Test func controlsWorkWhileTheBootloaderRuns() throws {
    let rig = try Self.rig()
    #expect(rig.enterBootloader())
    let time = try #require(CivilTime("2024-02-29 08:00:00"))
    rig.recorder.request(.setClock(time))
    rig.recorder.request(.forgetBonds)
    rig.recorder.request(.pressButton)
    rig.recorder.request(.releaseButton)
    rig.recorder.request(.holdRail)
    #expect(rig.isInBootloader)
    #expect(rig.machine.bondCount == 0)
    #expect(rig.machine.time(at: rig.loop.now) == time)
  }

  /// A chip without an application waits for one.
  @Test func aChipWithoutApplicationTakesUpdates() throws {
    let rig = try Self.rig { $0.firmware.image = nil }
    #expect(rig.updateEvents == [.poweredOn(.rail), .bootloaderStarted])
    #expect(rig.connectToBootloader())
    #expect(rig.sendInitPacket(try UpdateRig.release(version: 1).packet) == "600401")
    #expect(rig.ask("0602") != nil)
    #expect(rig.sendImage(try UpdateRig.release(version: 1).image) == "600401")
    #expect(rig.waitForApplication())
    #expect(rig.updateEvents.last == .applicationStarted(version: 1, isWhole: true))
  }

  /// Where two images do not fit, the old one is gone with the init packet, and a cut leaves the bootloader.
  @Test func anImageThatFitsOnlyInThePlaceOfTheOldOne() throws {
    let rig = try Self.rig {
      $0.firmware.build.bootloaderStart = $0.firmware.build.bankStart + $0.firmware.build.applicationDataSize + 12_288
    }
    let release = try UpdateRig.release(version: 2, octets: 12_000)
    #expect(rig.enterBootloader())
    #expect(rig.sendInitPacket(release.packet) == "600401")
    rig.run(for: .seconds(1))
    rig.recorder.request(.cutPower)
    rig.recorder.request(.holdRail)
    rig.run(for: .seconds(1))
    #expect(rig.isInBootloader)
    rig.run(for: .seconds(70))
    #expect(rig.isInBootloader, "there is nothing to start")
    #expect(rig.connectToBootloader())
    #expect(rig.ask("0602") == "600601001000000000000000000000")
    #expect(rig.sendImage(release.image) == "600401")
    #expect(rig.waitForApplication())
    #expect(rig.machine.firmwareVersion == 2)
  }
}
