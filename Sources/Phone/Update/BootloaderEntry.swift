import HostStack

/// Asks the application to start its bootloader through Nordic's buttonless service
/// (nRF5 SDK 17.1.0, `ble_dfu_unbonded.c`).
///
///     discover ─▶ enable indications ─▶ (name ─▶ answer) ─▶ ask ─▶ answer ─▶ the link ends
struct BootloaderEntry {
  /// The steps in their order.
  enum Step {
    case discovering
    case subscribing
    case naming
    case asking
    /// The application confirmed that it starts the bootloader.
    case jumping
  }

  /// The name for the bootloader to advertise; `nil` keeps its own.
  var name: [UInt8]?
  /// A single request to make instead; its answer ends the operation.
  var question: [UInt8]?
  /// Whether indications are enabled; without them the application refuses.
  var subscribes = true
  var step = Step.discovering
  /// The client procedure on its way.
  var procedure: ClientToken?
  /// The handle of the characteristic's value.
  var characteristic: AttributeHandle?
  var configuration: AttributeHandle?

  /// Whether the application was asked, which nobody can take back.
  var hasAsked: Bool { step == .asking || step == .jumping }
}
