import Bytes
import Crypto
import Foundation
import Phone
import Requirements
import SecureDFU
import Testing

@testable import World

/// An update of 20 KiB that is disturbed at every place where it can be: the recorder ends in the old or the new
/// firmware, with its records and its bond, and the phone knows which.
@Suite struct UpdateSweeps {
  private static let package: FirmwarePackage? = try? {
    let scalar = Hexadecimal.bytes("18d4dfdc56e7f2b08f8d9fc174f792edcd5d4bb2a29899dfeb7d946f31e34f5e") ?? []
    let image = (0..<20_480).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ $0 >> 7) }
    let release = ApplicationRelease(version: 2, hardwareVersion: 52, softDeviceRequirements: [0x0100])
    return try release.package(image, name: "app", key: try P256PrivateKey(scalar: scalar))
  }()

  /// Requests, answers and flash operations of an update that nothing disturbs.
  private static let extent: (requests: Int, answers: Int, operations: Int)? = try? {
    guard let package else { return nil }
    let update = try SweptUpdate(.none)
    let before = update.flashOperations
    _ = try update.update(package)
    return (update.requests, update.answers, update.flashOperations - before)
  }()

  private static func each(_ count: KeyPath<(requests: Int, answers: Int, operations: Int), Int>) -> Range<Int> {
    0..<(extent?[keyPath: count] ?? 0)
  }

  private func violations(_ update: SweptUpdate) -> [String] {
    update.world.finish().flatMap { finding in
      finding.violations.map { "\(finding.declaration.requirement): \($0.reason)" }
    }
  }

  @Test func anUpdateHasManyPlaces() throws {
    let extent = try #require(Self.extent)
    // Three for the init packet, and create, checksum and execute for each object; a receipt for each as well.
    #expect(extent.requests >= 20)
    #expect(extent.answers >= 25)
    // 5 objects of 17 packets at least, an erased page each, settings, and the copying of five pages.
    #expect(extent.operations > 5 * 18 + 10)
  }

  /// A package of SoftDevice and bootloader, and an application.
  private static func twoImages() throws -> FirmwarePackage {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../SecureDFUTests/Vectors/packages/sd_bl_app_v2.zip")
    return try FirmwarePackage(decoding: Array(try Data(contentsOf: path)))
  }

  /// A bootloader refuses to be replaced by itself. Where an update ended between the images, the next one still brings
  /// the application.
  @Test func goesOnWhereTheFirstImageIsThereAlready() throws {
    let package = try Self.twoImages()
    let update = try SweptUpdate(build: .s132Debug)
    _ = try update.update(package)
    guard case .success(.updated(let summary)) = try update.update(package) else {
      Issue.record("the package is not installed again")
      return
    }
    #expect(summary.octets == package.images[1].image.count)
    #expect(summary.links == 1)
    #expect(update.installed == [.new, .new])
    #expect(violations(update) == [])
  }

  /// A package of two images is two updates, one behind the other; the bootloader waits ten seconds for the second.
  @Test func installsWhatTheApplicationStandsOnFirst() throws {
    let package = try Self.twoImages()
    #expect(package.images.map(\.part) == [.softDeviceAndBootloader, .application])
    let update = try SweptUpdate(build: .s132Debug)
    guard case .success(.updated(let summary)) = try update.update(package) else {
      Issue.record("the package is not installed")
      return
    }
    #expect(summary.version == 2)
    #expect(summary.links == 2)
    #expect(try update.inside.firmwareVersion == 2)
    #expect(violations(update) == [])
  }

  /// Ends in the new firmware although it was disturbed.
  private func endsInTheNewFirmware(_ disturbance: Disturbance) throws {
    let update = try SweptUpdate(disturbance)
    let result = try update.update(try #require(Self.package))
    guard case .success(.updated(let summary)) = result else {
      Issue.record("\(disturbance): \(result)")
      return
    }
    let inside = try update.inside
    #expect(update.disturbances == (disturbance == .none ? 0 : 1), "\(disturbance)")
    #expect(summary.version == 2, "\(disturbance)")
    #expect(update.installed == [.new], "\(disturbance)")
    #expect(inside.firmwareVersion == 2, "\(disturbance)")
    #expect(inside.isOn, "\(disturbance)")
    #expect(!inside.isBootloaderRunning, "\(disturbance)")
    #expect(inside.records.count == 1, "\(disturbance)")
    #expect(inside.bondCount == 1, "\(disturbance)")
    #expect(violations(update) == [], "\(disturbance)")
  }

  @Test(arguments: [Disturbance.none] + each(\.requests).map(Disturbance.breakAtRequest))
  func survivesABreakAtEveryRequest(_ disturbance: Disturbance) throws { try endsInTheNewFirmware(disturbance) }

  @Test(arguments: each(\.answers).map(Disturbance.breakAtAnswer))
  func survivesABreakAtEveryAnswer(_ disturbance: Disturbance) throws { try endsInTheNewFirmware(disturbance) }

  @Test(arguments: each(\.operations).map(Disturbance.cut))
  func survivesAPowerCutAtEveryFlashOperation(_ disturbance: Disturbance) throws {
    try endsInTheNewFirmware(disturbance)
  }

  /// The recorder stays without power until the phone has given up; then it is old or new, and the next update ends.
  @Test(arguments: each(\.operations).map(Disturbance.longCut))
  func isOldOrNewAfterALongPowerCut(_ disturbance: Disturbance) throws {
    let package = try #require(Self.package)
    let update = try SweptUpdate(disturbance)
    let result = try update.update(package)
    // Nobody can tell what a recorder without power has: the phone says so.
    if case .success = result { Issue.record("\(disturbance): \(result)") }
    #expect(update.disturbances == 1, "\(disturbance)")
    #expect(update.installed == [.unknown], "\(disturbance)")
    try update.restorePower()
    let inside = try update.inside
    #expect([1, 2].contains(inside.firmwareVersion), "\(disturbance)")
    #expect(inside.isOn, "\(disturbance)")
    #expect(!inside.isBootloaderRunning, "\(disturbance)")
    #expect(inside.records.count == 1, "\(disturbance)")
    #expect(inside.bondCount == 1, "\(disturbance)")
    guard case .success = update.perform(.update(FirmwareOrder(package, name: "1.5.0"), .paired)) else {
      Issue.record("\(disturbance): the next update does not end")
      return
    }
    #expect(update.installed == [.unknown, .new], "\(disturbance)")
    #expect(violations(update) == [], "\(disturbance)")
  }
}
