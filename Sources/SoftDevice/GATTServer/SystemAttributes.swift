import HostStack
import Processor

/// System attributes, 0xB1 and 0xB2 (`ble_gatts.h`): the client configurations of a connection, in a form of this
/// house's own, since Nordic's is not documented and images keep it without a look: for each its handle, its length and
/// its value, two octets each, least significant first, and behind all a CRC-16 of what stands before.
extension SoftDeviceHost {
  private static let entrySize = 6
  private static let checksumSize = 2
  /// CRC-16-CCITT.
  private static let polynomial: UInt16 = 0x1021

  /// 0xB1 `sd_ble_gatts_sys_attr_set`: connection, data (null for none), octets, which part.
  mutating func setSystemAttributes(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let parts = try Self.parts(call.r3)
    var entries: [(handle: UInt16, value: UInt16)] = []
    if call.r1 != 0 {
      let count = Int(UInt16(truncatingIfNeeded: call.r2))
      entries = try Self.entries(try read(call.r1, count, call, processor))
    }
    if call.r1 == 0, link.knownSystemAttributes.isSuperset(of: parts),
      settings.policies.repeatedSystemAttributes == .kept
    {
      return
    }
    var subscriptions = link.subscriptions
    for slot in subscriptions.indices where parts.contains(part(ofSlot: slot)) { subscriptions[slot] = 0 }
    for entry in entries {
      guard case .configuration(_, let slot)? = state.server[entry.handle]?.role, slot < subscriptions.count else {
        throw .invalidData
      }
      if parts.contains(part(of: entry.handle)) { subscriptions[slot] = entry.value }
    }
    state.link?.subscriptions = subscriptions
    state.link?.knownSystemAttributes.formUnion(parts)
    restoreSubscriptions()
  }

  /// 0xB2 `sd_ble_gatts_sys_attr_get`: connection, buffer (null for the length alone), pointer to its length, which
  /// part. The connection that ended last can still be asked.
  mutating func tellSystemAttributes(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let parts = try Self.parts(call.r3)
    guard call.connection == 0, state.link != nil || !state.lastSubscriptions.isEmpty else {
      throw .invalidConnection
    }
    if settings.policies.unsetSystemAttributes == .missing, let link = state.link,
      link.knownSystemAttributes.isDisjoint(with: parts)
    {
      throw .systemAttributesMissing
    }
    let octets = systemAttributes(state.link?.subscriptions ?? state.lastSubscriptions, parts)
    guard octets.count > Self.checksumSize else { throw .notFound }
    let room = try readLength(call.r2, call, processor)
    try write(UInt16(octets.count), to: call.r2, call, &processor)
    guard call.r1 != 0 else { return }
    guard octets.count <= room else { throw .dataSize }
    try write(octets, to: call.r1, call, &processor)
  }

  /// Gives the host stack what the client wants.
  mutating func restoreSubscriptions() {
    guard let link = state.link else { return }
    let stored = zip(state.server.configuredValues, link.subscriptions).compactMap { handle, value in
      value == 0
        ? nil : StoredSubscription(handle: AttributeHandle(handle), subscription: Subscription(rawValue: value))
    }
    ask(.setSubscriptions(link.handle, stored))
  }

  private func part(ofSlot slot: Int) -> SystemAttributeParts {
    slot < state.server.configuredValues.count ? part(of: state.server.configuredValues[slot]) : .user
  }

  private func systemAttributes(_ subscriptions: [UInt16], _ parts: SystemAttributeParts) -> [UInt8] {
    var octets: [UInt8] = []
    for (slot, value) in subscriptions.enumerated() where parts.contains(part(ofSlot: slot)) {
      guard let handle = state.server.configurationHandle(slot) else { continue }
      var fields = GuestFields(Self.entrySize)
      fields.put(handle, at: 0)
      fields.put(UInt16(GATTNumber.configurationLength), at: 2)
      fields.put(value, at: 4)
      octets += fields.octets
    }
    let check = Self.checksum(octets)
    return octets + [UInt8(truncatingIfNeeded: check), UInt8(check >> 8)]
  }

  /// 0 means both parts.
  private static func parts(_ flags: UInt32) throws(ErrorNumber) -> SystemAttributeParts {
    guard flags <= UInt32(SystemAttributeParts.all.rawValue) else { throw .invalidFlags }
    return flags == 0 ? .all : SystemAttributeParts(rawValue: UInt8(flags))
  }

  private static func entries(_ octets: [UInt8]) throws(ErrorNumber) -> [(handle: UInt16, value: UInt16)] {
    guard octets.count % entrySize == checksumSize else { throw .invalidData }
    let structure = GuestStructure(octets: octets)
    let end = octets.count - checksumSize
    guard structure.u16(end) == checksum(octets[..<end]) else { throw .invalidData }
    return stride(from: 0, to: end, by: entrySize).map { (structure.u16($0), structure.u16($0 + 4)) }
  }

  /// A CRC-16, begun with 0xFFFF.
  private static func checksum(_ octets: some Sequence<UInt8>) -> UInt16 {
    octets.reduce(0xFFFF) { check, octet in
      (0..<8).reduce(check ^ UInt16(octet) << 8) { value, _ in
        value & 0x8000 == 0 ? value << 1 : value << 1 ^ polynomial
      }
    }
  }
}
