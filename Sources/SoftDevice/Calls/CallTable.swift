import Processor

/// Every supervisor call that is answered, by number: the numbers of `nrf_sdm.h`, `nrf_mbr.h`, `nrf_soc.h`, `ble.h`,
/// `ble_gap.h`, `ble_gattc.h` and `ble_gatts.h` of S132 and S140, which have the same. What is missing here is answered
/// with "not supported" and named in a finding.
package enum CallTable {
  /// What stands in one of the registers R0 to R3.
  package enum Argument: Hashable, Sendable {
    /// A pointer into guest memory.
    case pointer
    /// A number.
    case number
    /// A connection's handle.
    case connection
  }

  /// What must have been called before.
  enum Need: Sendable {
    case nothing
    /// `sd_softdevice_enable`.
    case enabled
    /// `sd_ble_enable`.
    case bluetooth
  }

  /// One call.
  struct Entry: Sendable {
    let number: UInt8
    let name: String
    let arguments: [Argument]
    let need: Need
    let perform: @Sendable (inout SoftDeviceHost, SupervisorCall, inout CortexM4) throws(ErrorNumber) -> Void

    init(
      _ number: UInt8, _ name: String, _ arguments: [Argument], _ need: Need,
      _ perform:
        @escaping @Sendable (inout SoftDeviceHost, SupervisorCall, inout CortexM4) throws(ErrorNumber) -> Void
    ) {
      self.number = number
      self.name = name
      self.arguments = arguments
      self.need = need
      self.perform = perform
    }
  }

  /// The call of each number.
  static let entries: [Entry?] = {
    var entries: [Entry?] = Array(repeating: nil, count: 256)
    for entry in general + chip + stack + access + client + server { entries[Int(entry.number)] = entry }
    return entries
  }()

  /// A call's name in Nordic's headers; nil for an unknown one.
  package static func name(of call: UInt8) -> String? { entries[Int(call)]?.name }

  /// What stands in a call's registers, from R0 on; nil for an unknown one.
  package static func arguments(of call: UInt8) -> [Argument]? { entries[Int(call)]?.arguments }
}
