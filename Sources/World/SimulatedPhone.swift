import Bytes
import DictofunProtocol
import HCI
import HostStack
import Phone
import Requirements
import SecureDFU
import Timeline
import Trace

extension PhoneCentral: StationMachine {}

/// Our phone in a world, on a virtual controller or a real one, with the controls that steps use.
public final class SimulatedPhone: PhoneControl {
  public let name: String
  /// Its number in traces and events.
  public let index: UInt16
  /// Sees every event of the phone.
  public var onEvent: ((PhoneEvent) -> Void)?

  private let world: BluetoothWorld
  private let station: Station<PhoneCentral>
  private let transcriber: (any Transcriber)?
  private struct RunningOperation {
    let token: OperationToken
    let operation: PhoneOperation
    let resume: (Result<PhoneResult, PhoneFailure>) -> Void
  }

  private var running: [RunningOperation] = []
  private var starting: [() -> Void] = []
  private var lastToken: UInt32 = 0

  /// Attaches a phone to a pipe and starts it.
  public init(
    _ name: String, index: UInt16, _ configuration: PhoneConfiguration, in world: BluetoothWorld,
    on pipe: any PacketPipe,
    entropy: EntropySource = .seed, transcriber: (any Transcriber)? = nil
  ) {
    self.name = name
    self.transcriber = transcriber
    var configuration = configuration
    if transcriber != nil { configuration.transcribes = true }
    self.index = index
    self.world = world
    station = world.stand(
      PhoneCentral(configuration), named: name, as: .phone(index), on: pipe, entropy: entropy)
    station.onEvent = { [weak self] event in self?.take(event) }
    world.phoneClocks[index] = { [station, loop = world.loop] in station.machine.localTime(at: loop.now) }
    station.request(.start)
  }

  /// Takes the phone out of the world.
  public func retire() { station.retire() }

  public func perform(
    _ operation: PhoneOperation
  ) async throws(ControlFailure) -> Result<PhoneResult, PhoneFailure> {
    lastToken += 1
    let token = OperationToken(lastToken)
    let outcome: Result<Result<PhoneResult, PhoneFailure>, WaitEnd> = await world.waits.value { resume in
      running.append(RunningOperation(token: token, operation: operation, resume: resume))
      station.request(.perform(token, operation))
    }
    switch outcome {
    case .success(let result): return result
    case .failure(let end): throw .ended(end)
    }
  }

  public func begin(_ operation: PhoneOperation) throws(ControlFailure) {
    lastToken += 1
    station.request(.perform(OperationToken(lastToken), operation))
  }

  public func restart() async throws(ControlFailure) {
    let outcome: Result<Void, WaitEnd> = await world.waits.value { resume in
      starting.append { resume(()) }
      station.request(.restart)
    }
    if case .failure(let end) = outcome { throw .ended(end) }
  }

  public func setForeground(_ isForeground: Bool) throws(ControlFailure) {
    station.request(.setForeground(isForeground))
  }

  /// Whether it connects and fetches by itself from now on.
  public func setAutomatic(_ isAutomatic: Bool) { station.request(.setAutomatic(isAutomatic)) }

  public func setClock(_ seconds: LocalSeconds) throws(ControlFailure) { station.request(.setClock(seconds)) }

  public func readClock() throws(ControlFailure) -> LocalSeconds { station.machine.localTime(at: world.loop.now) }

  public func records() throws(ControlFailure) -> [LibraryEntry] {
    let library = station.machine.library
    do {
      var entries: [LibraryEntry] = []
      for record in try library.records() where record.isComplete {
        guard let bytes = try library.content(of: record.number) else { continue }
        entries.append(LibraryEntry(identifier: record.identifier.description, bytes: bytes))
      }
      return entries
    } catch {
      throw .impossible("cannot read the library: \(error)")
    }
  }

  public func shownRecords() throws(ControlFailure) -> [ShownRecord] {
    do throws(LibraryFailure) { return try station.machine.shownRecords() } catch {
      throw .impossible("cannot read the library: \(error)")
    }
  }

  public func connectionHistory() throws(ControlFailure) -> [ConnectionStatusEntry] {
    do throws(LibraryFailure) { return try station.machine.library.connectionHistory() } catch {
      throw .impossible("cannot read the library: \(error)")
    }
  }

  /// States that what follows is not the phone's own doing: a scenario says what it writes, or a bench looks through it at a
  /// recorder.
  package func lookThrough() { world.state(.update(.improvised(phone: index))) }

  /// The keys that it has in common with a recorder; `nil` where it has none.
  package func bond(with recorder: BluetoothAddress) throws(ControlFailure) -> Bond? {
    do throws(LibraryFailure) { return try station.machine.library.bonds().first { $0.identity == recorder } } catch {
      throw .impossible("cannot read the library: \(error)")
    }
  }

  /// Gives it keys that it had before, to see whether the recorder still knows them; takes them away again for `nil`.
  package func lend(_ bond: Bond?) async throws(ControlFailure) {
    let time = WallTime(CivilTime(secondsSince2000: try readClock()))
    do throws(LibraryFailure) {
      if let bond {
        try station.machine.library.pair(bond, at: time)
      } else {
        try station.machine.library.unpair(at: time)
      }
    } catch { throw .impossible("cannot write the library: \(error)") }
    try await restart()
  }

  private func take(_ event: PhoneEvent) {
    switch event {
    case .started:
      let waiting = starting
      starting.removeAll()
      for resume in waiting { resume() }
    case .operationBegan(let operation): if operation.isImprovised { lookThrough() }
    case .operationEnded(let token, let result):
      if let position = running.firstIndex(where: { $0.token == token }) {
        let ended = running.remove(at: position)
        if ended.operation == .unpair, case .success = result { world.state(.bondForgotten(phone: index)) }
        ended.resume(result)
      }
    case .recordDeleted(let identifier, let octets):
      if let identifier = RecordIdentifier(identifier) {
        world.state(.recordDeleted(phone: index, identifier, octets: octets))
      }
    case .progress(let identifier, let received, let total):
      if let identifier = RecordIdentifier(identifier) {
        world.state(.progressShown(phone: index, identifier, received: received, total: total))
      }
    case .recordStored(let identifier, let octets):
      if let identifier = RecordIdentifier(identifier) {
        world.state(.recordStored(phone: index, identifier, octets: octets))
      }
    case .newRecords(let count): world.state(.newRecordsShown(phone: index, count: UInt32(clamping: count)))
    case .transcriptWanted(let number, let octets):
      if let text = transcriber?.transcript(of: RecordAudio.samples(of: octets)) {
        station.request(.transcribed(number, text))
      }
    case .connectionStatus(let status): world.state(.statusShown(phone: index, status.word))
    case .batteryLow(let level): world.state(.lowBatteryShown(phone: index, percent: level))
    case .updateBegan, .update, .updateEnded, .firmwareOffered, .firmwareAnswered, .versionsShown:
      if let update = UpdateOracle(event, phone: index, isUserLeaving) { world.state(.update(update)) }
    case .failed(let failure): world.controllerFailed("the phone's controller failed: \(failure)")
    case .battery, .valueReceived, .timeServed, .timeRefused, .protocolTrouble, .libraryTrouble: break
    }
    onEvent?(event)
  }

  /// Whether its user just ends the application or the connection, which ends an update too.
  private var isUserLeaving: Bool { !starting.isEmpty || running.contains { $0.operation == .disconnect } }

  /// Always fails: a simulated phone has no screen that a person could look at.
  public func answer(_ question: String) throws(ControlFailure) -> SpokenAnswer {
    throw .lacking(ApplicationAction.ask.capability)
  }

  /// The release feed offers one more firmware.
  public func publish(_ offer: FirmwareOffer) throws(ControlFailure) { station.request(.publish(offer)) }
}

extension PhoneOperation {
  /// Whether a scenario chose octets that it writes into an update.
  fileprivate var isImprovised: Bool {
    switch self {
    case .askApplication, .askBootloader, .sendToBootloader, .connectBootloader(_, subscribes: false),
      .writeControlPoint, .attribute(.write), .attribute(.writeWithoutResponse):
      true
    default: false
    }
  }
}

extension UpdateOracle {
  /// What a phone's event says about firmware; `nil` where it says nothing.
  fileprivate init?(_ event: PhoneEvent, phone: UInt16, _ isUserLeaving: Bool) {
    switch event {
    case .updateBegan(let version, let isAsked): self = .begun(phone: phone, version: version, isAsked: isAsked)
    case .update(let state): self = .shown(phone: phone, state)
    case .updateEnded(let installed): self = .ended(phone: phone, installed, byUser: isUserLeaving)
    case .firmwareOffered(let offer): self = .offered(phone: phone, version: offer.version)
    case .firmwareAnswered(let version, let accepted):
      self = .answered(phone: phone, version: version, accepted: accepted)
    case .versionsShown(let report): self = .versionShown(phone: phone, application: report.applicationVersion)
    default: return nil
    }
  }
}

extension PhoneConnectionStatus {
  /// The status without its details.
  fileprivate var word: OracleEvent.ShownStatus {
    switch self {
    case .disconnected: .disconnected
    case .searching: .searching
    case .connecting: .connecting
    case .connected: .connected
    case .secured: .secured
    }
  }
}
