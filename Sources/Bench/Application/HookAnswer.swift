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

  let answer: ApplicationAnswer

  init(_ arguments: Arguments) {
    if let word = arguments[Self.failedField] {
      answer = .failed(word, arguments[Self.textField])
      return
    }
    var view = ApplicationView()
    view.listed = arguments[Self.listedField]
    view.downloaded = arguments[Self.downloadedField]
    view.battery = arguments[Self.batteryField]
    view.records = arguments[Self.recordsField]?.map(\.entry)
    view.answer = arguments[Self.answerField].map { SpokenAnswer(isYes: $0, text: "\($0), by the hook") }
    answer = .done(view)
  }

  /// What a program that ended with code 0 has answered: the last line that is an object, or nothing but that it is done.
  static func read(_ output: String, of program: String) throws(ControlFailure) -> ApplicationAnswer {
    guard let line = output.split(whereSeparator: \.isNewline).last(where: { $0.hasPrefix("{") }) else {
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
    return HookAnswer(arguments).answer
  }
}

/// `{"identifier": "0000240101120000", "file": "/tmp/0000240101120000.record"}`
struct HookRecord: FieldGroupValue {
  static let identifierField = Field<RecordName>("identifier", "Its sixteen digits.")
  static let fileField = Field<String?>("file", "A file that holds its octets.")
  static var group: FieldGroup { FieldGroup([identifierField, fileField], shorthand: identifierField) }

  /// No record is longer than the recorder's memory.
  private static let sizeLimit = 16 << 20

  let entry: LibraryEntry

  init(_ arguments: Arguments) {
    entry = LibraryEntry(
      identifier: arguments[Self.identifierField].description,
      bytes: arguments[Self.fileField].map(Self.content) ?? [])
  }

  /// A file that cannot be read holds nothing, which is identical to no record.
  private static func content(_ path: String) -> [UInt8] {
    (try? FileDescriptor.open(path, .reading, .nonBlocking).readAll(limit: sizeLimit)) ?? []
  }
}
