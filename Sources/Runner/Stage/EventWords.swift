import Bytes
import DictofunProtocol
import Requirements
import ScenarioLanguage
import Trace

/// Puts what happened into the words of scenarios.
///
/// Both ends of a link tell of it; scenarios hear the phone's end, and of the recorder what only a simulated world knows.
final class EventWords {
  private let phones: [String]
  private let devices: [String]
  private let parties: PartyNames
  /// The end of links that scenarios hear: the recorder's where the phone is somebody else's.
  private let viewpoint: TraceSource.Part
  private var removed: [RecordIdentifier] = []

  /// The names by which `given` calls phones and recorders, in the order of their numbers.
  init(
    phones: [String], devices: [(name: String, address: BluetoothAddress)],
    seenFrom viewpoint: TraceSource.Part = .phone
  ) {
    self.phones = phones
    self.devices = devices.map(\.name)
    parties = PartyNames(phones: phones, recorders: devices)
    self.viewpoint = viewpoint
  }

  /// Remembers what patterns may ask for later, such as which records were removed.
  func learn(_ event: ProductEvent) {
    if case .oracle(.recordDeleted(_, let identifier, _)) = event.happening { removed.append(identifier) }
  }

  /// Whether a pattern means an event.
  func match(_ event: ProductEvent, _ pattern: EventPattern) -> Bool {
    let name = pattern.declaration.name
    let heard = HeardEvent(event: event, viewpoint: viewpoint, removed: removed)
    guard let findings = Observations.named(name)?.findings(heard), pattern.matches(name, findings) else {
      return false
    }
    return pattern.subject.map { subjects(event).contains($0) } ?? true
  }

  /// An event that one of the patterns means, as scenarios would write it, with its instant.
  func sentence(_ event: ProductEvent, of patterns: [EventPattern]) -> String {
    guard let pattern = patterns.first(where: { match(event, $0) }) else { return "" }
    let heard = HeardEvent(event: event, viewpoint: viewpoint, removed: removed)
    let fields = Observations.named(pattern.declaration.name)?.findings(heard)?.plainText ?? "{}"
    return pattern.declaration.name + (fields == "{}" ? "" : " \(fields)") + " at \(event.instant) s"
  }

  // MARK: Who took part

  private func subjects(_ event: ProductEvent) -> [String] {
    if case .oracle(let oracle) = event.happening { return names(oracle.party) }
    var subjects =
      event.source.isHost
      ? names(event.source.part == .phone ? .phone(event.source.index) : .recorder(event.source.index)) : []
    if viewpoint == .recorder { subjects += phones }
    if let number = event.peer.flatMap(parties.number) { subjects.append(devices[number]) }
    return subjects
  }

  private func names(_ party: OracleEvent.Party) -> [String] {
    switch party {
    case .phone(let index): phones.indices.contains(Int(index)) ? [phones[Int(index)]] : []
    case .recorder(let index): devices.indices.contains(Int(index)) ? [devices[Int(index)]] : []
    case .air: []
    }
  }
}
