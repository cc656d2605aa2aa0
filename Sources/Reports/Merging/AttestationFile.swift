import Foundation
import Verdicts

extension Attestation {
  /// Octets of an attestation that are read at most.
  private static let limit = 1 << 16

  /// Reads an attestation. Throws for what is not one, in words that are safe for a terminal.
  package init(file: String) throws(SummaryFailure) {
    do {
      let octets = try ReportFile.contents(file, limit: Self.limit)
      self = try JSONDecoder().decode(Attestation.self, from: Data(octets))
    } catch let error as DecodingError {
      throw SummaryFailure("\(file) is not an attestation: \(SummaryFailure.sentence(error))")
    } catch {
      throw SummaryFailure("\(error)")
    }
  }
}
