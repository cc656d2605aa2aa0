import Bytes
import Timeline
import World

/// Whether an instrument is there and is the one that the bench file states. Nothing is set, pressed, reset or halted.
struct InstrumentCheck: BenchCheck {
  private enum Instrument: Sendable {
    case console(ConsolePlan)
    case supply(SupplyPlan)
    case pico(PicoPlan)
    case probe(FlashPlan)
  }

  let name: String
  private let instrument: Instrument
  private let place: RecorderPlace

  private init(_ kind: String, _ instrument: Instrument, of place: RecorderPlace) {
    name = "\(kind) of \(place.address)"
    self.instrument = instrument
    self.place = place
  }

  /// The instruments of a recorder.
  static func all(of place: RecorderPlace) -> [any BenchCheck] {
    [
      place.supply.map { InstrumentCheck("supply", .supply($0), of: place) },
      place.pico.map { InstrumentCheck("pico", .pico($0), of: place) },
      place.flash.map { InstrumentCheck("probe", .probe($0), of: place) },
      place.console.map { InstrumentCheck("console", .console($0), of: place) },
    ].compactMap { $0 }
  }

  func look(_ examination: inout Examination) -> Finding? {
    let loop = EventLoop(driver: .wall)
    let desk = InstrumentDesk(loop)
    do {
      let traits: [BenchTrait] = try loop.run { [instrument, name, address = place.address] in
        switch instrument {
        case .console(let plan): try await desk.look(plan)
        case .supply(let plan): [BenchTrait(name, try await desk.look(plan))]
        case .pico(let plan): [BenchTrait(name, try await desk.look(plan))]
        case .probe(let plan): try await desk.look(plan) + [plan.imageTrait(of: address)].compactMap { $0 }
        }
      }
      return .ready(traits.isEmpty ? "answers" : traits.map(\.value).joined(separator: ", "), traits: traits)
    } catch ControlFailure.bench(let sentence) {
      return excuse(sentence, examination) ?? .failed(sentence: sentence)
    } catch { return .failed("\(error)", advice: "look at it, and try again") }
  }

  /// A recorder that is off says nothing, and its chip cannot be reached, which is no fault of theirs.
  private func excuse(_ sentence: String, _ examination: Examination) -> Finding? {
    let isOff = examination.sightings.map { all in !all.contains { $0.address == place.address } } ?? true
    let isThere =
      switch instrument {
      case .console: sentence.contains("did not answer")
      // OpenOCD's words for a probe that finds no chip.
      case .probe: sentence.contains("connecting DP")
      case .supply, .pico: false
      }
    guard isOff, isThere else { return nil }
    return .ready("it is there; the recorder seems to be off", advice: "press the recorder's button, and look again")
  }
}

/// A look at an instrument that no bench file states yet.
public enum InstrumentLook {
  /// What a supply says it is; nothing of it is changed.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` where it cannot be reached, or says nothing.
  public static func supply(at line: LineResource) throws(ControlFailure) -> String {
    let loop = EventLoop(driver: .wall)
    let desk = InstrumentDesk(loop)
    do { return try loop.run { try await desk.askSupply(at: line) } } catch let failure as ControlFailure {
      throw failure
    } catch { throw .bench("it was not looked at to the end: \(error)") }
  }
}

/// The loop on which instruments are looked at.
private actor InstrumentDesk {
  nonisolated let loop: EventLoop
  private let waits = Waits()

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ loop: EventLoop) { self.loop = loop }

  func look(_ plan: ConsolePlan) async throws(ControlFailure) -> [BenchTrait] {
    let console = try ConsoleLink(plan, on: loop, waits)
    defer { console.close() }
    try await console.perform(.version)
    return []
  }

  func look(_ plan: SupplyPlan) async throws(ControlFailure) -> String {
    let supply = try SupplyLink(plan, on: loop, waits)
    defer { supply.close() }
    return try await supply.recognise()
  }

  func askSupply(at line: LineResource) async throws(ControlFailure) -> String {
    let dialogue = Dialogue(
      LineDialogue(), named: "supply at \(line.description)", on: try line.open(on: loop), loop, waits)
    defer { dialogue.close() }
    return try await dialogue.line(Question("*IDN?"))
  }

  func look(_ plan: PicoPlan) async throws(ControlFailure) -> String {
    let pico = try PicoLink(plan, on: loop, waits)
    defer { pico.close() }
    return try await pico.identify()
  }

  func look(_ plan: FlashPlan) async throws(ControlFailure) -> [BenchTrait] {
    try await FlashProgrammer(plan).reach(loop, waits)
    return []
  }
}
