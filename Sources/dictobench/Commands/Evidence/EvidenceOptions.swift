import Crypto
import Foundation
import ImageRecorder
import Recorder
import Reports
import ScenarioLanguage
import Session
import Verdicts

/// What `bundle` and `verify` share.
enum EvidenceOptions {
  static let image = OptionDeclaration(
    "--image", "The firmware image that the run executed; it is not put into the bundle.", value: "FILE")
  static let board = OptionDeclaration(
    "--board", "The board of the image, where its file does not tell.", value: "NAME|FILE")

  /// The image of a run. Throws for one that the run did not execute.
  static func image(_ arguments: ParsedArguments, of run: RunReport) throws(UsageFailure) -> ExecutableImage? {
    guard let path = arguments.value(image.name) else { return nil }
    guard let recorded = run.image else { throw UsageFailure("the run executed no image, but --image names \(path)") }
    let loader = arguments.value(ImageFiles.bootloader.name)
    let image = try ImageFiles.read(path, board: arguments.value(board.name), bootloader: loader)
    guard recorded.contains(image.digest.prefix(ImageFiles.digestPrefix)) else {
      throw UsageFailure("\(path) is not the image of the run: its flash has the SHA-256 \(image.digest)")
    }
    guard !recorded.contains(ImageFiles.packagesMark) else {
      throw UsageFailure(
        "the run installed packages of a folder of its own; only packages of firmware-images can be evidence")
    }
    guard recorded.contains(", bootloader ") == (loader != nil) else {
      throw UsageFailure(
        loader == nil
          ? "the run executed a bootloader; name its file with --bootloader"
          : "the run executed no bootloader, but --bootloader names \(loader ?? "")")
    }
    if let loader, let digest = image.bootloaderDigest, !recorded.contains(digest.prefix(ImageFiles.digestPrefix)) {
      throw UsageFailure("\(loader) is not the bootloader of the run: its flash has the SHA-256 \(digest)")
    }
    return image
  }

  /// Holds a run against its inputs. Prints the errors of its scenarios and returns `nil` where they have any.
  static func trial(
    of run: RunReport, _ inputs: EvidenceInputs, image: ExecutableImage?, _ extract: LedgerExtract?,
    _ console: Console, captures: @escaping EvidenceTrial.CaptureReader
  ) throws -> EvidenceTrial.Result? {
    let sounds = SoundFiles(from: inputs.named)
    let firmware = FirmwareFiles(from: inputs.named)
    let vocabulary = Vocabularies.vocabulary(of: inputs.catalogue, sounds, firmware)
    let library = ScenarioLibrary(files: inputs.scenarios, vocabulary: vocabulary)
    guard !library.hasErrors else {
      console.note(library.report.text(colour: console.isColoured))
      return nil
    }
    let program = image.map { $0.program.recorderProgram(named: $0.name) }
    var reproduction: RunReproduction?
    if run.image == nil || program != nil {
      do {
        reproduction = try RunReproduction(
          of: run, in: inputs.catalogue, program: program ?? .modelled,
          LivePerformer(sounds: sounds, firmware: firmware))
      } catch {
        throw UsageFailure(error.description)
      }
    }
    return EvidenceTrial(of: run, in: inputs.catalogue, library, extract, captures: captures).result(reproduction)
  }

  /// Tells what a trial found, a line each.
  static func tell(_ result: EvidenceTrial.Result, _ console: Console) {
    for contradiction in result.contradictions { console.note("refuted: \(contradiction)") }
    if result.reproduced > 0 { console.out("\(result.reproduced) scenarios ran again: same verdicts, same hashes") }
    if result.judged > 0 { console.out("\(result.judged) captures were judged again and agree") }
    if result.concluded > 0 { console.out("\(result.concluded) requirements follow from them as recorded") }
    if result.attested > 0 {
      console.out("\(result.attested) of these requirements rest on attestations alone, which nothing here can check")
    }
    if result.kept > 0 { console.out("\(result.kept) verdicts are in the ledger as reported") }
    for sentence in result.unchecked { console.out("not checked: \(sentence)") }
  }
}
