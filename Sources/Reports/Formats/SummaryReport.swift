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
  /// What the file begins with.
  static let beginning = "{\n  \"schemaVersion\": "

  private let folder: ReportFolder

  init(_ beginning: RunReport, in place: ReportPlace) throws(ReportFailure) {
    guard let folder = place.folder else { throw ReportFailure.withoutFolder(Self.name) }
    self.folder = folder
  }

  func finish(_ story: RunStory) throws(ReportFailure) {
    let file = try ReportFile(folder.path + "/" + Self.fileName)
    try Self.write(story.report) { octets throws(ReportFailure) in try file.write(octets) }
    try file.commit()
  }

  /// The octets of the file.
  static func document(_ run: RunReport) -> [UInt8] {
    var document: [UInt8] = []
    write(run) { document += $0 }
    return document
  }

  /// Gives the octets of the file piece by piece: the document of a long run at once would be most of what it needs.
  private static func write<Failure>(
    _ run: RunReport, _ take: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    // The list of scenarios is the last member, and ends with the object.
    let (head, end) = (value(RunReport.Head(run)).document.dropLast(4), "]\n}\n")
    try take(Array(head))
    var separator = "\n    "
    for scenario in run.listedScenarios {
      try take(Array(separator.utf8) + value(scenario).part(level: 2))
      separator = ",\n    "
    }
    try take(Array(((run.scenarios.isEmpty ? "" : "\n  ") + end).utf8))
  }

  fileprivate static func value(_ encodable: some Encodable) -> JSONValue {
    // None of the values in a report throws while it is encoded.
    guard let value = try? JSONValue.encoding(encodable) else { preconditionFailure("a report always has a document") }
    return value
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

  /// Members of a summary that follow from others, and which reading it leaves out.
  private struct Totals: Decodable, Equatable {
    var exitCode: Int
    var totals: [String: Int]
    var traceHash: String
  }

  /// Throws unless exit code, totals and hash in the octets of its `summary.json` follow from its scenarios.
  package func checkTotals(in summary: [UInt8]) throws(SummaryFailure) {
    func totals(_ octets: [UInt8]) -> Totals? { try? JSONDecoder().decode(Totals.self, from: Data(octets)) }
    guard let told = totals(summary), told == totals(SummaryReport.value(Head(self)).document) else {
      throw SummaryFailure("exit code, totals and hash are not those that follow from its scenarios")
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
