import Bytes
import ScenarioLanguage
import SecureDFU
import System
import Text
import Verdicts
import World

/// `dictobench dfu releases`: the firmware that simulated recorders know and that phones are offered.
enum DFUReleases {
  static func run(_ arguments: ParsedArguments, _ console: Console) throws(UsageFailure) -> ExitCode {
    let named = arguments.operands.dropFirst().first
    let path = "\(FirmwareFiles.house)/\(FirmwareCatalogue.fileName)"
    if named == nil, !FileSystem.may([], ProgramData.place(path)) { throw ProgramData.missing(path) }
    let files = FirmwareFiles(folder: named ?? FirmwareFiles.house)
    let catalogue: FirmwareCatalogue
    do throws(ControlFailure) { catalogue = try files.catalogue() } catch {
      guard case .impossible(let reason) = error else { throw UsageFailure("\(error)") }
      throw UsageFailure(reason)
    }
    if FormatOption.isJSON(arguments) {
      let releases = JSONValue.object([("releases", .array(catalogue.releases.map(document)))])
      console.out(DocumentSchema.named("dfu-releases").stamped(releases).indentedText)
    } else {
      for release in catalogue.releases { console.out(PlainText.escaped(line(release))) }
    }
    return .passed
  }

  private static func document(_ release: FirmwareRelease) -> JSONValue {
    .object([
      ("name", .string(release.name)), ("file", .string(release.file)), ("version", .integer(Int(release.version))),
      ("board", .string(release.board)), ("profile", .string(release.profile)),
      ("offered", .boolean(release.isOffered)), ("notes", .string(release.notes)),
      ("sha256", .string(Hexadecimal.string(release.imageDigest))),
    ])
  }

  private static func line(_ release: FirmwareRelease) -> String {
    "\(release.name)  \(release.board), version \(release.version), \(release.profile)"
      + "\(release.isOffered ? ", offered" : "")  \(release.notes)"
  }
}
