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

  /// An update of images with these sizes, in order; all of them are sent with init packets of one octet.
  private func run(_ images: [(part: FirmwarePart, octets: Int)]) throws -> UpdateRun {
    let package = try FirmwarePackage(
      images.map { part, octets in
        FirmwareImage(
          part: part, imageName: "\(part).bin", initPacketName: "\(part).dat",
          image: [UInt8](repeating: 7, count: octets), initPacket: [1])
      })
    return UpdateRun(FirmwareOrder(package, name: "p"), at: .zero)
  }

  /// The bootloader's refusal of an init packet.
  private func refusal(_ octets: UInt8...) throws -> ControlPointReply {
    try ControlPointReply(decoding: [0x60, 0x04] + octets)
  }

  @Test(arguments: [0x05, 0x07] as [UInt8])
  func whatTheApplicationStandsOnIsPassedOverWhereItsVersionIsRefused(error: UInt8) throws {
    var update = try run([(.softDeviceAndBootloader, 8), (.application, 4)])
    let refusal = try refusal(0x0B, error)
    let (first, second) = (update.passOver(refusal), update.passOver(refusal))
    #expect(first)
    // The application itself must be taken.
    #expect(!second)
    #expect(update.imageIndex == 1)
    #expect(update.total == 4)
    let installed = update.installedAfterFailure(.application)
    #expect(installed == .old)
  }

  @Test func anotherRefusalEndsTheUpdate() throws {
    var two = try run([(.bootloader, 8), (.application, 4)])
    var one = try run([(.bootloader, 8)])
    let ofHardware = two.passOver(try refusal(0x0B, 0x06))
    let ofSignature = two.passOver(try refusal(0x05))
    let ofAll = one.passOver(try refusal(0x0B, 0x05))
    #expect(!ofHardware)
    #expect(!ofSignature)
    #expect(!ofAll)
    #expect(two.total == 12)
  }

  @Test func afterTheFirstImageTheFirmwareIsNotTheOldOne() throws {
    var update = try run([(.softDeviceAndBootloader, 8), (.application, 4)])
    let before = update.installedAfterFailure(.application)
    let advanced = update.advanceToNextImage()
    let after = update.installedAfterFailure(.application)
    #expect(before == .old)
    #expect(advanced)
    #expect(after == .unknown)
    #expect(update.total == 12)
  }

  /// The first image was confirmed as a whole, and then its init packet is refused: it has become the bootloader.
  @Test func anImageWhoseLastAnswerWasLostCountsAsTaken() throws {
    var update = try run([(.softDeviceAndBootloader, 8), (.application, 4)])
    _ = update.show(.bootloader, .sending, octets: 8)
    let isPassedOver = update.passOver(try refusal(0x0B, 0x05))
    let installed = update.installedAfterFailure(.application)
    #expect(isPassedOver)
    #expect(update.octetsBefore == 8)
    #expect(update.total == 12)
    #expect(installed == .unknown)
  }
}
