import Bench
import DictofunProtocol
import Phone
import Requirements
import ScenarioLanguage
import Timeline
import Verdicts
import World

extension Stage {
  /// Makes the records with which a scenario begins, unless the recorder still has those of a scenario before. The phone
  /// that looks has just paired, and so has set the recorder's clock.
  func make(
    _ making: [Preparation], on device: ActuatedDevice, _ outlook: BenchOutlook, _ index: Int, seenBy phone: Int
  ) async throws(ControlFailure) {
    guard let wanted = outlook.records(of: index) else { return try await device.perform(making) }
    if let made = device.madeRecords,
      made.serve(count: wanted.count, length: wanted.length, before: outlook.clock(ofPhone: phone)),
      try await stillHas(made, device, seenBy: phones[phone])
    {
      return
    }
    let begun = try phones[phone].readClock()
    try await device.perform(making)
    if try await lacks(wanted, device, seenBy: phones[phone]) {
      try await setBack(phones[phone], to: begun, with: device)
      try await device.perform(making)
    }
    let ended = max(begun, try phones[phone].readClock())
    device.remember(MadeRecords(count: wanted.count, length: wanted.length, span: begun...ended))
  }

  /// Whether a recorder does not list all records that were just made: a press of some milliseconds may get lost on its way
  /// through a busy host. All are made anew then, and once: to make the missing ones alone would hide from the steps a
  /// recorder that always lists too few.
  private func lacks(
    _ wanted: (count: Int, length: Duration), _ device: ActuatedDevice, seenBy phone: any PhoneControl
  ) async throws(ControlFailure) -> Bool {
    let making = Preparation.makeRecords(count: wanted.count, length: wanted.length)
    guard wanted.count > 0, !device.place.isByHand(making) else { return false }
    return try await namesIfAny(by: device, to: phone).map { $0.count < wanted.count } ?? false
  }

  /// Lets phone and recorder show a time again: records must lie before the time at which the scenario begins.
  private func setBack(
    _ phone: any PhoneControl, to time: LocalSeconds, with device: ActuatedDevice
  ) async throws(ControlFailure) {
    try await phone.setClock(time)
    do throws(ControlFailure) { try await serve(time, to: device, by: phone) } catch {
      // A recorder that does not let the phone in is for the steps to judge.
      guard case .lacking = error else { throw error }
    }
    try await phone.restart()
  }

  /// Whether a recorder lists what was made on it. One that does not answer is brought into its state as if nothing were
  /// known of it.
  private func stillHas(
    _ made: MadeRecords, _ device: ActuatedDevice, seenBy phone: any PhoneControl
  ) async throws(ControlFailure) -> Bool {
    try await namesIfAny(by: device, to: phone).map(made.areListed(as:)) ?? false
  }

  /// What a recorder lists; `nil` where it does not answer.
  private func namesIfAny(
    by device: ActuatedDevice, to phone: any PhoneControl
  ) async throws(ControlFailure) -> [String]? {
    do throws(ControlFailure) {
      return try await listedNames(by: device, to: phone)
    } catch {
      guard case .bench = error else { throw error }
      return nil
    }
  }
}

extension Preparation {
  /// Whether it changes what the recorder stores, in contrast to the state that it is in.
  var isMaking: Bool { if case .wish = self { false } else { true } }
}

/// The records that a scenario begins with and leaves on a bench, for forecasts.
package struct RecordForecast: Hashable, Sendable {
  /// What is done to the first recorder's flash before it.
  enum Beginning: Hashable, Sendable {
    /// Nothing: the scenario does not care.
    case asFound
    /// These are made, unless a phone sees that they are there already.
    case made(MadeRecords)
    /// It is erased.
    case erased
    /// It is filled, and nobody knows what its records are called.
    case filled
  }

  let beginning: Beginning
  /// What its phone shows when it begins.
  let begins: LocalSeconds
  /// Whether its steps leave the records as they find them.
  let leavesThem: Bool
  /// How long making them takes, beyond looking whether they are there.
  let cost: Duration
}

/// What a bench has made so far, when scenarios are run one after the other.
package struct RecordSequence {
  private var made: MadeRecords?

  package init() {}

  /// The time by which the next scenario is shorter, because the recorder still has what it begins with.
  package mutating func saving(by next: RecordForecast) -> Duration {
    var saved = Duration.zero
    switch next.beginning {
    case .asFound: break
    case .erased: made = MadeRecords.none
    case .filled: made = nil
    case .made(let wanted):
      if let made, made.serve(count: wanted.count, length: wanted.length, before: next.begins) {
        saved = next.cost
      } else {
        made = wanted
      }
    }
    if !next.leavesThem { made = nil }
    return saved
  }
}

/// Watches whether the steps of a simulated scenario change anything about the records of a recorder.
package final class RecordWatcher: RunObserver {
  /// Whether a button was pressed, or a phone asked for what may change more than a list shows.
  package private(set) var hasChanges = false
  private let count: Int

  /// Watches a recorder that begins with this many records.
  init(count: Int) { self.count = count }

  package func stepStarted(_ sentence: String, file: String, line: Int, at instant: Instant) {}
  package func stepFinished(_ report: StepReport) {}
  package func buttonChanged(of device: String, isDown: Bool, at instant: Instant) { hasChanges = true }

  package func observed(_ event: ProductEvent) {
    guard count > 0, case .fileTransfer(.requested(let request)) = event.happening else { return }
    if RecordMemory.mayChange(request) { hasChanges = true }
  }
}
