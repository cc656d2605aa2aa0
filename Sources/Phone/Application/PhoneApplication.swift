import Bytes
import DictofunProtocol
import HCI
import HostStack
import Timeline

/// The phone's application: everything above the host stack, a machine without I/O.
///
/// Its parts are a queue of operations of which one runs, one link at most, one exchange with the File Transfer
/// Service at most, and timers. An operation is a walk through its stages:
///
///     scan      scanning ─────────────────────────────────────────────────────────────▶ end
///     connect   finding ─▶ connecting ─▶ preparing ───────────────────────────────────▶ end
///     sync      finding ─▶ connecting ─▶ preparing ─▶ listing ─▶ sizing ⇄ fetching ───▶ end
///                                                        └─▶ checking space ─▶ finishing ─┘
///     download  (listing ─▶) sizing ─▶ fetching ──────────────────────────────────────▶ end
///     update    finding ─▶ connecting ─▶ preparing ─▶ updating (`Update/UpdateRun.swift`) ▶ end
///     others    one exchange, one read or one write ──────────────────────────────────▶ end
///
/// Whatever fails on the way to a prepared link goes through `closing`, so that the next operation finds the link
/// either ready or gone. A lost link, a restart or a disconnect ends every stage, and each token ends exactly once.
struct PhoneApplication {
  /// Whether the controller below can be used.
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

  /// The most operations that wait; one more is abandoned at once.
  static let maximumQueuedOperations = 256

  let configuration: PhoneConfiguration
  var power = Power.off
  /// The instant of the input that is being handled.
  var now = Instant.zero
  var clock: PhoneClock
  var isForeground: Bool
  /// Whether it connects and fetches by itself.
  var isAutomatic: Bool
  /// Operations that wait, in the order they were asked for.
  var queue: [QueuedOperation] = []
  var running: RunningOperation?
  var pairedRecorder: BluetoothAddress?
  /// What is listened for, while the host stack scans.
  var finder: Finder?
  /// The address that the host stack is connecting to.
  var connectionAttempt: BluetoothAddress?
  /// The program that it expects there.
  var soughtProgram = RecorderProgram.application
  var link: Link?
  var exchange: Exchange?
  /// The record that is arriving; outside `exchange`, so that a notification is appended in place.
  var inbox = RecordInbox()
  /// Whether the battery of the recorder was low when it was last read; kept for the same recorder.
  var battery = BatteryObservation()
  /// What arrived while the application in the background had no turn.
  var deferred: [HostEvent] = []
  /// Counts procedures of the GATT client.
  var lastClientToken: UInt32 = 0
  /// When the running step last moved on.
  var lastProgress = Instant.zero
  /// How long the running step may stand still.
  var patience = Duration.zero
  var step = ApplicationTimer(.step)
  var settle = ApplicationTimer(.settle)
  var batteryPeriod = ApplicationTimer(.battery)
  var turn = ApplicationTimer(.background)
  var pause = ApplicationTimer(.pause)
  /// The update that runs.
  var update: UpdateRun?
  var transferTimer = ApplicationTimer(.transfer)
  /// What the release feed offers.
  var feed: [FirmwareOffer]
  /// The offer that the user has not answered.
  var standingOffer: FirmwareOffer?
  var feedTimer = ApplicationTimer(.feed)

  init(_ configuration: PhoneConfiguration) {
    self.configuration = configuration
    clock = PhoneClock(base: configuration.clockBase)
    isForeground = configuration.isForeground
    isAutomatic = configuration.autoSync
    feed = configuration.feed
  }

  /// Takes one input and appends what is to be done about it.
  mutating func handle(_ input: ApplicationInput, at instant: Instant, _ effects: inout ApplicationEffects) {
    now = instant
    switch input {
    case .host(let event):
      if isForeground || !isDeferred(event) { handle(event, &effects) } else { wait(with: event, &effects) }
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
      self.isAutomatic = isAutomatic
      startNext(&effects)
    case .setClock(let time): clock.set(to: time, at: now)
    case .publish(let offer): publish(offer, &effects)
    }
  }

  private mutating func timerFired(_ token: TimerToken, _ effects: inout ApplicationEffects) {
    if step.takes(token) { stepExpired(&effects) }
    if settle.takes(token) { advanceExchange(&effects) }
    if batteryPeriod.takes(token) { readBatteryPeriodically(&effects) }
    if turn.takes(token) { catchUp(&effects) }
    if pause.takes(token) { startNext(&effects) }
    if transferTimer.takes(token) { feedTransfer(.timerFired, &effects) }
    if feedTimer.takes(token) { lookIntoFeed(&effects) }
  }

  /// Gives the running step so much time from now on.
  mutating func allow(_ duration: Duration, _ effects: inout ApplicationEffects) {
    lastProgress = now
    patience = duration
    step.start(duration, &effects)
  }

  /// The step's time is up. Progress does not restart the timer, which would cost two effects a notification: the
  /// firing looks when the last progress was.
  private mutating func stepExpired(_ effects: inout ApplicationEffects) {
    let rest = patience - lastProgress.duration(to: now)
    if rest > .zero { step.start(rest, &effects) } else { patienceEnded(&effects) }
  }

  /// Asks the GATT client for a procedure on the link.
  mutating func run(_ procedure: ClientProcedure, on link: Link, _ effects: inout ApplicationEffects) -> ClientToken {
    lastClientToken &+= 1
    let token = ClientToken(lastClientToken)
    effects.append(.host(.client(link.handle, token, procedure)))
    return token
  }

  /// Calls the library; `nil` when it failed, which those above are told.
  mutating func consult<Value>(
    _ effects: inout ApplicationEffects, _ body: (PhoneLibrary) throws(LibraryFailure) -> Value
  ) -> Value? {
    do { return try body(configuration.library) } catch {
      effects.append(.event(.libraryTrouble(error.description)))
      return nil
    }
  }

  /// Whether this phone does this wrong.
  func has(_ fault: PhoneFault) -> Bool { configuration.faults.contains(fault) }
}
