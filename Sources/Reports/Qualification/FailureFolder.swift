import Bytes
import Foundation
import System
import Verdicts

/// The folder `failures` of a qualification: the capture, the trace page and the story of each failure, under a name that
/// belongs to this failure alone.
package struct FailureFolder: Sendable {
  /// Its name in the folder of the qualification.
  private static let name = "failures"
  /// Octets of a story that are read at most.
  private static let storyLimit = 1 << 20
  /// Octets of a page or a capture that are copied at most.
  private static let fileLimit = 1 << 30

  private let folder: ReportFolder
  private let place: ReportPlace
  private let others: [String]

  /// Makes the folder below that of `place`, and removes what a killed run left half-written. `others` are folders of
  /// qualifications from which missing files are copied.
  package init(in place: ReportPlace, others: [String] = []) throws(ReportFailure) {
    guard let folder = place.folder else { throw ReportFailure.withoutFolder(Self.name) }
    self.folder = try ReportFolder(folder.path + "/" + Self.name)
    self.folder.removeFiles(endingWith: ReportFile.partialSuffix)
    self.place = place
    self.others = others
  }

  /// Begins the capture of an attempt at a scenario; `number` counts repetitions from 0. `note` is its first remark.
  package func begin(_ scenario: String, _ number: Int, note: String) throws(ReportFailure) -> FailureCapture {
    let name = "\(ReportFolder.fileName(scenario)).\(number)"
    return try FailureCapture(try ReportFile(path(name, .capture)), note: note, in: folder.path)
  }

  /// Writes page and story of a failure; `digest` tells it from every other failure of the scenario. The story is written
  /// last, so that a failure with a story has everything. `run` holds what is known when a run begins.
  package func keep(_ log: ScenarioEventLog, _ digest: String, of run: RunReport) throws(ReportFailure) {
    guard let report = log.report else { return }
    let name = Self.fileName(report.name, digest)
    let story = ScenarioStory(report, isSimulated: run.isSimulated)
    let page = TracePage(log: log, story: story, run: run, link: place.link)
    try folder.write(name + Kind.page.rawValue, page.octets)
    let lines = story.failure + story.notes + [ScenarioStory.Line("replay", report.replay)]
    let object = JSONValue.object([
      "story": .array(lines.map { .object(["label": .string($0.label), "text": .string($0.text)]) })
    ])
    try folder.write(name + Kind.story.rawValue, object.document)
  }

  /// What explains a failure; `nil` where there is no complete record of it.
  package func record(of scenario: String, _ digest: String) -> FailureRecord? {
    let name = Self.fileName(scenario, digest)
    if let record = read(name) { return record }
    return others.lazy.compactMap { copy(name, from: $0) }.first
  }

  /// The members of a story's file.
  private struct Story: Decodable {
    struct Line: Decodable {
      let label: String
      let text: String
    }
    let story: [Line]
  }

  private func read(_ name: String) -> FailureRecord? {
    guard let octets = try? ReportFile.contents(path(name, .story), limit: Self.storyLimit),
      let story = try? JSONDecoder().decode(Story.self, from: Data(octets))
    else { return nil }
    func link(_ kind: Kind) -> String? {
      FileSystem.may(.read, path(name, kind)) ? "\(Self.name)/\(name)\(kind.rawValue)" : nil
    }
    return FailureRecord(
      story: story.story.map { FailureRecord.Line($0.label, $0.text) }, page: link(.page), capture: link(.capture))
  }

  /// Copies the files of a failure, the story last.
  private func copy(_ name: String, from other: String) -> FailureRecord? {
    for kind in Kind.allCases {
      let file = "\(name)\(kind.rawValue)"
      guard let octets = try? ReportFile.contents("\(other)/\(Self.name)/\(file)", limit: Self.fileLimit),
        (try? folder.write(file, octets)) != nil
      else { return nil }
    }
    return read(name)
  }

  /// What a file holds, by the end of its name. The story is the last one.
  fileprivate enum Kind: String, CaseIterable {
    case capture = ".btsnoop"
    case page = ".html"
    case story = ".json"
  }

  private func path(_ name: String, _ kind: Kind) -> String { Self.path(name, kind, in: folder.path) }

  fileprivate static func path(_ name: String, _ kind: Kind, in folder: String) -> String {
    "\(folder)/\(name)\(kind.rawValue)"
  }

  fileprivate static func fileName(_ scenario: String, _ digest: String) -> String {
    "\(ReportFolder.fileName(scenario))-\(digest)"
  }
}

/// The capture of one attempt. How it is called is known at its end.
package final class FailureCapture {
  /// Where the trace goes.
  package let sink: CaptureSink
  private let file: ReportFile
  private let folder: String

  fileprivate init(_ file: ReportFile, note: String, in folder: String) throws(ReportFailure) {
    self.file = file
    self.folder = folder
    sink = try CaptureSink(to: file, .btsnoop, note: note)
  }

  /// Chooses the name of the capture of a failure. The sink decides whether it is kept.
  package func belongs(to scenario: String, _ digest: String) {
    file.rename(to: FailureFolder.path(FailureFolder.fileName(scenario, digest), .capture, in: folder))
  }
}
