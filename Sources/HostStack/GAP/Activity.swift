import HCI

/// An activity that a controller continues until it is stopped: advertising or scanning.
protocol ControllerActivity: Hashable, Sendable {
  /// The commands that start it, in order; the last one is the enabling.
  var startCommands: [Command] { get }
  /// The command that stops it.
  static var stopCommand: Command { get }
}

/// Brings an activity of the controller to the wanted state, one command at a time.
///
///     off ──want──▶ starting ──all answered──▶ on ──want another, or none──▶ stopping ──answered──▶ off
///      ▲               │ refused                │ a connection was made
///      ╰───────────────┴────────────────────────╯
///
/// Parameters may only be changed while the activity is off, so every change passes through `off`
/// (Core Specification Vol 4, Part E, 7.8.5 and 7.8.10).
struct ActivityControl<Wish: ControllerActivity>: Sendable {
  private enum State {
    case off
    /// The first of these commands is outstanding.
    case starting(Wish, [Command])
    case on(Wish)
    case stopping
  }

  private var state = State.off
  private var wanted: Wish?

  /// Takes a new wanted state. Returns a command to send now.
  mutating func want(_ wish: Wish?) -> Command? {
    wanted = wish
    return reconcile()
  }

  /// Takes the answer to the outstanding command. Returns the next command, and the error when the wanted state cannot
  /// be reached and was given up.
  mutating func answered(_ status: ErrorCode) -> (command: Command?, failure: ErrorCode?) {
    switch state {
    case .starting(let wish, let commands) where status == .success:
      if commands.count > 1 {
        state = .starting(wish, Array(commands.dropFirst()))
        return (commands[1], nil)
      }
      state = .on(wish)
      return (reconcile(), nil)
    case .starting(let wish, _):
      state = .off
      guard wanted == wish else { return (reconcile(), nil) }
      wanted = nil
      return (nil, status)
    // Refused or not: an activity that cannot be stopped was not running.
    case .stopping:
      state = .off
      return (reconcile(), nil)
    case .off, .on: return (nil, nil)
    }
  }

  /// The controller ended the activity by itself; it is no longer wanted (7.8.9).
  mutating func endedByController() {
    wanted = nil
    if case .on = state { state = .off }
  }

  private mutating func reconcile() -> Command? {
    switch (state, wanted) {
    case (.off, let wish?):
      let commands = wish.startCommands
      state = .starting(wish, commands)
      return commands[0]
    case (.on(let current), let wish) where current != wish:
      state = .stopping
      return Wish.stopCommand
    default: return nil
    }
  }
}

/// Advertising with an address of one type.
struct AdvertisingWish: ControllerActivity {
  var advertisement: Advertisement
  var ownAddressType: OwnAddressType

  var startCommands: [Command] {
    [
      .leSetAdvertisingParameters(
        LEAdvertisingParameters(
          intervalUnits: advertisement.intervalUnits,
          kind: advertisement.isConnectable ? .connectableUndirected : .scannableUndirected,
          ownAddressType: ownAddressType)),
      .leSetAdvertisingData(LEAdvertisingPayload(advertisement.data)),
      .leSetScanResponseData(LEAdvertisingPayload(advertisement.scanResponse)),
      .leSetAdvertisingEnable(true),
    ]
  }

  static var stopCommand: Command { .leSetAdvertisingEnable(false) }
}

/// Scanning with an address of one type.
struct ScanningWish: ControllerActivity {
  var parameters: ScanParameters
  var ownAddressType: OwnAddressType

  var startCommands: [Command] {
    [
      .leSetScanParameters(
        LEScanParameters(
          isActive: parameters.isActive, intervalUnits: parameters.intervalUnits,
          windowUnits: parameters.windowUnits, ownAddressType: ownAddressType)),
      .leSetScanEnable(true, filterDuplicates: parameters.filtersDuplicates),
    ]
  }

  static var stopCommand: Command { .leSetScanEnable(false, filterDuplicates: false) }
}
