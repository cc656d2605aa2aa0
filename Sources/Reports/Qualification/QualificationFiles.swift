import Bytes
import Foundation
import Verdicts

/// The files of a qualification: `qualification.json` for programs and later comparisons, `qualification.md` for the summary
/// of a CI, `qualification.html` for people.
package enum QualificationFiles {
  /// The name of the document.
  private static let documentName = "qualification.json"
  /// The name of the summary.
  private static let summaryName = "qualification.md"
  /// The name of the page.
  private static let pageName = "qualification.html"
  /// Octets of a document that are read at most.
  private static let limit = 1 << 26

  /// Writes all files into a folder, or none of them. `history` is what earlier firmware came to, oldest first.
  ///
  /// - Throws: why they cannot be written.
  package static func write(
    _ qualification: Qualification, history: [Qualification] = [], in folder: ReportFolder
  ) throws(ReportFailure) {
    try folder.write([
      (documentName, document(qualification)), (summaryName, Array(QualificationMarkdown.text(qualification).utf8)),
      (pageName, QualificationPage(qualification, history: history).octets),
    ])
  }

  /// The document, as octets of JSON.
  package static func document(_ qualification: Qualification) -> [UInt8] {
    // None of the values in a qualification throws while it is encoded.
    guard let value = try? JSONValue.encoding(qualification) else {
      preconditionFailure("a qualification always has a document")
    }
    return value.document
  }

  /// Reads the document in a folder.
  ///
  /// - Throws: why that is impossible.
  package static func read(_ folder: String) throws(SummaryFailure) -> Qualification {
    let path = "\(folder)/\(documentName)"
    let octets: [UInt8]
    do throws(ReportFailure) { octets = try ReportFile.contents(path, limit: limit) } catch {
      throw SummaryFailure("\(error)")
    }
    do throws(SummaryFailure) { return try decode(octets) } catch {
      throw SummaryFailure("\(path) is not a qualification of this version: \(error)")
    }
  }

  /// Reads a document.
  ///
  /// - Throws: what is wrong with it.
  package static func decode(_ octets: [UInt8]) throws(SummaryFailure) -> Qualification {
    do {
      let qualification = try JSONDecoder().decode(Qualification.self, from: Data(octets))
      let (found, known) = (qualification.schemaVersion, Qualification.currentSchemaVersion)
      guard found == known else { throw SummaryFailure("expected version \(known), got \(found)") }
      return qualification
    } catch let error as DecodingError {
      throw SummaryFailure(SummaryFailure.sentence(error))
    } catch {
      throw SummaryFailure("\(error)")
    }
  }
}
