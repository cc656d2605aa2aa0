import Bytes
import DictofunProtocol
import HostStack
import Testing

@testable import Phone

@Suite struct PlainLinks {
  @Test func nothingIsLookedForOnThem() throws {
    var rig = try PhoneRig(ModelRecorder())
    #expect(try rig.perform(.attribute(.read(AttributeHandle(3)))) == .failure(.notConnected))
    #expect(try rig.perform(.connectPlainly(.paired)) == .success(.done))
    #expect(rig.application.link?.attributes == nil && rig.application.battery.level == nil)
    #expect(try rig.perform(.list) == .failure(.notConnected))
    guard
      case .success(.attribute(.services(let services))) = try rig.perform(
        .attribute(.discoverService(DictofunUUID.batteryService)))
    else {
      Issue.record("a plain link runs procedures")
      return
    }
    #expect(services.map(\.uuid) == [DictofunUUID.batteryService])
    #expect(try rig.perform(.pair) == .success(.done))
    #expect(try rig.perform(.disconnect) == .success(.done))
  }

  @Test func aScanTellsABootloaderFromAnApplication() throws {
    var rig = PhoneRig([], library: try PhoneLibrary(.memory))
    let token = rig.begin(.scan(.seconds(1)))
    rig.run { $0.application.search.isListening }
    let address = BluetoothAddress(0xC0DE_0000_0002, .random)
    rig.inject(
      .advertisingReport(
        AdvertisingReport(
          address: address, identity: address, isScanResponse: false, isConnectable: true,
          data: [0x03, 0x02, 0x59, 0xFE], signalStrength: -70)))
    rig.run { $0.ended[token]?.isEmpty == false }
    guard case .success(.recorders(let sightings)) = rig.ended[token]?.first else {
      Issue.record("a scan ends in sightings")
      return
    }
    #expect(sightings.map(\.isBootloader) == [true] && sightings.first?.signalStrength == -70)
  }
}
