import HostStack
import Processor

/// What the GAP service tells, 0x78 to 0x7D (`ble_gap.h`).
extension SoftDeviceHost {
  /// 0x78 `sd_ble_gap_appearance_set`.
  mutating func setAppearance(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let octets = [UInt8(truncatingIfNeeded: call.r0), UInt8(truncatingIfNeeded: call.r0 >> 8)]
    setServed(state.names.appearanceHandle, octets)
  }

  /// 0x79 `sd_ble_gap_appearance_get`.
  mutating func tellAppearance(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(state.server[state.names.appearanceHandle]?.value ?? [0, 0], to: call.r0, call, &processor)
  }

  /// 0x7A `sd_ble_gap_ppcp_set`.
  mutating func setPreferredParameters(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let structure = try structure(call.r0, 8, call, processor)
    guard structure.isConnectionParameters else { throw .invalidParameter }
    state.names.parameters = structure.octets
    if let handle = state.names.parametersHandle { setServed(handle, structure.octets) }
  }

  /// 0x7B `sd_ble_gap_ppcp_get`.
  mutating func tellPreferredParameters(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(state.names.parameters, to: call.r0, call, &processor)
  }

  /// 0x7C `sd_ble_gap_device_name_set`: who may write it, the name, its octets.
  mutating func setName(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let count = Int(UInt16(truncatingIfNeeded: call.r2))
    guard count <= state.configuration.nameLimit else { throw .dataSize }
    let mode = call.r0 == 0 ? .never : AccessMode(try read(call.r0, 1, call, processor)[0])
    let name = count == 0 ? [] : try read(call.r1, count, call, processor)
    if state.names.nameWriting != mode {
      state.names.nameWriting = mode
      state.server.setWriting(state.names.nameHandle, mode, properties: mode.isNever ? .read : [.read, .write])
      state.isStackStale = true
    }
    setServed(state.names.nameHandle, name)
  }

  /// 0x7D `sd_ble_gap_device_name_get`: buffer, pointer to its length, which becomes the name's.
  mutating func tellName(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let name = state.server[state.names.nameHandle]?.value ?? []
    let room = try readLength(call.r1, call, processor)
    if call.r0 != 0 { try write(Array(name.prefix(room)), to: call.r0, call, &processor) }
    try write(UInt16(name.count), to: call.r1, call, &processor)
  }

  /// Changes a value here and in the host stack.
  mutating func setServed(_ handle: UInt16, _ value: [UInt8]) {
    state.server.setValue(handle, value)
    if state.isStackStarted { ask(.setValue(AttributeHandle(handle), value[...])) }
  }
}
