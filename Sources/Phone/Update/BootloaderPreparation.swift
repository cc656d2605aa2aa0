import HostStack

/// The progress of preparing a link to a bootloader.
struct BootloaderPreparation {
  /// The steps in their order.
  enum Step {
    case exchangingMTU
    case discovering
    case subscribing
  }

  var step: Step
  var procedure: ClientToken
}

/// A single request to a bootloader.
struct BootloaderQuestion {
  /// The last write.
  var procedure: ClientToken
  /// Whether the operation ends with the next notification, and not with the write.
  var awaitsReply: Bool
}
