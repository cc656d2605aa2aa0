import Foundation
import TestThreads
import Testing

/// `dictobench dfu releases`
@Suite(.waits) struct Releases {
  private struct Release: Decodable {
    var name, file, board, profile, notes, sha256: String
    var version: Int
    var offered: Bool
  }

  private struct Catalogue: Decodable { var releases: [Release] }

  @Test func theRepositorysCatalogueIsListedForPeopleAndMachines() throws {
    let outcome = try Tool.run(["dfu", "releases", "--format", "json"])
    #expect(outcome.status == 0)
    #expect(outcome.trouble.isEmpty)
    let releases = try JSONDecoder().decode(Catalogue.self, from: Data(outcome.output.utf8)).releases
    let release = try #require(releases.first { $0.name == "1.5.1" })
    #expect(release.board == "s140")
    #expect(release.version == 3)
    #expect(!release.offered)
    #expect(release.profile == "reference+records-late")
    #expect(release.sha256.utf8.count == 64)
    let lines = try Tool.run(["dfu", "releases"]).output.split(separator: "\n")
    #expect(lines.count == releases.count)
    #expect(lines.contains { $0.hasPrefix("1.5.0  s140, version 2, reference, offered  ") })
  }

  @Test(arguments: [
    ("reference+records-latest", "release 1.4.0 has the unknown profile reference+records-latest"),
    ("", "release 1.4.0: has a value for profile that is empty, too long or unprintable"),
  ])
  func aCatalogueThatDoesNotFitIsAnErrorWithItsPlace(_ profile: String, _ complaint: String) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      at: Tool.repository.appending(path: "firmware-images/s140-1.4.0.zip"),
      to: folder.url.appending(path: "s140-1.4.0.zip"))
    let json = """
      {"releases": [{"name": "1.4.0", "file": "s140-1.4.0.zip", "version": 1, "board": "s140",
      "profile": "\(profile)", "offered": true, "notes": "n"}]}
      """
    try Data(json.utf8).write(to: folder.url.appending(path: "catalogue.json"))
    let outcome = try Tool.run(["dfu", "releases", folder.url.path])
    #expect(outcome.status == 2, "\(outcome.trouble)")
    #expect(outcome.trouble.contains(complaint), "\(outcome.trouble)")
  }
}
