import Bytes
import Charts
import DictofunProtocol
import HCI
import HostStack
import Timeline

/// The phone's application: everything above the host stack, a machine without I/O.
///
/// It conducts smaller machines, each of which keeps its own state and decides without looking at the others: the queue
/// of operations, the search for recorders, the requests to the File Transfer Service, the battery, the time server,
/// updates, the release feed, automatic sync and the background. Of the operations one runs, with one link at most. An
/// operation passes through these stages:
///
///     scan      scanning ─────────────────────────────────────────────────────────────▶ end
///     connect   finding ─▶ connecting ─▶ preparing ───────────────────────────────────▶ end
///     sync      finding ─▶ connecting ─▶ preparing ─▶ listing ─▶ sizing ⇄ fetching ───▶ end
///                                                        └─▶ checking space ─▶ finishing ─┘
///     download  (listing ─▶) sizing ─▶ fetching ──────────────────────────────────────▶ end
///     update    finding ─▶ connecting ─▶ preparing ─▶ updating (`Update/UpdateRun.swift`) ▶ end
///     others    one exchange, one read or one write ──────────────────────────────────▶ end
///
/// Every failure on the way to a prepared link goes through `closing`, so that the next operation finds the link
/// either ready or gone. A lost link, a restart or a disconnect ends every stage, and each token ends exactly once.
package struct PhoneApplication {
  /// The state of the controller.
  enum Power {
    /// Not started, or failed.
    case off
    /// The controller is being set up.
    case starting
    /// Everything works.
    case on
    /// The application was ended and waits for its link to be gone.
    case restarting
  }

  private(set) var configuration: PhoneConfiguration
  var power = Power.off
  /// The instant of the input that is being handled.
  var now = Instant.zero
  var pairedRecorder: BluetoothAddress?

  var queue = OperationQueue()
  var running: RunningOperation?
  /// Records at which a sync ended, and how many times one after the other.
  var troubledRecords: [(identifier: RecordIdentifier, times: Int)] = []
  /// Limits the time of the running step.
  var step = StepTimer()

  var background: Background
  var automaticSync: AutomaticSync
  var search: RecorderSearch
  var link: Link?
  /// How far the link has come.
  var linkState = ChartedState(PhoneLink.chart)
  var clientTokens = ClientTokens()
  var exchange = FileExchange()
  var battery = BatteryWatch()
  var timeServer: TimeServer
  var updating = UpdateControl()
  var releaseFeed: ReleaseFeed
  var newRecords = NewRecords()

  /// How many times its controller was set up.
  var startCount: UInt64 = 0

  /// An application that was not started.
  package init(_ configuration: PhoneConfiguration) {
    self.configuration = configuration
    background = Background(isForeground: configuration.isForeground, delay: configuration.backgroundDelay)
    automaticSync = AutomaticSync(isEnabled: configuration.autoSync, timeouts: configuration.timeouts)
    search = RecorderSearch(
      admitting: configuration.admittedRecorders,
      trustsAddresses: configuration.faults.contains(.takesNeighboursForBootloader))
    timeServer = TimeServer(clockBase: configuration.clockBase, faults: configuration.faults)
    releaseFeed = ReleaseFeed(offers: configuration.feed)
  }

  /// Takes one input and appends its effects.
  package mutating func handle(_ input: ApplicationInput, at instant: Instant, _ effects: inout ApplicationEffects) {
    now = instant
    switch input {
    case .host(let event):
      guard background.delays(event) else { return handle(event, &effects) }
      catchUp(background.keep(event, &effects), &effects)
    case .timerFired(let token): timerFired(token, &effects)
    case .request(let request): handle(request, &effects)
    }
  }

  private mutating func handle(_ request: PhoneRequest, _ effects: inout ApplicationEffects) {
    switch request {
    case .start: power == .off ? switchOn(&effects) : restart(&effects)
    case .perform(let token, let operation): perform(token, operation, &effects)
    case .restart: restart(&effects)
    case .setForeground(let isForeground): setForeground(isForeground, &effects)
    case .setAutomatic(let isAutomatic):
      automaticSync.isEnabled = isAutomatic
      startNext(&effects)
    case .setClock(let time): timeServer.clock.set(to: time, at: now)
    case .publish(let offer): publish(offer, &effects)
    case .transcribed(let number, let text): transcribed(number, text, &effects)
    }
  }

  private mutating func timerFired(_ token: TimerToken, _ effects: inout ApplicationEffects) {
    if step.expires(token, at: now, &effects) { patienceEnded(&effects) }
    if exchange.settle.takes(token) { advanceExchange(&effects) }
    if battery.isDue(token) { readBatteryPeriodically(&effects) }
    if background.begins(token) { catchUp(background.take(), &effects) }
    if automaticSync.resumes(token) { startNext(&effects) }
    if updating.timer.takes(token) { feedTransfer(.timerFired, &effects) }
    if releaseFeed.isDue(token) { lookIntoFeed(&effects) }
  }

  /// Gives the running step this long from now on.
  mutating func allow(_ duration: Duration, _ effects: inout ApplicationEffects) {
    step.allow(duration, at: now, &effects)
  }

  /// Asks the GATT client for a procedure on the link.
  mutating func run(_ procedure: ClientProcedure, on link: Link, _ effects: inout ApplicationEffects) -> ClientToken {
    let token = clientTokens.next()
    effects.append(.host(.client(link.handle, token, procedure)))
    return token
  }

  /// Uses another library from now on, which must hold the same under the same numbers. A copy of the application shares
  /// its library with the original; this gives it one of its own.
  package mutating func use(_ library: PhoneLibrary) { configuration.library = library }

  /// Calls the library; returns `nil` and reports an event when it failed.
  mutating func consult<Value>(
    _ effects: inout ApplicationEffects, _ body: (PhoneLibrary) throws(LibraryFailure) -> Value
  ) -> Value? {
    do { return try body(configuration.library) } catch {
      effects.append(.event(.libraryTrouble(error.description)))
      return nil
    }
  }

  /// Whether this phone has a deliberate fault.
  func has(_ fault: PhoneFault) -> Bool { configuration.faults.contains(fault) }
}
