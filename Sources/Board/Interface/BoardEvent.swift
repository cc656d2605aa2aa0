/// What the board tells those around it.
package enum BoardEvent: Hashable, Sendable {
  /// The firmware wrote octets to its console.
  case console([UInt8])
  /// The watchdog was not fed in time: the chip resets.
  case watchdog
  /// The firmware switched the chip off (POWER.SYSTEMOFF).
  case systemOff
  /// The power latch let go: the board has no power any more.
  case latchReleased
  /// The flash for records took a command that changes it.
  case storageOperation(NORFlash.Operation)
  /// The flash for records got a command that it does not know, or one that it had to ignore.
  case storageRefused(command: UInt8)
  /// An operation on the chip's own flash has begun, and is complete at this cycle; until then the processor stands still.
  case flashOperationBegan(until: UInt64)
  /// The firmware wrote to or erased flash that is protected until the next reset, which did nothing.
  case flashProtected(address: UInt32)
  /// The guest used a register that is not modelled: a read gives 0, a write does nothing.
  case notModelled(address: UInt32, isWrite: Bool)
}

extension BoardEvent {
  /// What a command at the flash for records tells.
  init(_ effect: NORFlash.Effect) {
    switch effect {
    case .began(let operation): self = .storageOperation(operation)
    case .refused(let command): self = .storageRefused(command: command)
    }
  }
}
