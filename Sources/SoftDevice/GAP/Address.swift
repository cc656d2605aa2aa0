import Bytes
import Processor

/// Addresses and whom to know, 0x6C to 0x71 and 0x93 (`ble_gap.h`).
extension SoftDeviceHost {
  /// 0x6C `sd_ble_gap_addr_set`: public or static random; on the air from the next start of advertising on.
  mutating func setAddress(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let structure = try structure(call.r0, 7, call, processor)
    guard !state.advertising.isOn, state.link == nil else { throw .invalidState }
    let kind = structure.u8(0) >> 1
    let new = BluetoothAddress(littleEndian: structure.part(1, 6), kind == 0 ? .public : .random)
    guard kind == 0 || kind == 1 && new.isStaticRandom else { throw .invalidDeviceAddress }
    if new != address { state.isStackStale = true }
    address = new
  }

  /// 0x6D `sd_ble_gap_addr_get`.
  mutating func tellAddress(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write(address.guestOctets, to: call.r0, call, &processor)
  }

  /// 0x93 `sd_ble_gap_adv_addr_get`: set, address.
  mutating func tellAdvertisedAddress(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard state.advertising.isConfigured, UInt8(truncatingIfNeeded: call.r0) == 0 else { throw .invalidAdvertisingSet }
    guard state.advertising.isOn else { throw .invalidState }
    try write(address.guestOctets, to: call.r1, call, &processor)
  }

  /// 0x6E `sd_ble_gap_whitelist_set`: pointers to addresses, how many.
  mutating func setWhitelist(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try acceptPeers(call, processor)
  }

  /// 0x6F `sd_ble_gap_device_identities_set`: pointers to identities, pointers to keys, how many.
  mutating func setIdentities(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    var list = call
    list.r1 = call.r2
    try acceptPeers(list, processor)
  }

  private mutating func acceptPeers(_ call: SupervisorCall, _ processor: CortexM4) throws(ErrorNumber) {
    let count = Int(UInt8(truncatingIfNeeded: call.r1))
    guard count <= GAPNumber.peerLimit else { throw .dataSize }
    guard count > 0 else { return }
    _ = try read(call.r0, count * 4, call, processor)
    note(.withoutEffect(call: call.number, "lists of peers filter and resolve nobody"))
  }

  /// 0x70 `sd_ble_gap_privacy_set`: off, or not modelled.
  mutating func setPrivacy(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard try read(call.r0, 1, call, processor)[0] == 0 else {
      note(.notModelled(call: call.number, "private addresses of the recorder's own; answered 6"))
      throw .notSupported
    }
  }

  /// 0x71 `sd_ble_gap_privacy_get`.
  mutating func tellPrivacy(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    try write([0], to: call.r0, call, &processor)
  }
}

extension BluetoothAddress {
  /// `ble_gap_addr_t`: the type above the bit that says that an identity was resolved, six octets.
  var guestOctets: [UInt8] { [guestType << 1] + littleEndian }

  /// 0 public, 1 static random, 2 resolvable private, 3 another private one.
  private var guestType: UInt8 {
    if kind == .public { return 0 }
    if isStaticRandom { return 1 }
    return isResolvablePrivate ? 2 : 3
  }
}
