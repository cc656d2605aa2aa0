import Processor

/// Power, 0x32 to 0x40 and 0x4D to 0x50 (`nrf_soc.h`). What the board keeps goes there as writes to its registers.
extension SoftDeviceHost {
  /// Registers of POWER (product specifications, POWER, "Registers").
  private enum PowerRegister {
    static let resetReason: UInt32 = 0x4000_0400
    static let retention: [UInt32] = [0x4000_051C, 0x4000_0520]
  }

  /// 0x32 `sd_power_mode_set`: 0 constant latency, 1 low power.
  mutating func setPowerMode(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard call.r0 <= 1 else { throw .unknownPowerMode }
  }

  /// 0x33 `sd_power_system_off`.
  mutating func switchOff(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    output.isSystemOff = true
  }

  /// 0x34 `sd_power_reset_reason_get`.
  mutating func tellResetReason(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(resetReason, to: call.r0, call, &processor)
  }

  /// 0x35 `sd_power_reset_reason_clr`: bits that are 1 are cleared, as in the register.
  mutating func clearResetReason(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    resetReason &= ~call.r0
    output.registerWrites.append(RegisterWrite(address: PowerRegister.resetReason, value: call.r0))
  }

  /// 0x36 to 0x3B, 0x3F, 0x40 and 0x4D to 0x4F: supervision of the supply, of RAM and of USB, and the regulators.
  mutating func acceptPowerSetting(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    note(.withoutEffect(call: call.number, "supply, regulators and retention of RAM are not modelled"))
  }

  /// 0x3C `sd_power_gpregret_set`: number of the register, bits to set.
  mutating func setRetention(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try changeRetention(call) { $0 | UInt8(truncatingIfNeeded: call.r1) }
  }

  /// 0x3D `sd_power_gpregret_clr`: number of the register, bits to clear.
  mutating func clearRetention(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try changeRetention(call) { $0 & ~UInt8(truncatingIfNeeded: call.r1) }
  }

  /// 0x3E `sd_power_gpregret_get`: number of the register.
  mutating func tellRetention(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(UInt32(retention[try retentionIndex(call)]), to: call.r1, call, &processor)
  }

  private mutating func changeRetention(
    _ call: SupervisorCall, _ change: (UInt8) -> UInt8
  ) throws(ErrorNumber) {
    let index = try retentionIndex(call)
    retention[index] = change(retention[index])
    output.registerWrites.append(
      RegisterWrite(address: PowerRegister.retention[index], value: UInt32(retention[index])))
  }

  private func retentionIndex(_ call: SupervisorCall) throws(ErrorNumber) -> Int {
    guard call.r0 < 2, retention.count == 2 else { throw .invalidParameter }
    return Int(call.r0)
  }
}
