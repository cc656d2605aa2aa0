import HostStack
import Processor

/// Telling values, 0xAE and 0xAF (`ble_gatts.h`).
extension SoftDeviceHost {
  /// 0xAE `sd_ble_gatts_hvx`: connection, `ble_gatts_hvx_params_t`. The length becomes what is really sent. The value
  /// changes even where it cannot be told: not enabled, no room, another one on its way.
  mutating func tell(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let parameters = try structure(call.r1, 16, call, processor)
    let handle = parameters.u16(0)
    let isNotification = parameters.u8(2) == GATTNumber.notification
    guard isNotification || parameters.u8(2) == GATTNumber.indication else { throw .invalidParameter }
    guard let attribute = state.server[handle], handle >= state.names.firstUserHandle else { throw .invalidAttribute }
    guard case .value(let properties, let slot) = attribute.role else { throw .invalidAttributeType }
    guard let slot, properties.contains(isNotification ? .notify : .indicate) else { throw .invalidParameter }
    let whole = try valueToTell(parameters, attribute, handle, call, &processor)
    guard !link.isDisconnecting, !link.isExchangeRequested else { throw .invalidState }
    guard link.knownSystemAttributes.contains(part(of: handle)) else { throw .systemAttributesMissing }
    guard link.wants(isNotification ? .notifications : .indications, slot: slot) else {
      throw .invalidState
    }
    let part = Array(whole.prefix(Int(link.maximumTransmissionUnit) - GATTNumber.valueHeader))
    if isNotification {
      guard link.notifications.count < state.configuration.notificationPlaces else {
        crowdOut(handle)
        throw .resources
      }
    } else {
      guard link.indication == nil else { throw .busy }
    }
    if parameters.u32(8) != 0 { try write(UInt16(part.count), to: parameters.u32(8), call, &processor) }
    let ticket = NotificationTicket(nextNumber())
    if isNotification {
      state.link?.notifications.append(ticket)
      ask(.notify(link.handle, ticket, AttributeHandle(handle), part[...]))
      // What is told is not always the whole value, which is read from then on.
      if attribute.location == nil, let value = state.server[handle]?.value, value.count != part.count {
        ask(.setValue(AttributeHandle(handle), value[...]))
      }
    } else {
      state.link?.indication = PendingIndication(ticket: ticket, handle: handle, isServiceChange: false)
      ask(.indicate(link.handle, ticket, AttributeHandle(handle), part))
    }
  }

  /// Notifications without a place, while none is sent, that make a storm. One or two are a matter of timing.
  private static let stormLimit = 32

  private mutating func crowdOut(_ handle: UInt16) {
    state.link?.crowdedOut += 1
    if state.link?.crowdedOut == Self.stormLimit { note(.notificationStorm(handle: handle)) }
  }

  /// The value to be told, stored where the call brings one; what is told begins at its offset.
  private mutating func valueToTell(
    _ parameters: GuestStructure, _ attribute: ServerTable.Attribute, _ handle: UInt16, _ call: SupervisorCall,
    _ processor: inout CortexM4
  ) throws(ErrorNumber) -> [UInt8] {
    let offset = Int(parameters.u16(4))
    let current = current(attribute, processor)
    let count = parameters.u32(8) == 0 ? nil : try readLength(parameters.u32(8), call, processor)
    guard parameters.u32(12) != 0 else {
      guard offset <= current.value.count else { throw .invalidParameter }
      let rest = Array(current.value.dropFirst(offset))
      return count.map { Array(rest.prefix($0)) } ?? rest
    }
    guard let count else { throw .invalidAddress }
    guard offset + count <= attribute.maximumLength else { throw .dataSize }
    var octets = count == 0 ? [] : try read(parameters.u32(12), count, call, processor)
    let room = Int(state.link?.maximumTransmissionUnit ?? GATTNumber.defaultTransmissionUnit) - GATTNumber.valueHeader
    if settings.policies.notifiedValue == .part { octets = Array(octets.prefix(room)) }
    guard let value = current.value(writing: octets, at: offset) else { throw .dataSize }
    try put(value, handle, attribute, call, &processor)
    return octets
  }

  /// 0xAF `sd_ble_gatts_service_changed`: connection, first and last handle.
  mutating func tellServiceChanged(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard let handle = state.names.serviceChangedHandle, let slot = state.server.slot(ofValue: handle) else {
      throw .notSupported
    }
    let link = try link(call)
    let (first, last) = (UInt16(truncatingIfNeeded: call.r1), UInt16(truncatingIfNeeded: call.r2))
    guard first >= state.names.firstUserHandle, first <= last else { throw .invalidParameter }
    guard link.knownSystemAttributes.contains(.own) else { throw .systemAttributesMissing }
    guard link.wants(.indications, slot: slot), !link.isDisconnecting else {
      throw .invalidState
    }
    guard link.indication == nil else { throw .busy }
    var fields = GuestFields(4)
    fields.put(first, at: 0)
    fields.put(last, at: 2)
    let ticket = NotificationTicket(nextNumber())
    state.link?.indication = PendingIndication(ticket: ticket, handle: handle, isServiceChange: true)
    ask(.indicate(link.handle, ticket, AttributeHandle(handle), fields.octets))
  }
}

extension PeerLink {
  /// Whether the client wants the value whose client configuration has this number.
  fileprivate func wants(_ subscription: Subscription, slot: Int) -> Bool {
    slot < subscriptions.count && Subscription(rawValue: subscriptions[slot]).contains(subscription)
  }
}
