import Bytes
import Crypto
import DictofunProtocol
import HostStack
import SecureDFU
import Testing
import Timeline

@testable import Phone

@Suite struct Updates {
  private static let address = BluetoothAddress(0xD1C7_0F00_00FF, .random)
  /// The lowest octet goes over without carry.
  private static let next = BluetoothAddress(0xD1C7_0F00_0000, .random)
  private static let bootloaderData: [UInt8] = [2, 1, 6, 3, 2, 0x59, 0xFE, 5, 9] + Array("btld".utf8)

  private func program(
    _ address: BluetoothAddress, _ data: [UInt8], _ programs: Finder.Programs
  ) -> ConnectedProgram? {
    Finder(.recorder(Self.address), programs, at: .zero).sought(
      AdvertisingReport(
        address: address, identity: address, isScanResponse: false, isConnectable: true, data: data,
        signalStrength: nil))
  }

  @Test func aBootloaderIsToldFromItsApplicationAndFromANeighbour() {
    let recorder = DictofunAdvertisement.advertisingData
    #expect(program(Self.address, recorder, .either) == .application)
    #expect(program(Self.address, recorder, .bootloader) == nil)
    #expect(program(Self.next, Self.bootloaderData, .either) == .bootloader)
    #expect(program(Self.next, Self.bootloaderData, .application) == nil)
    // One that keeps the address, one that tells nothing, and another recorder at the next address.
    #expect(program(Self.address, Self.bootloaderData, .either) == .bootloader)
    #expect(program(Self.next, [2, 1, 6], .either) == .bootloader)
    #expect(program(Self.next, recorder, .either) == nil)
  }

  @Test func theAddressGoesOverWithoutCarry() {
    #expect(Self.address.ofBootloader == Self.next)
    #expect(Self.next.ofApplication == Self.address)
  }

  @Test func aPackageIsHeldAgainstWhatIsKnownOfTheRecorder() throws {
    func order(_ version: UInt32, _ hardware: UInt32 = 52, _ softDevice: UInt32 = 0x0100) throws -> FirmwareOrder {
      let release = ApplicationRelease(
        version: version, hardwareVersion: hardware, softDeviceRequirements: [softDevice])
      let key = try P256PrivateKey(scalar: [UInt8](repeating: 7, count: 32))
      return FirmwareOrder(try release.package([1, 2, 3, 4], name: "app", key: key), name: "app")
    }
    func problem(_ order: FirmwareOrder, _ softDevice: UInt32?, _ installed: UInt32?) -> String? {
      UpdateFitness.problem(with: order, softDevice: softDevice, installedVersion: installed)
    }
    #expect(problem(try order(2), 0x0100, 1) == nil)
    #expect(problem(try order(2), 0x0101, 1) != nil)
    // Without a word from the controller it may be either board, but no board has hardware 51.
    #expect(problem(try order(2), nil, nil) == nil)
    #expect(problem(try order(2, 51), nil, nil) != nil)
    #expect(problem(try order(2), 0x0100, 3) != nil)
    var unchecked = try order(2, 51)
    unchecked.isChecked = false
    #expect(problem(unchecked, 0x0100, 3) == nil)
    var strange = try order(2)
    strange.publicKey = TestKey.publicKey
    #expect(problem(strange, 0x0100, 1) != nil)
  }
}
