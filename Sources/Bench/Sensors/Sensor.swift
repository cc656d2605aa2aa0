import DictofunProtocol
import Timeline

/// A way in which a bench sees what a recorder does, besides the link of the scenario's phone.
package enum Sensor: String, Hashable, Sendable, CaseIterable {
  /// An adapter that no phone of the scenario uses, and that listens to advertising.
  case scanner
  /// The Pico's nails at the power latch and the rail.
  case rail
  /// The log at the recorder's console.
  case console

  /// What it is called in reports: `seen by: …`.
  package var name: String {
    switch self {
    case .scanner: "the scanner"
    case .rail: "the Pico's rail sense"
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

  /// What kind of fact it is.
  package var kind: SensedKind {
    switch self {
    case .advertising: .advertising
    case .power: .power
    case .recordBegun, .recordFinished: .record
    case .state: .state
    case .application: .firmware
    }
  }
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
    case .power: (plan() as PicoPlan?) != nil ? .rail : nil
    case .record, .state: (plan() as ConsolePlan?) != nil ? .console : nil
    case .firmware: hasTellingBanner ? .console : nil
    }
  }
}

extension SensedKind {
  /// Whether the silence of its sensor shows that it did not happen. The console loses lines, so its silence shows nothing.
  package var isShownBySilence: Bool {
    switch self {
    case .advertising, .power: true
    case .record, .state, .firmware: false
    }
  }
}
