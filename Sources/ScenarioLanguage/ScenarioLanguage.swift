/// The scenario language: YAML with positions, values with units, and the vocabulary in which verbs declare
/// themselves.
///
/// The way of a file, all of it pure functions over bytes:
///
/// 1. `YAMLReader` turns bytes into `Node`s that know their place, and refuses ambiguous text.
/// 2. `ScenarioLibrary` checks files against a `Vocabulary` and resolves matrix, fragments, `when` and `repeat`
///    into one `Scenario` a cell, whose `Step`s hold verbs with decoded `Arguments`.
/// 3. Whatever is wrong becomes a `Diagnostic`; `DiagnosticReport` prints the most useful ones.
///
/// **To write a verb**, declare its fields as `Field`s, its outcome as further fields, and put them into a
/// `VerbDeclaration`; then perform it by reading `Arguments` and stating `Findings`:
///
/// ```swift
/// enum DeleteRecord {
///   static let record = Field<RecordChoice>("record", "Which record to delete.")
///   static let remaining = Field<Int>("remaining", "Records in the library afterwards.")
///   static let declaration = VerbDeclaration(
///     "delete", of: .phone, "Deletes a record from the library.", shorthand: record, results: [remaining],
///     failures: [FailureDeclaration("no-such-record", "The library does not have it.")],
///     example: "- phone: {delete: newest}\n  expect: {remaining: 6}")
///
///   func perform(_ arguments: Arguments) async throws -> Findings {
///     let chosen = arguments[Self.record]
///     var findings = Findings()
///     findings.set(Self.remaining, 6)
///     return findings
///   }
/// }
/// ```
///
/// A field's Swift type says everything: `Duration`, `Voltage`, `FrequencyError`, `ByteCount`, `Share`,
/// `RadioPower`, `Distance`, `Int`, `Bool`, `String`, `CivilDateTime`, `UTCOffset`, `BluetoothAddress`,
/// `RecordName`; an enumeration that is a `FieldChoice`; a structure that is a `FieldGroupValue`; an array or an
/// optional of these. Sections of `given:` are `GivenDeclaration`s and events are `ObservationDeclaration`s, made
/// of the same fields. A step's `expect:` is checked by `Expectation.mismatches(in:)`, an event by
/// `EventPattern.matches(_:_:)`.
public enum LanguageLimits {
  /// Bytes of one file.
  public static let fileBytes = 1 << 20
  /// How deep lists and mappings may nest.
  public static let depth = 32
  /// Scalars that one text may have after `$names` are replaced.
  public static let textLength = 4_096
  /// Bytes of the sentence that a scenario is.
  public static let titleLength = 200
  /// Bytes of one value of a matrix, since it becomes part of names.
  public static let cellValueLength = 100
  /// Cells of one matrix.
  public static let cells = 1_024
  /// Steps of one cell after fragments and repetitions are resolved.
  public static let steps = 10_000
  /// Steps of all cells of one file together.
  public static let stepsOfFile = 100_000
  /// Recorders or phones of one scenario.
  public static let people = 10_000
  /// Fragments that use one another in a chain.
  public static let fragmentDepth = 8
  /// Problems of one severity that are kept of one file.
  public static let diagnostics = 100
  /// Problems of one severity that are counted of one file.
  public static let countedDiagnostics = 100_000
  /// Problems that are shown.
  public static let shownDiagnostics = 10
}
