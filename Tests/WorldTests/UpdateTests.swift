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
    let clock = rig.machine.clock(at: rig.loop.now).secondsSinceEpoch - Int64(rig.loop.now.nanoseconds / 1_000_000_000)
    #expect(rig.machine.firmwareVersion == 1)
    #expect(rig.enterBootloader())
    #expect(rig.ask("0601") == "600601000200000000000000000000")
    #expect(rig.sendInitPacket(update.packet) == "600401")
    #expect(rig.ask("0602") == "600601001000000000000000000000")
    #expect(rig.sendImage(update.image) == "600401")
    #expect(rig.waitForApplication())
    #expect(rig.machine.firmwareVersion == 2)
    #expect(rig.machine.records == records)
    #expect(rig.machine.bonds == [UpdateRig.bond])
    let later = rig.machine.clock(at: rig.loop.now).secondsSinceEpoch - Int64(rig.loop.now.nanoseconds / 1_000_000_000)
    #expect(abs(later - clock) <= 1)
    let expected: [RecorderEvent] = [
      .bootloaderStarted, .updateFinished(version: 2), .applicationStarted(version: 2, isWhole: true),
    ]
    #expect(rig.recorderEvents.filter(expected.contains) == expected)
    #expect(rig.machine.profile == better)
    #expect(!rig.recorderEvents.contains { if case .poweredOff = $0 { true } else { false } })
    #expect(rig.connect(to: UpdateRig.address), "the application is heard again")
  }
}
