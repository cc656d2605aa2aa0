import Bytes
import HostStack
import Phone
import Recorder
import Requirements
import Synchronization
import Timeline
import Trace

/// An earlier life of a recorder whose program keeps its bonds itself: phones paired with it, one after the other.
///
/// It is played in a world of its own, and leaves what outlives a recorder's power. That depends on the program, the addresses
/// and the phones' identity resolving keys alone, so one rehearsal serves every scenario that begins with the same bonds.
package struct Rehearsal: Hashable, Sendable {
  /// The recorder's address.
  package var recorder: BluetoothAddress
  /// The phones, in the order in which they paired.
  package var phones: [Phone]

  /// What a phone tells the recorder of itself when it pairs.
  package struct Phone: Hashable, Sendable {
    /// Its identity address.
    package var address: BluetoothAddress
    /// The key of its private addresses, 16 octets, least significant first; `nil` where it uses its identity address.
    package var resolvingKey: [UInt8]?

    /// A phone as it is configured.
    package init(_ configuration: PhoneConfiguration) {
      address = configuration.ownAddress
      resolvingKey = configuration.resolvingKey
    }
  }

  /// What an earlier life left.
  package struct Outcome: Sendable {
    /// Everything in the recorder's chip.
    package var chipFlash: [UInt8]
    /// The bond of each phone, as the phone keeps it.
    package var bonds: [Bond]
  }

  /// An earlier life that came to nothing.
  package struct Failure: Error {
    /// What ended it, such as ``PhoneFailure`` or ``ControlFailure``.
    package let cause: any Error
    /// What the recorder's chip says of the reason, a sentence each.
    package private(set) var reasons: [String] = []
    /// What the recorder's program did wrong meanwhile, and what it used that is not modelled.
    package private(set) var told: [ExecutionOracle] = []

    /// Whether the run was interrupted meanwhile, which says nothing about the program.
    package var wasInterrupted: Bool {
      if case .ended(.interrupted)? = cause as? ControlFailure { true } else { false }
    }

    fileprivate init(_ error: any Error, _ executed: [ExecutionOracle]) {
      cause = error
      for execution in executed {
        switch execution {
        case .defect(let recorder, let defect, let text):
          reasons.append(text)
          told.append(.defect(recorder: recorder, defect, "before the scenario, when it was to pair: \(text)"))
        case .notModelled(_, let text):
          reasons.append(text)
          told.append(execution)
        case .began, .switchedOff, .console: break
        }
      }
    }
  }

  /// Time after the last link in which the recorder finishes what it writes.
  private static let rest = Duration.seconds(3)
  /// Time after a failure in which the chip may still tell why: a program counts as stuck after 10 s in circles.
  private static let aftermath = Duration.seconds(11)
  /// An earlier life that takes longer came to nothing.
  package static let limit = Duration.seconds(120)

  /// Phones that paired with a recorder.
  package init(_ recorder: BluetoothAddress, pairedWith phones: [Phone]) {
    self.recorder = recorder
    self.phones = phones
  }

  /// Plays it with a program on the recorder's chip, until `interruption` is requested.
  ///
  /// - Throws: ``Failure``, with the reason why no bond came about.
  package func play(_ program: RecorderProgram, _ interruption: RunInterruption) throws(Failure) -> Outcome {
    let loop = EventLoop(driver: .virtual, seed: Seed.derive(0, ["rehearsal"]))
    defer { loop.discardEvents() }
    let world = BluetoothWorld(loop: loop, trace: TraceRecorder())
    let waits = world.waits
    loop.onStarvation = {
      if waits.isEmpty { return false }
      waits.endAll(.starved)
      return true
    }
    loop.schedule(after: Self.limit, .deadline) { waits.timeOut() }
    var executed: [ExecutionOracle] = []
    world.onEvent = { if case .oracle(.execution(let execution)) = $0.happening { executed.append(execution) } }
    let medium = SimulatedMedium(loop: loop)
    nonisolated(unsafe) let device = SimulatedDevice(
      "recorder", index: 0, RecorderConfiguration(address: recorder), in: world,
      on: medium.attach("recorder", .recorder), running: program
    ) { nil }
    defer { device.retire() }
    do {
      try device.powerOn()
      var bonds: [Bond] = []
      for (index, known) in phones.enumerated() {
        let library = try PhoneLibrary()
        var configuration = PhoneConfiguration(ownAddress: known.address, library: library)
        configuration.resolvingKey = known.resolvingKey
        configuration.security.secureConnections = true
        nonisolated(unsafe) let phone = SimulatedPhone(
          "phone \(index)", index: UInt16(index), configuration, in: world, on: medium.attach("phone \(index)", .phone))
        defer { phone.retire() }
        let recorder = recorder
        do {
          try loop.run(afterEvery: 1, { if !waits.isInterrupted, interruption.isRequested { waits.interrupt() } }) {
            for operation in [PhoneOperation.connect(.address(recorder)), .pair, .disconnect] {
              _ = try await phone.perform(operation).get()
            }
          }
        } catch {
          if !executed.contains(where: \.isDefect) {
            loop.runEvents(until: loop.now.advanced(by: Self.aftermath)) { interruption.isRequested }
          }
          throw error
        }
        loop.runEvents(until: loop.now.advanced(by: Self.rest)) { interruption.isRequested }
        if interruption.isRequested { throw ControlFailure.ended(.interrupted) }
        bonds += try library.bonds().filter { $0.identity == recorder }
      }
      guard let chipFlash = device.chipFlash, bonds.count == phones.count else {
        throw ControlFailure.lacking("a bond: the recorder's program keeps none")
      }
      return Outcome(chipFlash: chipFlash, bonds: bonds)
    } catch {
      throw Failure(interruption.isRequested ? ControlFailure.ended(.interrupted) : error, executed)
    }
  }
}

extension ExecutionOracle {
  fileprivate var isDefect: Bool { if case .defect = self { true } else { false } }
}

/// Rehearsals that were played, each once, for all scenarios of a run.
package final class RehearsalStore: Sendable {
  private let outcomes = Mutex([Rehearsal: Result<Rehearsal.Outcome, Rehearsal.Failure>]())

  /// Nothing was played yet.
  package init() {}

  /// What a rehearsal with this program left; every call of one store has to be for the same program. One that
  /// `interruption` ended is not kept.
  ///
  /// - Throws: what ``Rehearsal/play(_:_:)`` throws.
  package func outcome(
    of rehearsal: Rehearsal, _ program: RecorderProgram, until interruption: RunInterruption
  ) throws(Rehearsal.Failure) -> Rehearsal.Outcome {
    if let known = outcomes.withLock({ $0[rehearsal] }) { return try known.get() }
    // Two that play the same at once come to the same.
    let outcome = Result { () throws(Rehearsal.Failure) in try rehearsal.play(program, interruption) }
    if case .failure(let failure) = outcome, failure.wasInterrupted { throw failure }
    outcomes.withLock { $0[rehearsal] = outcome }
    return try outcome.get()
  }
}
