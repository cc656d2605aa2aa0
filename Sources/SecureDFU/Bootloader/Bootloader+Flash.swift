extension Bootloader {
  /// Operations that may wait, with the one that runs. The end of an update stores settings with five.
  private var flashQueueLimit: Int { max(5, build.flashQueueLimit) }

  /// Lets an operation wait for the flash. False when too many wait already.
  mutating func enqueue(_ operation: FlashOperation, _ effects: inout [BootloaderEffect]) -> Bool {
    guard flashQueue.count < flashQueueLimit else { return false }
    flashQueue.append(operation)
    if flashQueue.count == 1 { effects.append(.beginFlashOperation(operation)) }
    return true
  }

  /// Stores the settings in both pages. False when the flash has too much to do.
  mutating func storeSettings(_ effects: inout [BootloaderEffect], erasingTwice: Bool = false) -> Bool {
    var operations = Self.operations(storing: settings)
    if erasingTwice { operations.insert(.eraseSettings(.primary), at: 0) }
    guard flashQueue.count + operations.count <= flashQueueLimit else { return false }
    for operation in operations { _ = enqueue(operation, &effects) }
    return true
  }

  /// The four operations that store settings: at each moment one of the pages is whole.
  static func operations(storing settings: BootloaderSettings) -> [FlashOperation] {
    [
      .eraseSettings(.primary), .storeSettings(.primary, settings), .eraseSettings(.backup),
      .storeSettings(.backup, settings),
    ]
  }

  mutating func flashOperationEnded(_ effects: inout [BootloaderEffect]) {
    guard mode != .off, !flashQueue.isEmpty else { return }
    flash.perform(flashQueue.removeFirst())
    if let next = flashQueue.first { return effects.append(.beginFlashOperation(next)) }
    guard mode == .updating else { return prepareFurther(&effects) }
    switch pending {
    case .dataExecuted?:
      pending = nil
      dataObjectStored(&effects)
    case .updateEnded?: leave(&effects)
    case nil: return
    }
  }
}
