import Bytes
import Charts
import DictofunProtocol
import HostStack
import SecureDFU
import Timeline

/// The phone: the reference central of the recorder, its application standing on a Bluetooth host stack.
///
///     PhoneRequest ──▶ PhoneApplication ──▶ PhoneEvent
///                       HostRequest │ ▲ HostEvent
///                                   ▼ │
///     HCI packets ◀───────────▶ HostMachine
///
/// A value without I/O and without a clock: packets, timers, chance and requests go in with the instant at which they
/// come, and effects come out. Copying it copies the phone except for its library, which is a
/// reference.
package struct PhoneCentral {
  private var host = HostMachine()
  private var application: PhoneApplication
  // Kept between inputs so that their room is; both are empty then.
  private var hostEffects: [MachineEffect<HostEvent>] = []
  private var applicationEffects: ApplicationEffects = []

  /// A phone that is switched off.
  package init(_ configuration: PhoneConfiguration) { application = PhoneApplication(configuration) }

  /// The phone's records, pairing and history.
  package var library: PhoneLibrary { application.configuration.library }

  /// What its user sees of the records that are here, newest first.
  package func shownRecords() throws(LibraryFailure) -> [ShownRecord] { try application.shownRecords() }

  /// What its machines did on their state charts.
  package var chartLogs: [ChartLog] {
    [
      application.linkState.chartLog, application.exchange.state.chartLog, library.chartLog,
      ChartLog(Updater.outline.name, application.updating.log),
    ]
  }

  /// The time of the phone's clock at this instant of its loop.
  package func localTime(at instant: Instant) -> LocalSeconds { application.timeServer.clock.seconds(at: instant) }

  /// Takes one input at an instant and appends its effects, in order.
  package mutating func handle(
    _ input: MachineInput<PhoneRequest>, at instant: Instant, _ effects: inout [MachineEffect<PhoneEvent>]
  ) {
    switch input {
    case .packet(let packet): host.handle(.packet(packet), &hostEffects)
    case .timerFired(let token) where token.owner == .application:
      application.handle(.timerFired(token), at: instant, &applicationEffects)
    case .timerFired(let token): host.handle(.timerFired(token), &hostEffects)
    case .entropy(let token, let bytes): host.handle(.entropy(token: token, bytes: bytes), &hostEffects)
    case .request(let request): application.handle(.request(request), at: instant, &applicationEffects)
    case .controllerLost: host.handle(.controllerLost, &hostEffects)
    }
    settle(at: instant, &effects)
  }

  /// Passes requests down and events up until neither machine has anything left to say.
  private mutating func settle(at instant: Instant, _ effects: inout [MachineEffect<PhoneEvent>]) {
    var nextHost = 0
    var nextApplication = 0
    while true {
      if nextHost < hostEffects.count {
        switch hostEffects.take(&nextHost) {
        case .send(let packet): effects.append(.send(packet))
        case .startTimer(let token, let duration): effects.append(.startTimer(token, duration))
        case .cancelTimer(let token): effects.append(.cancelTimer(token))
        case .needEntropy(let request): effects.append(.needEntropy(request))
        case .event(let event): application.handle(.host(event), at: instant, &applicationEffects)
        }
      } else if nextApplication < applicationEffects.count {
        switch applicationEffects.take(&nextApplication) {
        case .host(let request): host.handle(.request(request), &hostEffects)
        case .startTimer(let token, let duration): effects.append(.startTimer(token, duration))
        case .cancelTimer(let token): effects.append(.cancelTimer(token))
        case .event(let event): effects.append(.event(event))
        }
      } else {
        break
      }
    }
    hostEffects.drain()
    applicationEffects.drain()
  }
}
