import DictofunProtocol
import Timeline

/// A way in which a bench sees what a recorder does, besides the link of the scenario's phone.
package enum Sensor: String, Hashable, Sendable, CaseIterable {
  /// An adapter that no phone of the scenario uses, and that listens to advertising.
  case scanner
  /// The Pico's nails at the power latch and the rail.
  case rail
  /// The current that a supply measures in the place of the battery.
  case current
  /// The log at the recorder's console.
  case console

  /// What it is called in reports: `seen by: …`.
  package var name: String {
    switch self {
    case .scanner: "the scanner"
    case .rail: "the Pico's rail sense"
    case .current: CurrentSense.name
    case .console: "the console"
    }
  }
}

/// A kind of fact that sensors can tell of.
package enum SensedKind: Hashable, Sendable, CaseIterable {
  /// A recorder starts to advertise.
  case advertising
  /// A recorder goes on or off.
  case power
  /// A recorder begins or finishes a record.
  case record
  /// A recorder's state machine changes its state.
  case state
  /// A recorder starts an application.
  case firmware
}

/// A fact that a sensor saw.
package enum SensedFact: Hashable, Sendable {
  /// It started to advertise.
  case advertising
  /// It went on or off.
  case power(isOn: Bool)
  /// It began a record with this name.
  case recordBegun(RecordIdentifier)
  /// It finished a record of this many octets.
  case recordFinished(octets: UInt32)
  /// Its state machine moved to a state, in the firmware's words.
  case state(String)
  /// It started an application of this version.
  case application(version: UInt32)
}

/// A fact, and the interval in which it certainly happened.
package struct Sighting: Hashable, Sendable {
  /// What happened.
  package let fact: SensedFact
  /// Not before this.
  package let earliest: Instant
  /// Not after this.
  package let latest: Instant
  /// Who saw it.
  package let sensor: Sensor
  /// Whether it happened at all; what is seen of it may have another cause.
  package let isCertain: Bool

  package init(
    _ fact: SensedFact, from earliest: Instant, to latest: Instant, by sensor: Sensor, isCertain: Bool = true
  ) {
    self.isCertain = isCertain
    self.fact = fact
    self.earliest = min(earliest, latest)
    self.latest = latest
    self.sensor = sensor
  }
}

extension RecorderPlace {
  /// The sensor that sees a kind of fact; `nil` where none does.
  package func sensor(for kind: SensedKind, hasScanner: Bool) -> Sensor? {
    switch kind {
    case .advertising: hasScanner ? .scanner : nil
    case .power: (plan() as PicoPlan?) != nil ? .rail : senseOfCurrent != nil ? .current : nil
    case .record, .state: (plan() as ConsolePlan?) != nil ? .console : nil
    case .firmware: hasTellingBanner ? .console : nil
    }
  }
}

extension ActuatedDevice {
  /// Who tells whether it is on; `nil` for nobody.
  package var powerSensor: Sensor? { place.sensor(for: .power, hasScanner: false) }
}

extension Sensor {
  /// Whether its silence shows that nothing happened. The console loses lines, and a current that is read now and then does
  /// not show a recorder that goes off and on again at once, so their silence shows nothing.
  package var isShowingBySilence: Bool {
    switch self {
    case .scanner, .rail: true
    case .current, .console: false
    }
  }
}
