import Processor

/// The programmable peripheral interconnect, 0x20 to 0x27 (`nrf_soc.h`; product specifications, PPI): what is set goes to
/// the board as writes to its registers. Channels 17 to 31 and groups 4 and 5 are the SoftDevice's.
extension SoftDeviceHost {
  private static let base: UInt32 = 0x4001_F000
  /// CHENSET, CHENCLR, CH[0].EEP and CHG[0]; the tasks of groups begin at the base.
  private static let enableSet: UInt32 = 0x504
  private static let enableClear: UInt32 = 0x508
  private static let firstChannel: UInt32 = 0x510
  private static let firstGroup: UInt32 = 0x800
  private static let lastOwnChannel: UInt32 = 16
  private static let channels: UInt32 = 0x0001_FFFF
  private static let groupCount: UInt32 = 4

  /// 0x20 `sd_ppi_channel_enable_get`.
  mutating func tellChannels(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(state.interconnect.enabled, to: call.r0, call, &processor)
  }

  /// 0x21 `sd_ppi_channel_enable_set`.
  mutating func enableChannels(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 & ~Self.channels == 0 else { throw .invalidChannel }
    state.interconnect.enabled |= call.r0
    output.registerWrites.append(RegisterWrite(address: Self.base + Self.enableSet, value: call.r0))
  }

  /// 0x22 `sd_ppi_channel_enable_clr`.
  mutating func disableChannels(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 & ~Self.channels == 0 else { throw .invalidChannel }
    state.interconnect.enabled &= ~call.r0
    output.registerWrites.append(RegisterWrite(address: Self.base + Self.enableClear, value: call.r0))
  }

  /// 0x23 `sd_ppi_channel_assign`: channel, addresses of event and task.
  mutating func assignChannel(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 <= Self.lastOwnChannel else { throw .invalidChannel }
    let place = Self.base + Self.firstChannel + call.r0 * 8
    output.registerWrites.append(RegisterWrite(address: place, value: call.r1))
    output.registerWrites.append(RegisterWrite(address: place + 4, value: call.r2))
  }

  /// 0x24 `sd_ppi_group_task_enable`.
  mutating func enableGroup(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 < Self.groupCount else { throw .invalidGroup }
    state.interconnect.enabled |= state.interconnect.groups[Int(call.r0)]
    output.registerWrites.append(RegisterWrite(address: Self.base + call.r0 * 8, value: 1))
  }

  /// 0x25 `sd_ppi_group_task_disable`.
  mutating func disableGroup(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 < Self.groupCount else { throw .invalidGroup }
    state.interconnect.enabled &= ~state.interconnect.groups[Int(call.r0)]
    output.registerWrites.append(RegisterWrite(address: Self.base + call.r0 * 8 + 4, value: 1))
  }

  /// 0x26 `sd_ppi_group_assign`: group, channels.
  mutating func assignGroup(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 < Self.groupCount else { throw .invalidGroup }
    guard call.r1 & ~Self.channels == 0 else { throw .invalidChannel }
    state.interconnect.groups[Int(call.r0)] = call.r1
    output.registerWrites.append(RegisterWrite(address: Self.base + Self.firstGroup + call.r0 * 4, value: call.r1))
  }

  /// 0x27 `sd_ppi_group_get`: group, its channels.
  mutating func tellGroup(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 < Self.groupCount else { throw .invalidGroup }
    try write(state.interconnect.groups[Int(call.r0)], to: call.r1, call, &processor)
  }
}
