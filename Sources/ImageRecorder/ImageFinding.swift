import Processor
import SoftDevice

/// What only somebody inside the chip can see go wrong, or what is not modelled and may have changed what the image did.
public enum ImageFinding: Equatable, Sendable {
  /// The image did what the architecture forbids or does not define.
  case fault(ProcessorFault)
  /// The processor stood still after a fault in a fault.
  case lockup
  /// A breakpoint was executed; firmware stops there after an assertion.
  case breakpoint(UInt8, address: UInt32)
  /// The watchdog was not fed in time.
  case watchdog(address: UInt32)
  /// RAM was executed.
  case executedData(address: UInt32)
  /// A supervisor call was wrong, or is not modelled.
  case softDevice(SoftDeviceFinding)
  /// A register of the chip is not modelled.
  case register(address: UInt32, isWrite: Bool)
  /// The flash for records ignored a command: unknown, or given while it was busy.
  case storage(command: UInt8)

  /// Whether it says what is not modelled, instead of what the image did wrong.
  public var isLimitation: Bool {
    switch self {
    case .register: true
    case .softDevice(.unknownCall), .softDevice(.notModelled), .softDevice(.withoutEffect): true
    default: false
    }
  }
}
