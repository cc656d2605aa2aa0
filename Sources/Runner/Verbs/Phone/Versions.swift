import Bytes
import Phone
import ScenarioLanguage
import Text
import World

/// `- phone: versions`
enum Versions: Verb {
  static let application = Field<String>("application", "The application; `unknown` if not reported.")
  static let board = Field<String>("board", "The board; `unknown` if not reported.")
  static let softDevice = Field<String>("softdevice", "The SoftDevice; `unknown` if not reported.")
  static let bootloader = Field<String>("bootloader", "The bootloader, which cannot be read by radio.")

  static let declaration = VerbDeclaration(
    "versions", of: .phone, "Reads the hardware and firmware versions of the connected recorder.",
    results: [application, board, softDevice, bootloader], failures: FailureDeclaration.ofPhones,
    touches: [.firmware], example: "- phone: versions\n  expect: {application: unknown}")

  static func perform(_ call: VerbCall, on stage: isolated Stage) async throws -> Findings {
    var findings = Findings()
    guard case .versions(let report) = try await stage.run(.reportVersions, by: call) else { return findings }
    func text(_ fact: VersionReport.Fact?) -> String { fact.map { PlainText.escaped($0.text) } ?? "unknown" }
    findings.set(Self.application, text(report.application))
    findings.set(Self.board, text(report.board))
    findings.set(Self.softDevice, text(report.softDevice))
    findings.set(Self.bootloader, VersionReport.bootloader)
    return findings
  }
}
