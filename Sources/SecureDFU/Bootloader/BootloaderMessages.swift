/// The reason why a chip starts.
public enum BootReason: Hashable, Sendable {
  /// Power came, or the bootloader reset the chip.
  case normal
  /// The application asked for an update and reset the chip (`GPREGRET` is 0xB1).
  case updateRequested
  /// The button for updates is held.
  case button
}

/// The timers of a bootloader.
public enum BootloaderTimer: Hashable, Sendable {
  /// No central connected, or nothing was completed, for too long.
  case inactivity
  /// The time between the link's end and the reset, in which the last packet gets out.
  case reset
}

/// An input of a bootloader.
public enum BootloaderInput: Hashable, Sendable {
  /// The chip starts.
  case started(BootReason)
  /// A central connected.
  case connected
  /// The link is gone.
  case disconnected
  /// The central wrote the control point's client characteristic configuration.
  case notificationsChanged(Bool)
  /// The central wrote the control point, with response.
  case controlPointWritten([UInt8])
  /// The central wrote the packet characteristic.
  case packetWritten([UInt8])
  /// The central wants to pair.
  case pairingRequested
  /// The operation begun last is done.
  case flashOperationEnded
  /// A timer ran out.
  case timerFired(BootloaderTimer)
}

/// An effect of a bootloader.
public enum BootloaderEffect: Hashable, Sendable {
  /// The control point's write is answered: 0 for success, else an ATT error code.
  case respond(UInt8)
  /// The control point notifies.
  case notify([UInt8])
  /// The flash begins an operation; `flashOperationEnded` is due when it is done.
  case beginFlashOperation(FlashOperation)
  /// A timer starts anew, in milliseconds.
  case startTimer(BootloaderTimer, Int)
  /// Advertises, connectable, with this data, at this interval in units of 0.625 ms.
  case advertise([UInt8], interval: Int)
  /// Asks for connection parameters: interval in units of 1.25 ms, latency in events, time-out in units of 10 ms.
  case requestConnectionParameters(interval: Int, latency: Int, timeout: Int)
  /// Ends the link with this reason.
  case disconnect(UInt8)
  /// Resets the chip; everything but the flash is lost, and a link just falls silent.
  case reset
  /// Hands the chip to the application.
  case startApplication
  /// An assertion failed, which resets the chip next.
  case assertionFailed
  /// A packet was thrown away because no buffer was free.
  case packetDropped
}
