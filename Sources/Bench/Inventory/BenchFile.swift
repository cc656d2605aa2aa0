import Bytes
import ScenarioLanguage
import System
import Transports
import YAML

/// What stands on a bench: adapters, recorders by address, and what can be done to each, in labgrid's words.
package struct BenchFile: Sendable {
  /// The bench's name: labgrid's place.
  package let place: String
  /// `key=value`, as labgrid tags places.
  package let tags: [String]
  /// The controllers, one for each phone of a scenario, or for each recorder of ours before somebody else's phone.
  package let adapters: [TransportSpecification]
  /// The recorders, in the order in which scenarios mean them.
  package let recorders: [RecorderPlace]
  /// What steps are granted beyond their time, for the delays of adapters and actuators.
  package let tolerance: Duration
  /// How long a run waits for an adapter that was unplugged.
  package let replugLimit: Duration
  /// How long the bench may take for what `given:` states; `nil` for as long as its prediction allows.
  package let preparationLimit: Duration?
  /// The file of a scenario that shows whether the bench is in order, seen from where the program runs; `nil` for none.
  package let health: String?
  /// The file that one run at a time may hold, seen from where the program runs; `nil` for none.
  package let lock: String?
  /// Somebody else's phone, for `run --target app`.
  package let phone: PhonePlan?
  /// Adapters of this bench that deviate from the specification, besides those of the library.
  package let quirks: [QuirkEntry]

  static let placeField = Field<String>("place", "The bench's name.")
  static let commentField = Field<String?>("comment", "What a person should know.")
  static let tagsField = Field<[String]>("tags", "`key=value`.", default: [])
  static let adaptersField = Field<[AdapterPlace]>("adapters", "Controllers: our phones', or our recorders'.")
  static let recordersField = Field<[RecorderPlace]>("recorders", "The recorders.", default: [])
  static let toleranceField = Field<Duration>("tolerance", "Extra time that steps may take.", default: .zero)
    .limited(to: Duration.zero...Duration.seconds(60))
  static let replugField = Field<Duration>(
    "replug-within", "How long a run waits for an adapter that was unplugged.", default: .seconds(10)
  ).limited(to: Duration.zero...Duration.seconds(3_600))
  static let preparationField = Field<Duration?>(
    "prepare-within",
    "How long the bench may take for what `given:` states (default: two minutes, three times what is predicted, and "
      + "what the operator and programs are granted)."
  ).limited(to: Duration.seconds(1)...Duration.seconds(86_400))
  static let labgridField = Field<LabgridPlace?>(
    "labgrid", "labgrid's file whose resources instruments name by `resource:`.")
  static let phoneField = Field<PhonePlan?>("phone", "Somebody else's phone, whose application is tested.")
  static let healthField = Field<String?>(
    "health",
    "The file of a scenario, seen from this one's folder, that shows whether the bench is in order: run before and after "
      + "all others.")
  static let lockField = Field<String?>(
    "lock", "A file, seen from this one's folder, that keeps a second run off the bench.")
  static let quirksField = Field<[QuirkPlan]>(
    "quirks", "Adapters that deviate from the specification, besides those of the library.", default: [])
  static let group = FieldGroup([
    placeField, commentField, tagsField, adaptersField, recordersField, phoneField, toleranceField, replugField,
    preparationField, healthField, lockField, labgridField, quirksField,
  ])

  /// Reads a bench file; what is wrong with it is told, one message a mistake. `other` reads the files that it names, and
  /// `exists` says whether one is there, by their paths as they are seen from where the program runs.
  package static func read(
    _ file: SourceFile,
    other: (String) throws(SourceFileFailure) -> SourceFile = { path throws(SourceFileFailure) in
      try SourceFile.read(path)
    }, exists: (String) -> Bool = { FileSystem.may(.read, $0) }
  ) -> (bench: BenchFile?, diagnostics: [Diagnostic]) {
    var found: [Diagnostic] = []
    let (arguments, diagnostics) = DocumentReader.read(file, as: group, called: "a bench file") { top in
      var labgrid = LabgridImport(into: top) { path in
        do throws(SourceFileFailure) { return (try other(FileSystem.place(path, beside: file.path)), nil) } catch {
          return (nil, error.description)
        }
      }
      let replaced = labgrid.replaced(top)
      found = labgrid.problems
      return replaced
    }
    guard let arguments, found.isEmpty else { return (nil, found + diagnostics) }
    var problems = diagnostics
    let bench = BenchFile(arguments, in: file.path, &problems)
    problems += bench.lockProblems(arguments, besides: file.path)
    problems += bench.files(arguments).compactMap { place, path in
      guard let place, !exists(path) else { return nil }
      return Diagnostic(at: place, "cannot read \(path)", expected: "a file, seen from the bench file's folder")
    }
    return (problems.isEmpty ? bench : nil, problems)
  }

  /// The files that it needs, and where they are stated.
  private func files(_ arguments: Arguments) -> [(SourceLocation?, String)] {
    (health.map { [(arguments.location(of: Self.healthField), $0)] } ?? []) + recorders.flatMap(\.files)
  }

  /// A lock is emptied and removed, so it must not be the bench file or a file that the bench needs.
  private func lockProblems(_ arguments: Arguments, besides path: String) -> [Diagnostic] {
    guard let lock, let place = arguments.location(of: Self.lockField) else { return [] }
    let labgrid = arguments[Self.labgridField].map { FileSystem.place($0.file, beside: path) }
    let needed =
      [path] + [labgrid].compactMap { $0 } + files(arguments).map(\.1) + recorders.compactMap(\.measuredProfile)
    let canonical = FileSystem.canonical(lock)
    guard let other = needed.first(where: { FileSystem.canonical($0) == canonical }) else { return [] }
    return [
      Diagnostic(
        at: place, "`lock` names \(other), which the bench needs", expected: "a file of its own, such as `bench.lock`")
    ]
  }

  /// Where a simulator must listen for the hosts that the adapters make; none for adapters of hardware.
  package var hostPlaces: [TransportSpecification] { adapters.compactMap(\.listeningPlace) }

  /// Something that this bench has in common with another one, so that nobody can use both at once; `nil` for nothing.
  package func shared(with other: BenchFile) -> String? {
    if place == other.place { return "the name \(place)" }
    if let lock, let theirs = other.lock, FileSystem.canonical(lock) == FileSystem.canonical(theirs) {
      return "the lock \(lock)"
    }
    if let adapter = adapters.first(where: other.adapters.contains) { return "the adapter \(adapter)" }
    if let recorder = recorders.first(where: { own in other.recorders.contains { $0.address == own.address } }) {
      return "the recorder \(recorder.address)"
    }
    let lines = other.recorders.flatMap(\.lines).map(\.1.identity)
    let line = recorders.flatMap(\.lines).map(\.1).first { lines.contains($0.identity) }
    return line.map { "an instrument at \($0.description)" }
  }

  private init(_ arguments: Arguments, in path: String, _ problems: inout [Diagnostic]) {
    place = arguments[Self.placeField]
    tags = arguments[Self.tagsField]
    tolerance = arguments[Self.toleranceField]
    replugLimit = arguments[Self.replugField]
    preparationLimit = arguments[Self.preparationField]
    recorders = arguments[Self.recordersField]
    phone = arguments[Self.phoneField]
    health = arguments[Self.healthField].map { FileSystem.place($0, beside: path) }
    lock = arguments[Self.lockField].map { FileSystem.place($0, beside: path) }
    quirks = arguments[Self.quirksField].map(\.entry)
    adapters = Self.adapters(arguments, &problems)
    if let top = arguments.location(of: Self.quirksField) {
      problems += arguments[Self.quirksField].flatMap { $0.problems(at: top) }
    }
    Self.checkTags(arguments, &problems)
    if lock?.isEmpty == true || lock?.hasSuffix("/") == true, let top = arguments.location(of: Self.lockField) {
      problems.append(Diagnostic(at: top, "`lock` does not name a file", expected: "a file, such as `bench.lock`"))
    }
    if let stated = arguments[Self.healthField], stated.isEmpty, let top = arguments.location(of: Self.healthField) {
      problems.append(
        Diagnostic(at: top, "`health` does not name a file", expected: "a scenario's file, such as `health.yaml`"))
    }
    if phone == nil || !recorders.isEmpty { Self.checkRecorders(recorders, arguments, &problems) }
    problems += phone?.problems ?? []
  }

  private static func adapters(
    _ arguments: Arguments, _ problems: inout [Diagnostic]
  ) -> [TransportSpecification] {
    let places = arguments[adaptersField]
    guard let top = arguments.location(of: adaptersField) else { return [] }
    if places.isEmpty {
      problems.append(Diagnostic(at: top, "the bench has no adapter", expected: "a transport, such as `usb:0`"))
    }
    var adapters: [TransportSpecification] = []
    for place in places {
      let location = place.location ?? top
      do throws(TransportSpecificationFailure) {
        let adapter = try TransportSpecification(parsing: place.transport)
        if adapters.contains(adapter) {
          problems.append(
            Diagnostic(at: location, "the adapter \(adapter) appears twice", expected: "every adapter once"))
        }
        adapters.append(adapter)
      } catch {
        problems.append(
          Diagnostic(
            at: location, "`\(place.transport)` is not a transport: \(error)",
            expected: "such as `usb:0`, `hci-socket:0` or `tcp-client:127.0.0.1:9001`"))
      }
    }
    return adapters
  }

  private static func checkTags(_ arguments: Arguments, _ problems: inout [Diagnostic]) {
    guard let place = arguments.location(of: tagsField) else { return }
    for tag in arguments[tagsField] where tag.split(separator: "=", omittingEmptySubsequences: false).count != 2 {
      problems.append(Diagnostic(at: place, "`\(tag)` is not a tag", expected: "`key=value`, such as `board=dictofun`"))
    }
  }

  private static func checkRecorders(
    _ recorders: [RecorderPlace], _ arguments: Arguments, _ problems: inout [Diagnostic]
  ) {
    guard let top = arguments.location(of: recordersField) ?? arguments.location(of: placeField) else { return }
    if recorders.isEmpty {
      problems.append(
        Diagnostic(at: top, "the bench has no recorder", expected: "a recorder's `address`, or a `phone`"))
    }
    var lines: [LineResource] = []
    for (index, recorder) in recorders.enumerated() {
      problems += recorder.problems(at: top)
      if recorders[..<index].contains(where: { $0.address == recorder.address }) {
        problems.append(
          Diagnostic(
            at: recorder.location ?? top, "the address \(recorder.address) appears twice",
            expected: "every recorder once"))
      }
      for (place, line) in recorder.lines {
        if lines.contains(line.identity) {
          problems.append(
            Diagnostic(
              at: place ?? top, "\(line.description) is already the line of another instrument",
              expected: "a line of its own for every instrument"))
        }
        lines.append(line.identity)
      }
    }
  }
}

/// `adapters: ["usb:0"]`
struct AdapterPlace: FieldGroupValue {
  static let transportField = Field<String>("transport", "How the controller is reached.")
  static let commentField = BenchFile.commentField
  static var group: FieldGroup { FieldGroup([transportField, commentField], shorthand: transportField) }

  let transport: String
  let location: SourceLocation?

  init(_ arguments: Arguments) {
    transport = arguments[Self.transportField]
    location = arguments.location(of: Self.transportField)
  }
}
