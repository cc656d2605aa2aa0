import Bytes
import Crypto
import DictofunProtocol
import HCI
import HostStack
import Phone
import Timeline
import Trace
import World

/// A record of the library whose words nobody has told yet.
package struct UntranscribedRecord: Hashable, Sendable {
  /// Its number in the library.
  package var number: RecordNumber
  /// Its name and content.
  package var entry: LibraryEntry

  package init(number: RecordNumber, entry: LibraryEntry) {
    self.number = number
    self.entry = entry
  }
}

/// Our phone on a controller outside this process, in real time: what the commands stand on that talk to a
/// recorder.
package actor PhoneDesk {
  /// The time of this desk.
  package nonisolated let loop: EventLoop
  private let world: BluetoothWorld
  private let phone: SimulatedPhone
  private let library: PhoneLibrary
  /// What can be done to the recorder by other ways than its radio; `nil` for nothing.
  private var device: (any DeviceControl)?
  private var handlers: [@Sendable (PhoneEvent) -> Void] = []
  /// What looks, after each event, whether a wait is over.
  private var awaited: (() -> Void)?

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// Stands a phone on a pipe. Keys and nonces come from the operating system, since the radio may be real; what `sinks`
  /// are shown is covered unless `isUncovered`.
  ///
  /// - Throws: ``LibraryFailure`` where the library cannot be opened; ``CryptoFailure`` where there is no entropy.
  package init(
    on pipe: sending any PacketPipe, loop: EventLoop, library location: LibraryLocation,
    isUncovered: Bool = false, sinks: sending [any TraceSink] = []
  ) throws {
    let library = try PhoneLibrary(location)
    var configuration = PhoneConfiguration(ownAddress: try Self.ownAddress(library), library: library)
    configuration.clockBase = MachineClock.localSecondsSince1970() - CivilTime.secondsTo2000
    configuration.security.secureConnections = true
    self.init(configuration, on: pipe, loop: loop, entropy: .operatingSystem, isUncovered: isUncovered, sinks: sinks)
  }

  /// Stands a phone on a pipe. Keys and nonces come from where the caller says, since the radio may be simulated.
  package init(
    _ configuration: sending PhoneConfiguration, on pipe: sending any PacketPipe, loop: EventLoop,
    entropy: EntropySource, isUncovered: Bool = false, sinks: sending [any TraceSink] = []
  ) {
    self.loop = loop
    library = configuration.library
    let trace = TraceRecorder()
    for sink in sinks { trace.add(sink) }
    world = BluetoothWorld(loop: loop, trace: trace, isUncovered: isUncovered)
    phone = SimulatedPhone("phone", index: 0, configuration, in: world, on: pipe, entropy: entropy)
  }

  /// Takes a recorder whose button, power and battery can be used while the phone talks to it.
  package func attach(_ make: (EventLoop, Waits) async throws -> any DeviceControl) async rethrows {
    device = try await make(loop, world.waits)
  }

  /// Does something to the recorder that was attached.
  ///
  /// - Throws: ``ControlFailure/lacking(_:)`` where nothing can do it.
  package func perform(_ deed: Deed) async throws(ControlFailure) {
    guard let device else { throw .lacking(deed.purpose.ability.capability) }
    switch deed {
    case .press: try await device.pressButton()
    case .release: try await device.releaseButton()
    case .powerOn: try await device.powerOn()
    case .cutPower: try await device.cutPower()
    case .setBattery(let millivolts): try await device.setBattery(millivolts: millivolts)
    case .setClock(let seconds): try await device.setClock(seconds)
    case .forgetBonds: try await device.forgetBonds()
    case .eraseRecords, .installFirmware: throw .lacking(deed.purpose.ability.capability)
    }
  }

  /// What is wrong with the controller; `nil` while it works.
  package var controllerTrouble: String? { world.controllerTrouble }

  /// Runs one operation of the phone to its end, or until `limit` has passed.
  package func perform(
    _ operation: PhoneOperation, within limit: Duration
  ) async throws(ControlFailure) -> Result<PhoneResult, PhoneFailure> {
    let waits = world.waits
    let deadline = loop.schedule(after: limit, .deadline) { waits.endAll(.deadline) }
    defer { loop.cancel(deadline) }
    return try await phone.perform(operation)
  }

  /// The records in the library, newest first.
  package func records() throws(ControlFailure) -> [LibraryEntry] { try phone.records() }

  /// Everything that the library knows of records, with or without content, and what is left of removed ones.
  package func knownRecords() throws(LibraryFailure) -> (records: [LibraryRecord], tombstones: [Tombstone]) {
    (try library.records(), try library.tombstones())
  }

  /// The records in the library that have no transcript yet, newest first.
  package func recordsWithoutTranscript() throws(LibraryFailure) -> [UntranscribedRecord] {
    var missing: [UntranscribedRecord] = []
    for record in try library.recordsWithoutTranscript() {
      guard let bytes = try library.content(of: record.number) else { continue }
      let entry = LibraryEntry(identifier: record.identifier.description, bytes: bytes)
      missing.append(UntranscribedRecord(number: record.number, entry: entry))
    }
    return missing
  }

  /// Keeps what is said in a record.
  package func keep(transcript: String, of number: RecordNumber) throws(LibraryFailure) {
    try library.keep(transcript: transcript, of: number)
  }

  /// Runs a program to its end, and returns how it ended.
  package func run(_ program: ExternalProgram) async throws(ControlFailure) -> ExternalProgram.Outcome {
    try await program.run(on: loop, world.waits)
  }

  /// The recorder that this phone is paired with.
  package func pairedRecorder() throws(LibraryFailure) -> BluetoothAddress? { try library.pairedRecorder()?.identity }

  /// How long the key is that this phone has in common with a recorder, in octets; `nil` where it has none.
  package func keySize(with recorder: BluetoothAddress) throws(LibraryFailure) -> UInt8? {
    let bond = try library.bonds().first { $0.identity == recorder }
    return (bond?.peerKey ?? bond?.localKey)?.keySize
  }

  /// What the phone's clock shows.
  package func localTime() throws(ControlFailure) -> LocalSeconds { try phone.readClock() }

  /// Lets time pass, in which the phone goes on, until `isDone` holds after one of its events.
  package func wait(_ limit: Duration, until isDone: @escaping @Sendable () -> Bool = { false }) async {
    guard !isDone() else { return }
    _ = await world.waits.value { (resume: @escaping (()) -> Void) in
      let end = loop.schedule(after: limit, .deadline) { resume(()) }
      awaited = { [loop] in
        guard isDone() else { return }
        loop.cancel(end)
        resume(())
      }
    }
    awaited = nil
  }

  /// Ends whatever is waited for, because the user wants no more of it.
  package func interrupt() { world.waits.endAll(.interrupted) }

  /// Lets one more see what the phone is doing; called for every event.
  package func onEvent(_ handler: @escaping @Sendable (PhoneEvent) -> Void) {
    handlers.append(handler)
    phone.onEvent = { [weak self] event in self?.assumeIsolated { $0.tell(event) } }
  }

  private func tell(_ event: PhoneEvent) {
    for handler in handlers { handler(event) }
    awaited?()
  }

  /// Ends the session: the trace is finished and the pipe closed.
  package func close() {
    _ = world.finish()
    phone.retire()
  }

  /// The phone's own static random address, made once and kept with its library.
  private static func ownAddress(_ library: PhoneLibrary) throws -> BluetoothAddress {
    if let address = try library.ownAddress() { return address }
    let octets = try OperatingSystemEntropy.bytes(6)
    let value = BluetoothAddress(littleEndian: octets, .random).value | 0xC000_0000_0000
    let address = BluetoothAddress(value, .random)
    try library.keep(ownAddress: address)
    return address
  }
}
