import Timeline
import World

/// Whether an instrument is there and is the one that the bench file states. Nothing is set, pressed, reset or halted.
struct InstrumentCheck: BenchCheck {
  let name: String
  private let instrument: InstrumentLook
  private let place: RecorderPlace

  private init(_ instrument: InstrumentLook, of place: RecorderPlace) {
    name = "\(instrument.kind) of \(place.address)"
    self.instrument = instrument
    self.place = place
  }

  /// The instruments of a recorder.
  static func all(of place: RecorderPlace) -> [any BenchCheck] {
    place.actuators.compactMap { $0.look.map { InstrumentCheck($0, of: place) } }
  }

  func look(_ examination: inout Examination) -> Finding? {
    let loop = EventLoop(driver: .wall)
    let desk = InstrumentDesk(loop)
    do {
      let traits = try loop.run { [instrument, name, address = place.address] in
        try await desk.perform { loop, waits async throws(ControlFailure) in
          try await instrument.look(name, address, loop, waits)
        }
      }
      return .ready(traits.isEmpty ? "answers" : traits.map(\.value).joined(separator: ", "), traits: traits)
    } catch ControlFailure.bench(let fault) {
      return excuse(fault, examination) ?? .failed(fault)
    } catch { return .failed(BenchFault("\(error)")) }
  }

  /// A recorder that is off says nothing, and its chip cannot be reached, which is not the instrument's fault.
  private func excuse(_ fault: BenchFault, _ examination: Examination) -> Finding? {
    let isOff = examination.sightings.map { all in !all.contains { $0.address == place.address } } ?? true
    guard isOff, fault.cause == instrument.excusedWhileOff else { return nil }
    return .ready(
      "the instrument is there; the recorder seems to be off", advice: "press the recorder's button, and check again")
  }
}

/// A question to an instrument that no bench file states yet.
package enum InstrumentQuestion {
  /// What a supply says it is; nothing of it is changed.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where it cannot be reached, or says nothing.
  package static func supply(at line: LineResource) throws(ControlFailure) -> String {
    let loop = EventLoop(driver: .wall)
    let desk = InstrumentDesk(loop)
    do {
      return try loop.run {
        try await desk.perform { loop, waits async throws(ControlFailure) in
          let dialogue = Dialogue(
            LineDialogue(), named: "supply at \(line.description)", on: try line.open(on: loop), loop, waits)
          defer { dialogue.close() }
          return try await dialogue.line(Question("*IDN?"))
        }
      }
    } catch let failure as ControlFailure {
      throw failure
    } catch { throw .bench("the supply did not answer every question: \(error)") }
  }
}

/// The loop on which instruments are looked at.
private actor InstrumentDesk {
  nonisolated let loop: EventLoop
  private let waits = Waits()

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) { self.loop = loop }

  func perform<Answer: Sendable>(
    _ look: @Sendable (EventLoop, Waits) async throws(ControlFailure) -> Answer
  ) async throws(ControlFailure) -> Answer {
    try await look(loop, waits)
  }
}
