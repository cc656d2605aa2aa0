import DictofunProtocol
import Requirements
import ScenarioLanguage
import Trace

/// Something that scenarios can wait for or forbid: what the language knows of it, and how it is recognised.
struct ObservableEvent: Sendable {
  /// Name and fields.
  let declaration: ObservationDeclaration
  /// Returns what is true of an event of this kind; `nil` for any other event.
  let findings: @Sendable (HeardEvent) -> Findings?

  init(_ declaration: ObservationDeclaration, _ findings: @escaping @Sendable (HeardEvent) -> Findings?) {
    self.declaration = declaration
    self.findings = findings
  }
}

/// An event of a run, and from where a scenario hears it.
struct HeardEvent {
  let event: ProductEvent
  /// The end of links that scenarios hear: the recorder's where the phone is somebody else's.
  let viewpoint: TraceSource.Part
  /// Records that were removed so far.
  let removed: [RecordIdentifier]

  /// The event, if it happened at the end of the link that scenarios observe; else `nil`.
  var happening: Happening? { event.source.part == viewpoint ? event.happening : nil }

  /// An event that only a simulated world or our own phone reports; else `nil`.
  var oracle: OracleEvent? { if case .oracle(let oracle) = event.happening { oracle } else { nil } }

  /// An event of the file transfer service; else `nil`.
  var transfer: FileTransferHappening? {
    if case .fileTransfer(let transfer)? = happening { transfer } else { nil }
  }

  /// An event of an update service; else `nil`.
  var firmwareUpdate: FirmwareUpdateHappening? {
    if case .firmwareUpdate(let update)? = happening { update } else { nil }
  }

  /// An event of an update that only a simulated world reports; else `nil`.
  var update: UpdateOracle? { if case .update(let update)? = oracle { update } else { nil } }
}

extension Findings {
  /// Nothing but that it happened.
  static var happened: Findings { Findings() }

  /// One value under the field that declares it.
  static func one<Content: FieldValue>(_ field: Field<Content>, _ content: Content) -> Findings {
    Findings().with(field, content)
  }

  /// The same with one more value.
  func with<Content: FieldValue>(_ field: Field<Content>, _ content: Content?) -> Findings {
    guard let content else { return self }
    var findings = self
    findings.set(field, content)
    return findings
  }

  /// The same with a field for which several values are true.
  func with<Content: FieldValue>(_ field: Field<Content>, anyOf values: [Value]) -> Findings {
    var findings = self
    findings.set(field, anyOf: values)
    return findings
  }
}
