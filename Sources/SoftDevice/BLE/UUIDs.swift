import Bytes
import Processor

/// UUIDs, 0x62 to 0x64 and 0x6A (SoftDevice specification; `ble.h`).
extension SoftDeviceHost {
  /// The number of the first base that an image adds (`BLE_UUID_TYPE_VENDOR_BEGIN`).
  private static let firstBase = 2
  /// Where the short value is in a base, least significant octet first.
  private static let valuePlace = 12..<14

  /// 0x62 `sd_ble_uuid_vs_add`: a base of sixteen octets gets a number, from 2 on; one that is known has its number
  /// already. Octets 12 and 13 do not count.
  mutating func addVendorBase(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    var base = try read(call.r0, 16, call, processor)
    base.replaceSubrange(Self.valuePlace, with: [0, 0])
    if let index = state.vendorBases.firstIndex(of: base) {
      return try write([UInt8(index + Self.firstBase)], to: call.r1, call, &processor)
    }
    let place = state.vendorBases.firstIndex(of: nil) ?? state.vendorBases.count
    guard place < state.configuration.vendorBaseCount else { throw .noMemory }
    try write([UInt8(place + Self.firstBase)], to: call.r1, call, &processor)
    if place < state.vendorBases.count { state.vendorBases[place] = base } else { state.vendorBases.append(base) }
  }

  /// 0x6A `sd_ble_uuid_vs_remove`: the number of a base is free again; 0 stands for the last one.
  mutating func removeVendorBase(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    var number = Int(try read(call.r0, 1, call, processor)[0])
    if number == 0 { number = state.vendorBases.lastIndex { $0 != nil }.map { $0 + Self.firstBase } ?? 0 }
    let index = number - Self.firstBase
    guard state.vendorBases.indices.contains(index), state.vendorBases[index] != nil else { throw .invalidParameter }
    guard !state.server.attributes.contains(where: { $0.uuid.base == number }) else { throw .forbidden }
    state.vendorBases[index] = nil
    try write([UInt8(number)], to: call.r0, call, &processor)
  }

  /// 0x63 `sd_ble_uuid_decode`: two or sixteen octets become sixteen bits and the number of a base.
  mutating func decodeUUID(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let count = Int(UInt8(truncatingIfNeeded: call.r0))
    guard count == 2 || count == 16 else { throw .invalidLength }
    guard let uuid = BluetoothUUID(littleEndian: try read(call.r1, count, call, processor)) else {
      throw .invalidLength
    }
    let short = shortUUID(uuid)
    guard short.base != ShortUUID.unknownBase else { throw .notFound }
    try write(Array(short.octets[0..<3]), to: call.r2, call, &processor)
  }

  /// 0x64 `sd_ble_uuid_encode`: the two or sixteen octets on the air, and how many they are.
  mutating func encodeUUID(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let uuid = try readUUID(call.r0, call, processor).full
    let octets = uuid.littleEndian
    try write([UInt8(octets.count)], to: call.r1, call, &processor)
    if call.r2 != 0 { try write(octets, to: call.r2, call, &processor) }
  }

  /// Reads a `ble_uuid_t`. Throws `invalidParameter` for a base that is not known.
  mutating func readUUID(
    _ address: UInt32, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> (short: ShortUUID, full: BluetoothUUID) {
    let structure = try structure(address, 4, call, processor)
    let short = ShortUUID(structure.u16(0), base: structure.u8(2))
    guard let full = fullUUID(short) else { throw .invalidParameter }
    return (short, full)
  }

  private func fullUUID(_ short: ShortUUID) -> BluetoothUUID? {
    if short.base == ShortUUID.bluetoothBase { return BluetoothUUID(short.value) }
    let index = Int(short.base) - Self.firstBase
    guard state.vendorBases.indices.contains(index), var octets = state.vendorBases[index] else { return nil }
    octets.replaceSubrange(Self.valuePlace, with: [UInt8(truncatingIfNeeded: short.value), UInt8(short.value >> 8)])
    return BluetoothUUID(littleEndian: octets)
  }

  /// How the image names a UUID; ``ShortUUID/unknown`` if it has not added the base.
  func shortUUID(_ uuid: BluetoothUUID) -> ShortUUID {
    if let short = uuid.short { return ShortUUID(short) }
    var octets = uuid.littleEndian128
    let value = UInt16(octets[12]) | UInt16(octets[13]) << 8
    octets.replaceSubrange(Self.valuePlace, with: [0, 0])
    guard let index = state.vendorBases.firstIndex(of: octets) else { return .unknown }
    return ShortUUID(value, base: UInt8(index + Self.firstBase))
  }
}
