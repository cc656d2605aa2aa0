import Bytes
import Foundation
import Text
import Verdicts

/// `summary.json`: the whole run for scripts and for `replay`, which reads it back.
struct SummaryReport: RunReportWriter {
  static let name = "summary"
  static let needsFolder = true
  static func isDefault(_ place: ReportPlace) -> Bool { true }

  /// Name of the file in the folder of reports.
  static let fileName = "summary.json"

  private let folder: ReportFolder

  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure) {
    guard let folder = place.folder else { throw ReportFailure.withoutFolder(Self.name) }
    self.folder = folder
  }

  func finish(_ story: RunStory) throws(ReportFailure) {
    try folder.write(Self.fileName, Self.document(story.report))
  }

  /// The octets of the file.
  static func document(_ run: RunReport) -> [UInt8] {
    // None of the values in a report throws while it is encoded.
    guard let value = try? JSONValue.encoding(run) else { preconditionFailure("a report always has a document") }
    return value.document
  }
}

/// Why a summary could not be read, in words that are safe for a terminal.
package struct SummaryFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, and where.
  package let description: String

  init(_ text: String) { description = PlainText.escaped(text, limit: 400) }
}

extension RunReport {
  /// The octets of its `summary.json`.
  package var summaryDocument: [UInt8] { SummaryReport.document(self) }

  /// Octets of a summary that are read at most.
  package static let summaryLimit = 1 << 28

  /// Reads the `summary.json` of a folder of reports. Whatever the file holds, no number is outside the range that
  /// reports can have.
  package init(summaryIn folder: String) throws(SummaryFailure) {
    let path = folder + "/" + SummaryReport.fileName
    do {
      try self.init(summary: try ReportFile.contents(path, limit: Self.summaryLimit))
    } catch let failure as SummaryFailure {
      throw SummaryFailure("\(path) is not a summary of this version: \(failure)")
    } catch {
      throw SummaryFailure("\(error)")
    }
  }

  /// Reads the octets of a `summary.json`.
  package init(summary octets: [UInt8]) throws(SummaryFailure) {
    do {
      self = try JSONDecoder().decode(RunReport.self, from: Data(octets))
    } catch let error as DecodingError {
      throw SummaryFailure(SummaryFailure.sentence(error))
    } catch {
      throw SummaryFailure("cannot be decoded: \(error)")
    }
  }

}

extension SummaryFailure {
  /// What is wrong with JSON, and where.
  static func sentence(_ error: DecodingError) -> String {
    switch error {
    case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): "\(place(context.codingPath)) is null"
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "the file is not valid JSON, or a number in it is out of range"
        : "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "cannot be decoded"
    }
  }

  /// `scenarios[3].repetition`
  private static func place(_ path: [any CodingKey]) -> String {
    path.reduce("") { text, key in
      if let index = key.intValue { return "\(text)[\(index)]" }
      return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
    }
  }
}
