/// What the board tells those around it.
package enum BoardEvent: Hashable, Sendable {
  /// The firmware wrote octets to its console.
  case console([UInt8])
  /// The watchdog was not fed in time. Its interrupt, where it is enabled, has two cycles of 32 kHz until ``watchdog``.
  case watchdogTimeout
  /// The watchdog resets the chip.
  case watchdog
  /// The firmware switched the chip off (POWER.SYSTEMOFF).
  case systemOff
  /// The power latch let go: the board has no power any more.
  case latchReleased
  /// The flash for records took a command that changes it.
  case storageOperation(NORFlash.Operation)
  /// The flash for records got a command that had no effect.
  case storageRefused(command: UInt8, NORFlash.Refusal)
  /// A block was given a buffer that is not in RAM, where EasyDMA cannot reach it; nothing was transferred.
  case bufferUnreachable(ChipBuffer)
  /// An operation on the chip's own flash has begun, and is complete at this cycle; until then the processor stands still.
  case flashOperationBegan(until: UInt64)
  /// The firmware wrote to or erased flash that is protected until the next reset, which did nothing.
  case flashProtected(address: UInt32)
  /// The guest used a register that is not modelled: a read gives 0, a write does nothing.
  case notModelled(address: UInt32, isWrite: Bool)
}

/// Octets that a block of the chip reads or writes without the processor.
package struct ChipBuffer: Hashable, Sendable {
  /// The block, as the product specifications call it.
  package var block: String
  /// Where it begins.
  package var address: UInt32
  /// How many octets it has.
  package var count: Int
}

extension BoardEvent {
  /// What a command at the flash for records tells.
  init(_ effect: NORFlash.Effect) {
    switch effect {
    case .began(let operation): self = .storageOperation(operation)
    case .refused(let command, let reason): self = .storageRefused(command: command, reason)
    }
  }
}
