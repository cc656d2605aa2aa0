import Testing

@testable import SecureDFU

/// What a manifest may name.
@Suite struct ManifestTests {
  /// The package of an application under a manifest with one more member.
  private func package(with member: String) throws -> FirmwarePackage {
    let release = ApplicationRelease(version: 2, hardwareVersion: 52, softDeviceRequirements: [0x0101])
    let image = try #require(release.package([1, 2, 3, 4], name: "app", key: nil).images.first)
    let manifest = #"{"manifest": {"application": {"bin_file": "app.bin", "dat_file": "app.dat"}, \#(member)}}"#
    let archive = try PackageArchive.write([
      PackageArchive.File(name: "app.bin", bytes: image.image),
      PackageArchive.File(name: "app.dat", bytes: image.initPacket),
      PackageArchive.File(name: PackageManifest.fileName, bytes: Array(manifest.utf8)),
    ])
    return try FirmwarePackage(decoding: archive)
  }

  /// The rest of the package would be sent without it.
  @Test(arguments: ["softdevice_application", "Bootloader", "aplication"])
  func aMemberThatNobodyKnowsIsTold(name: String) throws {
    let package = try package(with: #""\#(name)": {"bin_file": "x.bin", "dat_file": "x.dat"}"#)
    #expect(package.findings == [PackageFinding("manifest.\(name)", .unknownMember)])
    #expect(package.images.map(\.part) == [.application])
  }

  @Test func itsSentenceNamesTheMembersThatThereAre() {
    let expected = "manifest.x: is not an image of a package; expected application, bootloader, softdevice, "
    #expect(PackageFinding("manifest.x", .unknownMember).description == expected + "softdevice_bootloader")
  }

  @Test func theVersionThatOldToolsWriteIsNoImage() throws {
    #expect(try package(with: #""dfu_version": 0.5"#).findings == [])
  }

  @Test func aManifestOfUnknownMembersAloneIsRefusedForThem() throws {
    let archive = try PackageArchive.write([
      PackageArchive.File(name: PackageManifest.fileName, bytes: Array(#"{"manifest": {"app": 1}}"#.utf8))
    ])
    let refusal = #expect(throws: PackageRefusal.self) { try FirmwarePackage(decoding: archive) }
    #expect(refusal?.findings.map(\.problem) == [.unknownMember, .combination])
  }
}
