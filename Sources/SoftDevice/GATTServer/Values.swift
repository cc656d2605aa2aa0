import HostStack
import Processor

/// Values, 0xAC and 0xAD (`ble_gatts.h`): `ble_gatts_value_t` holds length, offset and a pointer.
extension SoftDeviceHost {
  /// 0xAC `sd_ble_gatts_value_set`: connection, handle, value. The length becomes what was written.
  mutating func setValue(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let handle = UInt16(truncatingIfNeeded: call.r1)
    let structure = try structure(call.r2, 8, call, processor)
    guard let attribute = state.server[handle] else { throw .invalidAttribute }
    let (count, offset) = (Int(structure.u16(0)), Int(structure.u16(2)))
    let octets = structure.u32(4) == 0 || count == 0 ? [] : try read(structure.u32(4), count, call, processor)
    switch attribute.role {
    case .service, .declaration: throw .forbidden
    case .configuration(_, let slot):
      try checkConfiguration(call, handle)
      guard offset == 0, octets.count == GATTNumber.configurationLength else { throw .invalidParameter }
      state.link?.subscriptions[slot] = UInt16(octets[0]) | UInt16(octets[1]) << 8
      restoreSubscriptions()
    case .value, .descriptor:
      guard let value = current(attribute, processor).value(writing: octets, at: offset) else { throw .dataSize }
      try put(value, handle, attribute, call, &processor)
    }
    try write(UInt16(octets.count), to: call.r2, call, &processor)
  }

  /// 0xAD `sd_ble_gatts_value_get`: connection, handle, value. The length becomes that of the value from the offset on.
  mutating func tellValue(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let handle = UInt16(truncatingIfNeeded: call.r1)
    let structure = try structure(call.r2, 8, call, processor)
    guard let attribute = state.server[handle] else { throw .invalidAttribute }
    let value: [UInt8]
    switch attribute.role {
    case .service, .declaration: throw .forbidden
    case .configuration(_, let slot):
      try checkConfiguration(call, handle)
      let subscription = state.link?.subscriptions[slot] ?? 0
      value = [UInt8(truncatingIfNeeded: subscription), UInt8(subscription >> 8)]
    case .value, .descriptor: value = current(attribute, processor).value
    }
    let (room, offset) = (Int(structure.u16(0)), Int(structure.u16(2)))
    guard offset <= value.count else { throw .invalidParameter }
    let rest = Array(value.dropFirst(offset))
    if structure.u32(4) != 0, room > 0, !rest.isEmpty {
      try write(Array(rest.prefix(room)), to: structure.u32(4), call, &processor)
    }
    try write(UInt16(rest.count), to: call.r2, call, &processor)
  }

  /// A client configuration is a connection's own, and is there once the system attributes are.
  private func checkConfiguration(_ call: SupervisorCall, _ handle: UInt16) throws(ErrorNumber) {
    let link = try link(call)
    guard link.knownSystemAttributes.contains(part(of: handle)) else { throw .systemAttributesMissing }
  }

  /// Whose a handle is.
  func part(of handle: UInt16) -> SystemAttributeParts { handle < state.names.firstUserHandle ? .own : .user }

  /// An attribute with the value that it has now, also where that lives in the image's memory.
  func current(_ attribute: ServerTable.Attribute, _ processor: CortexM4) -> ServerTable.Attribute {
    guard let location = attribute.location,
      let octets = try? processor.memory.read(location, count: attribute.value.count)
    else { return attribute }
    var result = attribute
    result.value = octets
    return result
  }

  /// Changes a value wherever it lives.
  mutating func put(
    _ value: [UInt8], _ handle: UInt16, _ attribute: ServerTable.Attribute, _ call: SupervisorCall,
    _ processor: inout CortexM4
  ) throws(ErrorNumber) {
    if let location = attribute.location { try write(value, to: location, call, &processor) }
    state.server.setValue(handle, value)
    if state.isStackStarted, attribute.location == nil { ask(.setValue(AttributeHandle(handle), value[...])) }
  }
}
