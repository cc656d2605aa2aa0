import Bytes
import Crypto
import Foundation
import SecureDFU
import Testing

/// Packages and keys: what is read, what is written, what is refused.
@Suite struct PackageTests {
  private static let image = [UInt8]((0..<4998).map { UInt8(truncatingIfNeeded: $0 &* 7) })

  @Test func aPackedApplicationIsReadBackAndTaken() throws {
    let key = try KeyFile.privateKey(try Vectors.text("private.pem"))
    let release = ApplicationRelease(version: 2, hardwareVersion: 52, softDeviceRequirements: [0x0101])
    let package = try release.package(Self.image, name: "dictofun", key: key)
    let archive = try package.archive()
    #expect(archive == (try package.archive()))
    let read = try FirmwarePackage(decoding: archive)
    #expect(read == package)
    #expect(read.findings.isEmpty)
    let image = try #require(read.images.first)
    #expect(image.image.count == 5000)
    #expect(image.image.suffix(2) == [0xFF, 0xFF])
    let validator = InitPacketValidator(build: .s132Release, publicKey: key.publicKey)
    let prediction = validator.predict(
      initPacket: image.initPacket, image: image.image, installed: Vectors.installed)
    #expect(prediction.finalReply == [0x60, 0x04, 0x01])
    let stranger = try KeyFile.privateKey(try Vectors.text("other_private.pem")).publicKey
    let refusal = InitPacketValidator(build: .s132Release, publicKey: stranger)
      .predict(initPacket: image.initPacket, installed: Vectors.installed)
    #expect(refusal.reply == [0x60, 0x04, 0x05])
  }

  /// The archive has a checksum of each file; one wrong octet must not reach a recorder.
  @Test func aChangedOctetIsNoticedByTheArchivesChecksum() throws {
    let key = try KeyFile.privateKey(try Vectors.text("private.pem"))
    let release = ApplicationRelease(version: 2, hardwareVersion: 52, softDeviceRequirements: [0x0101])
    let package = try release.package(Self.image, name: "dictofun", key: key)
    let archive = try package.archive()
    for part in [package.images[0].initPacket, package.images[0].image] {
      let place = try #require(archive.indices.first { archive[$0...].starts(with: part) })
      var changed = archive
      changed[place + part.count / 2] ^= 1
      #expect(throws: PackageRefusal.self) { try FirmwarePackage(decoding: changed) }
    }
  }

  @Test func packagesOfSeveralImagesKeepTheirOrder() throws {
    let package = try FirmwarePackage(decoding: try Vectors.bytes("packages/sd_bl_app_v2.zip"))
    #expect(package.images.map(\.part) == [.softDeviceAndBootloader, .application])
    #expect(try FirmwarePackage(decoding: package.archive()) == package)
    #expect(throws: PackageRefusal.self) { try FirmwarePackage(package.images + package.images) }
    #expect(throws: PackageRefusal.self) { try FirmwarePackage([]) }
  }

  @Test func damagedImagesAreFound() throws {
    let image = try #require(FirmwarePackage(decoding: try Vectors.bytes("packages/app_s132_v2.zip")).images.first)
    func findings(_ bytes: [UInt8]) -> [PackageFinding.Problem] {
      FirmwareImage(
        part: .application, imageName: "a.bin", initPacketName: "a.dat", image: bytes, initPacket: image.initPacket
      ).findings.map(\.problem)
    }
    #expect(findings([image.image[0] ^ 1] + image.image.dropFirst()) == [.hash])
    #expect(findings(image.image.dropLast(4)) == [.size(stated: 5000, actual: 4996), .hash])
    #expect(findings(image.image.dropLast(1)) == [.unaligned(4999), .size(stated: 5000, actual: 4999), .hash])
  }

  /// Archives that Python made, in `Vectors/hostile`: each must be refused for its own reason.
  @Test(arguments: [
    ("traversal", PackageFinding.Problem.unsafeName), ("absolute", .unsafeName), ("folder", .unsafeName),
    ("macos", .addedByMacintosh),
    ("backslash", .unsafeName), ("duplicate", .duplicate), ("case", .duplicate), ("empty", .empty),
    ("no-manifest", .missing), ("no-image", .missing), ("no-images", .combination), ("two-bootloaders", .combination),
    ("many", .tooManyEntries(count: 40, limit: 16)),
    ("bomb", .tooLong(length: 20_971_520, limit: 10_485_760)),
    ("deep-manifest", .invalidManifest("it is not valid JSON, or a value is missing")),
    ("manifest-kind", .invalidManifest("manifest.application has the wrong type")),
    ("manifest-path", .unsafeName), ("liar", .notAnArchive("Zip archive inconsistent")),
  ])
  func hostileArchivesAreRefused(_ name: String, _ problem: PackageFinding.Problem) throws {
    let archive = try Vectors.bytes("hostile/\(name).zip")
    do throws(PackageRefusal) {
      let package = try FirmwarePackage(decoding: archive)
      Issue.record("\(name) was read as \(package.images.map(\.imageName))")
    } catch { #expect(error.findings.map(\.problem).contains(problem), "\(name): \(error)") }
  }

  @Test func keysAreReadAndWrittenAsOpensslDoes() throws {
    let text = try Vectors.text("private.pem")
    let key = try KeyFile.privateKey(text)
    #expect(
      Hexadecimal.string(key.publicKey.littleEndian)
        == (try Vectors.text("pk_le.hex")).trimmingCharacters(in: .newlines))
    #expect(key.publicKey == TestKey.publicKey)
    #expect(try KeyFile.publicKey(try Vectors.text("public.pem")) == key.publicKey)
    #expect(KeyFile.pem(key.publicKey) == (try Vectors.text("public.pem")))
    let scalar = octets("18d4dfdc56e7f2b08f8d9fc174f792edcd5d4bb2a29899dfeb7d946f31e34f5e")
    let lines = try KeyFile.pem(scalar: scalar).split(separator: "\n")
    // The file breaks its lines after 76 characters, openssl and this tool after 64.
    #expect(lines.joined() == text.split(separator: "\n").joined())
    #expect(throws: KeyFailure.notPEM) { try KeyFile.privateKey("") }
    #expect(throws: KeyFailure.notPEM) { try KeyFile.privateKey(try Vectors.text("public.pem")) }
    #expect(throws: KeyFailure.unsupported) {
      try KeyFile.publicKey("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
    }
  }
}
