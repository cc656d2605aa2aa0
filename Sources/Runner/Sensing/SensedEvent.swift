import Bench
import DictofunProtocol
import Requirements
import ScenarioLanguage
import Timeline

/// An event of the scenario language that a bench's sensor saw: what a simulated world would have told, and the interval
/// in which it happened.
struct SensedEvent {
  /// The event at the latest instant at which it may have happened.
  let event: ProductEvent
  /// The earliest.
  let earliest: Instant
  /// Who saw it; `nil` for the phone, which knows the instant.
  let sensor: Sensor?
  /// Whether it happened at all.
  let isCertain: Bool

  /// An event whose instant is known.
  init(_ event: ProductEvent) {
    self.event = event
    earliest = event.instant
    sensor = nil
    isCertain = true
  }

  /// What a sensor of a recorder saw.
  init(_ sighting: Sighting, of recorder: UInt16) {
    earliest = sighting.earliest
    sensor = sighting.sensor
    isCertain = sighting.isCertain
    let oracle: OracleEvent
    switch sighting.fact {
    case .advertising:
      event = ProductEvent(at: sighting.latest, from: .recorder(recorder), .advertisingStarted(intervalSlots: 0))
      return
    case .power(let isOn): oracle = .recorderPowered(recorder: recorder, isOn: isOn)
    case .recordBegun(let identifier):
      oracle = .recordBegun(recorder: recorder, identifier, clock: CivilTime(secondsSince2000: 0))
    case .recordFinished(let octets): oracle = .recordFinished(recorder: recorder, .fallback, octets: octets)
    case .state(let name): oracle = .recorderState(recorder: recorder, name: name)
    // No step that asks whether the image is whole gets this far.
    case .application(let version):
      oracle = .update(.firmwareStarted(recorder: recorder, version: version, isWhole: true))
    }
    event = .oracle(oracle, at: sighting.latest)
  }
}

extension ObservationDeclaration {
  /// The kind of fact by which a bench's sensors can tell of it; `nil` where none can, or none is needed.
  var sensedKind: SensedKind? {
    switch name {
    case Observations.advertised.declaration.name: .advertising
    case Observations.devicePower.declaration.name: .power
    case Observations.record.declaration.name: .record
    case Observations.deviceState.declaration.name: .state
    case Observations.deviceFirmware.declaration.name: .firmware
    default: nil
    }
  }
}

extension EventPattern {
  /// Whether it asks for something that no sensor tells of an event that one sees: a banner says nothing about the image
  /// that it stands in.
  var asksMoreThanIsSensed: Bool { matchers.contains { $0.field == Observations.isWhole.declaration } }
}
