import Bytes
import DictofunProtocol
import Phone
import Requirements
import Text

/// Another vendor's phone application, which meets our recorders. A driver makes it act; the result is read from the
/// packets at our recorders' hosts, unless the driver says what the application shows.
package final class ApplicationPhone: PhoneControl {
  package let name: String

  private let driver: any ApplicationDriver
  private let world: BluetoothWorld
  /// The machine's civil local time, which the phone is assumed to show until its clock is set.
  private let machineClock: () -> LocalSeconds
  private var clockOffset: LocalSeconds = 0
  private var seen = Sight()
  private var sizes: [(identifier: RecordIdentifier, octets: UInt32)] = []
  private var fetched: [RecordIdentifier] = []

  /// What our recorders' hosts have seen since an action began.
  private struct Sight {
    var listed: [RecordIdentifier]?
    var downloaded = 0
    var octets = 0
    var battery: UInt8?
    var size: UInt32?
    var status: FileSystemStatus?
  }

  /// How many sizes are remembered; older ones are forgotten.
  private static let memory = 4_096

  /// A phone in a world whose events are given to ``observe(_:)``.
  package init(
    _ name: String, by driver: any ApplicationDriver, in world: BluetoothWorld,
    machineClock: @escaping () -> LocalSeconds
  ) {
    self.name = name
    self.driver = driver
    self.world = world
    self.machineClock = machineClock
  }

  /// Takes what happened at a recorder's host.
  package func observe(_ event: ProductEvent) {
    guard event.source.part == .recorder else { return }
    switch event.happening {
    case .batteryRead(let level), .batteryNotified(let level): seen.battery = level
    case .fileTransfer(.listed(let identifiers)): seen.listed = identifiers
    case .fileTransfer(.fileSystemStatus(let status)): seen.status = status
    case .fileTransfer(.informed(let identifier?, let octets)):
      seen.size = octets
      sizes.removeAll { $0.identifier == identifier }
      if sizes.count == Self.memory { sizes.removeFirst() }
      sizes.append((identifier, octets))
    case .fileTransfer(.completed(let identifier, let octets)):
      seen.downloaded += 1
      seen.octets += Int(octets)
      guard let identifier, !fetched.contains(identifier) else { return }
      if fetched.count == Self.memory { fetched.removeFirst() }
      fetched.append(identifier)
    default: break
    }
  }

  // MARK: Operations

  package func perform(
    _ operation: PhoneOperation
  ) async throws(ControlFailure) -> Result<PhoneResult, PhoneFailure> {
    let (action, parameters) = try Self.action(operation)
    switch try await run(action, parameters) {
    case .failed(let word, let text): return .failure(.stated(word: word, text: text))
    case .done(let view): return result(of: operation, view)
    }
  }

  private func run(
    _ action: ApplicationAction, _ parameters: ApplicationParameters = ApplicationParameters()
  ) async throws(ControlFailure) -> ApplicationAnswer {
    seen = Sight()
    return try await driver.perform(action, parameters)
  }

  /// What the person or program that holds the phone is asked to do for an operation.
  private static func action(
    _ operation: PhoneOperation
  ) throws(ControlFailure) -> (ApplicationAction, ApplicationParameters) {
    switch operation {
    case .scan: throw .lacking("phone.scan")
    case .connect(let choice): return (.connect, ApplicationParameters(recorder: choice.address))
    case .pair: return (.pair, ApplicationParameters())
    case .unpair: return (.unpair, ApplicationParameters())
    case .disconnect: return (.disconnect, ApplicationParameters())
    case .list: return (.list, ApplicationParameters())
    case .inform(let selection): return (.inform, ApplicationParameters(record: selection.word))
    case .download(let selection): return (.download, ApplicationParameters(record: selection.word))
    case .fileSystemStatus: return (.fileSystem, ApplicationParameters())
    case .readBattery: return (.readBattery, ApplicationParameters())
    case .sync(let choice, let finishes):
      var parameters = ApplicationParameters(recorder: choice.address)
      parameters.finishes = finishes
      return (.sync, parameters)
    case .delete(let selection): return (.delete, ApplicationParameters(record: selection.word))
    case .listen: throw .lacking("phone.listen")
    case .writeControlPoint, .connectPlainly, .connectUnsecured, .connectNarrowly, .attribute:
      throw .lacking("phone.write-control-point")
    case .update, .lookForFirmware, .answerOffer, .reportVersions, .enterBootloader, .askApplication,
      .connectBootloader, .askBootloader, .sendToBootloader:
      throw .lacking("phone.update")
    }
  }

  private func result(of operation: PhoneOperation, _ view: ApplicationView) -> Result<PhoneResult, PhoneFailure> {
    switch operation {
    case .list: return seen.listed.map { .success(.records($0.map(\.description))) } ?? unseen("list")
    case .inform: return seen.size.map { .success(.size($0)) } ?? unseen("size")
    case .fileSystemStatus:
      return seen.status.map {
        .success(.fileSystem(free: $0.freeBytes, occupied: $0.occupiedBytes, count: $0.fileCount))
      } ?? unseen("file system status")
    case .readBattery:
      guard let level = view.battery.map({ UInt8(clamping: $0) }) ?? seen.battery else {
        return unseen("battery level")
      }
      return .success(.battery(level))
    case .sync:
      var summary = SyncSummary()
      summary.listed = view.listed ?? seen.listed?.count ?? 0
      summary.downloaded = view.downloaded ?? seen.downloaded
      summary.octets = seen.octets
      summary.battery = view.battery.map { UInt8(clamping: $0) } ?? seen.battery
      return .success(.synced(summary))
    case .delete(let selection):
      if let identifier = removed(selection, view), let size = sizes.last(where: { $0.identifier == identifier }) {
        world.state(.recordDeleted(phone: 0, identifier, octets: size.octets))
      }
      return .success(.done)
    case .unpair:
      world.state(.bondForgotten(phone: 0))
      return .success(.done)
    default: return .success(.done)
    }
  }

  private func unseen(_ answer: String) -> Result<PhoneResult, PhoneFailure> {
    let text = "the application reported success, but our recorder sent no \(answer)"
    return .failure(.stated(word: "no-answer", text: text))
  }

  /// The record that was removed: the one that the application names, else the one that the selection names.
  private func removed(_ selection: RecordSelection, _ view: ApplicationView) -> RecordIdentifier? {
    if let name = view.records?.first?.identifier { return RecordIdentifier(name) }
    let identifier: RecordIdentifier?
    switch selection {
    case .newest: identifier = fetched.max { $0.description < $1.description }
    case .oldest: identifier = fetched.min { $0.description < $1.description }
    case .identifier(let digits): identifier = RecordIdentifier(digits)
    }
    fetched.removeAll { $0 == identifier }
    return identifier
  }

  // MARK: The rest

  /// Makes the application forget every recorder and every record.
  package func reset() async throws(ControlFailure) { try await require(.reset) }

  package func restart() async throws(ControlFailure) { try await require(.restart) }

  package func setForeground(_ isForeground: Bool) async throws(ControlFailure) {
    var parameters = ApplicationParameters()
    parameters.place = isForeground ? "foreground" : "background"
    try await require(.show, parameters)
  }

  package func setClock(_ seconds: LocalSeconds) async throws(ControlFailure) {
    try await require(.setClock, ApplicationParameters(seconds: seconds + CivilTime.secondsTo2000))
    clockOffset = seconds - machineClock()
  }

  package func publish(_ offer: FirmwareOffer) throws(ControlFailure) { throw .lacking("phone.publish") }

  package func begin(_ operation: PhoneOperation) throws(ControlFailure) { throw .lacking("phone.begin") }

  package func readClock() -> LocalSeconds { machineClock() + clockOffset }

  package func records() async throws(ControlFailure) -> [LibraryEntry] {
    guard case .done(let view) = try await run(.library), let records = view.records else {
      throw .bench("the application did not report its library", advice: "make its hook answer with `records`")
    }
    return records
  }

  package func shownRecords() throws(ControlFailure) -> [ShownRecord] { throw .lacking("phone.entry") }

  package func connectionHistory() throws(ControlFailure) -> [ConnectionStatusEntry] { throw .lacking("phone.history") }

  package func answer(_ question: String) async throws(ControlFailure) -> SpokenAnswer {
    var parameters = ApplicationParameters()
    parameters.question = question
    guard case .done(let view) = try await run(.ask, parameters), let answer = view.answer else {
      throw .bench(
        "the question was not answered", advice: "make the hook answer with `answer: true` or `answer: false`")
    }
    return answer
  }

  private func require(
    _ action: ApplicationAction, _ parameters: ApplicationParameters = ApplicationParameters()
  ) async throws(ControlFailure) {
    guard case .failed(let word, let text) = try await run(action, parameters) else { return }
    throw .bench("the application could not do \(action.rawValue): \(PlainText.escaped("\(word) \(text)", limit: 120))")
  }
}

extension RecorderChoice {
  fileprivate var address: BluetoothAddress? { if case .address(let address) = self { address } else { nil } }
}

extension RecordSelection {
  fileprivate var word: String {
    switch self {
    case .newest: "newest"
    case .oldest: "oldest"
    case .identifier(let digits): digits
    }
  }
}
