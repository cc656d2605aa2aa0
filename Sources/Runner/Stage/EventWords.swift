import Bytes
import DictofunProtocol
import Requirements
import ScenarioLanguage
import SecureDFU
import Trace

/// Puts what happened into the words of scenarios.
///
/// Both ends of a link tell of it; scenarios hear the phone's end, and of the recorder what only a simulated world knows.
final class EventWords {
  private let phones: [String]
  private let devices: [(name: String, address: BluetoothAddress)]
  /// The end of links that scenarios hear: the recorder's where the phone is somebody else's.
  private let viewpoint: TraceSource.Part
  private var removed: [RecordIdentifier] = []

  /// The names by which `given` calls phones and recorders, in the order of their numbers.
  init(
    phones: [String], devices: [(name: String, address: BluetoothAddress)],
    seenFrom viewpoint: TraceSource.Part = .phone
  ) {
    self.phones = phones
    self.devices = devices
    self.viewpoint = viewpoint
  }

  /// Remembers what patterns may ask for later, such as which records were removed.
  func learn(_ event: ProductEvent) {
    if case .oracle(.recordDeleted(_, let identifier, _)) = event.happening { removed.append(identifier) }
  }

  /// Whether a pattern means an event.
  func match(_ event: ProductEvent, _ pattern: EventPattern) -> Bool {
    guard let (name, findings) = word(event), pattern.matches(name, findings) else { return false }
    return pattern.subject.map { subjects(event).contains($0) } ?? true
  }

  // MARK: Who took part

  private func subjects(_ event: ProductEvent) -> [String] {
    if case .oracle(let oracle) = event.happening { return names(oracle.party) }
    var subjects =
      event.source.isHost
      ? names(event.source.part == .phone ? .phone(event.source.index) : .recorder(event.source.index)) : []
    if viewpoint == .recorder { subjects += phones }
    if let peer = event.peer, let device = device(peer) { subjects.append(device) }
    return subjects
  }

  /// The recorder behind an address: its application's, or else its bootloader's.
  private func device(_ address: BluetoothAddress) -> String? {
    let match =
      devices.first { $0.address == address }
      ?? devices.first { device in
        Bootloader.address(ofApplication: device.address.littleEndian) == address.littleEndian
          && device.address.kind == address.kind
      }
    return match?.name
  }

  private func names(_ party: OracleEvent.Party) -> [String] {
    switch party {
    case .phone(let index): phones.indices.contains(Int(index)) ? [phones[Int(index)]] : []
    case .recorder(let index): devices.indices.contains(Int(index)) ? [devices[Int(index)].name] : []
    }
  }

  // MARK: What happened

  private func word(_ event: ProductEvent) -> (String, Findings)? {
    if case .oracle(let oracle) = event.happening { return word(oracle) }
    var findings = Findings()
    if event.source.part == .recorder, case .advertisingStarted = event.happening { return ("advertising", findings) }
    guard event.source.part == viewpoint else { return nil }
    switch event.happening {
    case .linkUp:
      findings.set(Observations.linkState, .up)
      return ("link", findings)
    case .linkDown(let reason):
      findings.set(Observations.linkState, .down)
      findings.set(Observations.reason, Int(reason.rawValue))
      return ("link", findings)
    case .encrypted: return ("secured", findings)
    case .pairingStarted: return ("paired", findings)
    case .batteryRead(let level), .batteryNotified(let level):
      findings.set(Observations.level, Share(percent: Int(level)))
      return ("battery", findings)
    case .timeServed:
      findings.set(Observations.timeAnswer, .served)
      return ("time", findings)
    case .timeRefused:
      findings.set(Observations.timeAnswer, .refused)
      return ("time", findings)
    case .fileTransfer(let happening): return word(happening)
    case .firmwareUpdate(let happening): return word(happening)
    default: return nil
    }
  }

  private func word(_ happening: FileTransferHappening) -> (String, Findings)? {
    var findings = Findings()
    switch happening {
    case .requested(let request):
      findings.set(Observations.opcode, Observations.Opcode(request))
      if let identifier = request.identifier, let name = RecordName(identifier.description) {
        let word: [Value] = removed.contains(identifier) ? [.word("deleted")] : []
        findings.set(Observations.file, anyOf: [.record(name)] + word)
      }
      return ("fts.request", findings)
    case .data(_, _, let received, _):
      findings.set(Observations.octets, ByteCount(bytes: Int(received)))
      return ("fts.data", findings)
    case .status(let status):
      findings.set(Observations.status, Int(status.encoded.first ?? 0))
      return ("fts.status", findings)
    default: return nil
    }
  }

  private func word(_ event: OracleEvent) -> (String, Findings)? {
    var findings = Findings()
    switch event {
    case .recordBegun:
      findings.set(Observations.stage, .begun)
      return ("device.record", findings)
    case .recordFinished(_, _, let octets):
      findings.set(Observations.stage, .finished)
      findings.set(Observations.octets, ByteCount(bytes: Int(octets)))
      return ("device.record", findings)
    case .recorderPowered(_, let isOn):
      findings.set(Observations.power, isOn ? .on : .off)
      return ("device.power", findings)
    case .recorderState(_, let name):
      findings.set(Observations.state, name)
      return ("device.state", findings)
    case .progressShown(_, _, let received, let total):
      findings.set(Observations.percent, Share(percent: total == 0 ? 100 : Int(UInt64(received) * 100 / UInt64(total))))
      return ("phone.progress", findings)
    case .lowBatteryShown(_, let level):
      findings.set(Observations.level, Share(percent: Int(level)))
      return ("phone.low-battery", findings)
    case .recordStored(_, _, let octets):
      findings.set(Observations.octets, ByteCount(bytes: Int(octets)))
      return ("phone.stored", findings)
    case .update(let update): return word(update)
    case .statusShown(_, let status):
      guard let shown = Observations.Status(rawValue: status.rawValue) else { return nil }
      findings.set(Observations.shown, shown)
      return ("phone.status", findings)
    default: return nil
    }
  }
}

extension Observations.Opcode {
  init(_ request: ControlPointRequest) {
    switch request {
    case .listFiles: self = .filesList
    case .fileInformation: self = .fileInfo
    case .fileData: self = .fileData
    case .fileSystemStatus: self = .fileSystemStatus
    case .receiveComplete: self = .receiveComplete
    case .unaccepted: self = .other
    }
  }
}

extension ControlPointRequest {
  /// The record that is asked for, where one is.
  fileprivate var identifier: RecordIdentifier? {
    switch self {
    case .fileInformation(let identifier), .fileData(let identifier): identifier
    case .listFiles, .fileSystemStatus, .receiveComplete, .unaccepted: nil
    }
  }
}
