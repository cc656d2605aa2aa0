import Bytes
import ScenarioLanguage
import System
import Text
import World
import YAML

/// The line of JSON by which a hook says what came of it, read by the rules of bench files.
struct HookAnswer: FieldGroupValue {
  static let failedField = Field<String?>("failed", "Why the application could not, by a word that scenarios know.")
  static let textField = Field<String>("text", "More about it.", default: "")
  static let listedField = Field<Int?>("listed", "Records that the recorder listed.")
  static let downloadedField = Field<Int?>("downloaded", "Records that were fetched.")
  static let batteryField = Field<Int?>("battery", "The battery's level in percent.")
  static let recordsField = Field<[HookRecord]?>("records", "The library, newest first, or what was removed.")
  static let answerField = Field<Bool?>("answer", "The answer to a question.")
  static var group: FieldGroup {
    FieldGroup([failedField, textField, listedField, downloadedField, batteryField, recordsField, answerField])
  }

  /// What it says, without the records.
  private let stated: ApplicationAnswer
  private let records: [HookRecord]?

  init(_ arguments: Arguments) {
    records = arguments[Self.recordsField]
    if let word = arguments[Self.failedField] {
      stated = .failed(word, arguments[Self.textField])
      return
    }
    var view = ApplicationView()
    view.listed = arguments[Self.listedField]
    view.downloaded = arguments[Self.downloadedField]
    view.battery = arguments[Self.batteryField]
    view.answer = arguments[Self.answerField].map { SpokenAnswer(isYes: $0, text: "\($0), by the hook") }
    stated = .done(view)
  }

  /// What a program has answered, with the content of the files that it names.
  private func answer(of program: String) throws(ControlFailure) -> ApplicationAnswer {
    guard case .done(var view) = stated, let records else { return stated }
    var entries: [LibraryEntry] = []
    for record in records { entries.append(try record.entry(of: program)) }
    view.records = entries
    return .done(view)
  }

  /// What a program that ended with code 0 has answered: the last line that is an object, or nothing but that it is done.
  static func read(_ output: String, of program: String) throws(ControlFailure) -> ApplicationAnswer {
    let lines = output.split(whereSeparator: \.isNewline).map(\.trimmingBlanks)
    guard let line = lines.last(where: { $0.hasPrefix("{") }) else {
      return .done(ApplicationView())
    }
    let (arguments, problems) = DocumentReader.read(
      SourceFile(path: "answer", bytes: Array(line.utf8)), as: group, called: "a hook's answer")
    guard let arguments else {
      // The message quotes the answer.
      let problem = PlainText.escaped(problems.first?.message ?? "")
      throw .bench(
        "\(PlainText.escaped(program)) gave an answer that cannot be understood (\(problem))",
        advice: "make it write one line of JSON")
    }
    return try HookAnswer(arguments).answer(of: program)
  }
}

/// `{"identifier": "0000240101120000", "file": "/tmp/0000240101120000.record"}`
struct HookRecord: FieldGroupValue {
  static let identifierField = Field<RecordName>("identifier", "Its sixteen digits.")
  static let fileField = Field<String?>("file", "A file that holds its octets.")
  static var group: FieldGroup { FieldGroup([identifierField, fileField], shorthand: identifierField) }

  /// No record is longer than the recorder's memory.
  private static let sizeLimit = 16 << 20

  private let identifier: String
  private let file: String?

  init(_ arguments: Arguments) {
    identifier = arguments[Self.identifierField].description
    file = arguments[Self.fileField]
  }

  /// The record; without a file it holds nothing.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where the file cannot be read, which says nothing of the application.
  func entry(of program: String) throws(ControlFailure) -> LibraryEntry {
    guard let file else { return LibraryEntry(identifier: identifier, bytes: []) }
    let problem: String
    do throws(SystemCallFailure) {
      let octets = try FileDescriptor.open(file, .reading, .nonBlocking).readAll(limit: Self.sizeLimit + 1)
      if octets.count <= Self.sizeLimit { return LibraryEntry(identifier: identifier, bytes: octets) }
      problem = "it has more than \(Self.sizeLimit >> 20) MiB"
    } catch { problem = "\(error.code)" }
    throw .bench(
      "\(PlainText.escaped(program)) names the file \(PlainText.escaped(file, limit: 200)) for the record \(identifier), "
        + "which cannot be read (\(problem))", advice: "make it write the record there before it answers")
  }
}
