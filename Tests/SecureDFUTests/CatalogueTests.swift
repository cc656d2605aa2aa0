import Bytes
import Crypto
import Foundation
import SecureDFU
import Testing

/// The catalogue of firmware: the repository's own, and such as are refused.
@Suite struct CatalogueTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "firmware-images")

  private static func file(_ path: String) -> [UInt8]? {
    (try? Data(contentsOf: folder.appending(path: path))).map(Array.init)
  }

  private static func own() throws -> FirmwareCatalogue {
    try FirmwareCatalogue(decoding: try #require(file(FirmwareCatalogue.fileName)), package: file)
  }

  // MARK: The repository's own

  @Test func everyReleaseIsTakenByItsBoardAfterTheOneBefore() throws {
    let catalogue = try Self.own()
    #expect(catalogue.releases.map(\.name).contains("1.5.0"))
    for board in ["s140", "s132"] {
      var installed = InstalledFirmware(applicationVersion: 0)
      let releases = catalogue.releases.filter { $0.board == board }
      #expect(releases.map(\.version) == [1, 2, 3, 4])
      for release in releases {
        let package = try FirmwarePackage(decoding: try #require(Self.file(release.file)))
        let image = try #require(package.images.first)
        for build in BootloaderBuild.all where build.board == board {
          let prediction = InitPacketValidator(build: build, publicKey: TestKey.publicKey)
            .predict(initPacket: image.initPacket, image: image.image, installed: installed)
          #expect(prediction.finalReply == [0x60, 0x04, 0x01], "\(release.name) on \(build.name)")
        }
        #expect(catalogue.release(imageDigest: SHA256.digest(image.image)) == release)
        installed = InstalledFirmware(
          applicationVersion: release.version, applicationSize: UInt32(image.image.count))
      }
      #expect(catalogue.newestOffer(board: board)?.version == 2)
    }
    // Sweeps over each packet count on the length of this one: five objects.
    let sweep = try FirmwarePackage(decoding: try #require(Self.file("s140-1.5.0.zip")))
    #expect(sweep.images.first?.image.count == 20_480)
  }

  @Test(arguments: [
    ("wrong-key", "600405", nil), ("downgrade", "60040b05", nil), ("wrong-hardware", "60040b06", nil),
    ("wrong-softdevice", "60040b07", nil), ("unsigned", "60040b08", nil), ("tampered", "600401", "60040b0c"),
    ("same-version", "600401", "600401"), ("highest-version", "600401", "600401"),
  ])
  func refusedPackagesAreAnsweredAsTheReadmeSays(_ name: String, _ reply: String, _ final: String?) throws {
    for build in BootloaderBuild.all {
      let package = try FirmwarePackage(decoding: try #require(Self.file("refused/\(build.board)-\(name).zip")))
      let image = try #require(package.images.first)
      let prediction = InitPacketValidator(build: build, publicKey: TestKey.publicKey)
        .predict(initPacket: image.initPacket, image: image.image, installed: Vectors.installed)
      #expect(Hexadecimal.string(prediction.reply) == reply, "\(build.name)")
      #expect(prediction.finalReply.map { Hexadecimal.string($0) } == final, "\(build.name)")
    }
  }

  @Test(arguments: [
    ("traversal", PackageFinding.Problem.unsafeName), ("absolute", .unsafeName), ("duplicate", .duplicate),
    ("no-manifest", .missing), ("bomb", .tooLong(length: 20_971_520, limit: 10_485_760)),
  ])
  func hostilePackagesAreRefused(_ name: String, _ problem: PackageFinding.Problem) throws {
    let archive = try #require(Self.file("hostile/\(name).zip"))
    do throws(PackageRefusal) {
      _ = try FirmwarePackage(decoding: archive)
      Issue.record("\(name) was read")
    } catch { #expect(error.findings.map(\.problem).contains(problem), "\(name): \(error)") }
  }

  @Test func aHugeFieldAndATruncatedArchiveAreFindings() throws {
    let huge = try FirmwarePackage(decoding: try #require(Self.file("hostile/huge-length.zip")))
    #expect(huge.findings.count == 1)
    #expect(huge.findings[0].subject == "dictofun.dat")
    let truncated = try #require(Self.file("hostile/truncated.zip"))
    #expect(throws: PackageRefusal.self) { try FirmwarePackage(decoding: truncated) }
  }

  @Test func itsKeysAreTheTestKeys() throws {
    for (name, twin) in [("test-key.pem", "private.pem"), ("other-test-key.pem", "other_private.pem")] {
      let text = String(decoding: try #require(Self.file(name)), as: UTF8.self)
      let key = try KeyFile.privateKey(text).publicKey
      #expect(key == (try KeyFile.privateKey(try Vectors.text(twin)).publicKey))
      #expect((key == TestKey.publicKey) == (name == "test-key.pem"))
    }
  }

  // MARK: Catalogues that do not fit

  private static func entry(
    _ name: String = "2.0", file: String = "s140-1.5.0.zip", version: Int = 2, board: String = "s140",
    notes: String = "n"
  ) -> String {
    """
    {"name": "\(name)", "file": "\(file)", "version": \(version), "board": "\(board)", "profile": "reference", \
    "offered": true, "notes": "\(notes)"}
    """
  }

  private static func findings(_ entries: String...) -> [CatalogueFinding.Problem] {
    findings(json: "{\"releases\": [\(entries.joined(separator: ","))]}")
  }

  private static func findings(json: String) -> [CatalogueFinding.Problem] {
    do throws(CatalogueRefusal) {
      _ = try FirmwareCatalogue(decoding: Array(json.utf8), package: file)
      return []
    } catch { return error.findings.map(\.problem) }
  }

  @Test func whatDoesNotFitIsFound() throws {
    #expect(Self.findings(Self.entry()).isEmpty)
    #expect(Self.findings(Self.entry(version: 3)) == [.version(stated: 2)])
    #expect(Self.findings(Self.entry(file: "none.zip")) == [.missingFile("none.zip")])
    #expect(Self.findings(Self.entry(file: "refused/s140-downgrade.zip")) == [.unsafeFile])
    #expect(Self.findings(Self.entry(file: "..")) == [.unsafeFile])
    #expect(Self.findings(Self.entry(board: "s113")) == [.board])
    #expect(Self.findings(Self.entry(board: "s132")) == [.softDevice(required: [0x0100], present: 0x0101)])
    #expect(Self.findings(Self.entry(""), Self.entry(notes: "\\u0007")).count == 2)
    #expect(Self.findings(Self.entry(), Self.entry(file: "s140-1.6.0.zip", version: 4)) == [.duplicateName])
    #expect(Self.findings(Self.entry(), Self.entry("2.1")) == [.duplicateImage("2.0")])
    #expect(
      Self.findings(Self.entry(file: "README.md"))
        == [.package(PackageFinding(nil, .notAnArchive("Not a zip archive")))])
    #expect(
      Self.findings(json: "{\"releases\": [\(Array(repeating: "{}", count: 2).joined(separator: ","))]}")
        == [.notACatalogue("releases.Index 0.name is missing")])
    #expect(
      Self.findings(Self.entry(version: 5_000_000_000)).first
        == .notACatalogue("it is not valid JSON, or a value is missing or too large"))
    #expect(Self.findings(json: "{\"releases\": 7}") == [.notACatalogue("releases has the wrong type")])
    let many = (0..<65).map { Self.entry("r\($0)") }.joined(separator: ",")
    #expect(Self.findings(json: "{\"releases\": [\(many)]}") == [.tooManyReleases(count: 65, limit: 64)])
  }

  @Test func packagesOfSeveralImagesAreNoRelease() throws {
    let package = try Vectors.bytes("packages/sd_bl_app_v2.zip")
    let json = "{\"releases\": [\(Self.entry())]}"
    #expect(throws: CatalogueRefusal.self) { try FirmwareCatalogue(decoding: Array(json.utf8)) { _ in package } }
  }

  @Test func damagedCataloguesNeverTrap() throws {
    let sound = try #require(Self.file(FirmwareCatalogue.fileName))
    var generator = SeededGenerator(seed: 23)
    for _ in 0..<100 {
      var damaged = sound
      for _ in 0..<3 {
        damaged[Int(generator.next() % UInt64(damaged.count))] = UInt8(truncatingIfNeeded: generator.next())
      }
      _ = try? FirmwareCatalogue(decoding: damaged) { _ in nil }
    }
  }
}
