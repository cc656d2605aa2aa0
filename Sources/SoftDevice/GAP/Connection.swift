import HCI
import HostStack
import Processor

/// The connection, 0x75 to 0x77, 0x88 to 0x8C, 0x8E to 0x90 and 0x94 (`ble_gap.h`).
extension SoftDeviceHost {
  /// 0x75 `sd_ble_gap_conn_param_update`: connection, parameters; a null pointer means the preferred ones.
  mutating func updateParameters(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let octets = call.r1 == 0 ? state.names.parameters : try read(call.r1, 8, call, processor)
    let structure = GuestStructure(octets: octets)
    guard structure.isConnectionParameters else { throw .invalidParameter }
    guard !link.isDisconnecting else { throw .invalidState }
    guard !link.isUpdatingParameters else { throw .busy }
    state.link?.isUpdatingParameters = true
    state.link?.wantedIntervals = structure.wantedIntervals
    ask(
      .updateParameters(
        link.handle,
        ConnectionParameters(
          minimumIntervalUnits: structure.u16(0), maximumIntervalUnits: structure.u16(2), latency: structure.u16(4),
          supervisionTimeoutUnits: structure.u16(6))))
  }

  /// 0x76 `sd_ble_gap_disconnect`: connection, reason.
  mutating func disconnect(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let reason = ErrorCode(rawValue: UInt8(truncatingIfNeeded: call.r1))
    guard reason == .remoteUserTerminatedConnection || reason == .unacceptableConnectionParameters else {
      throw .invalidParameter
    }
    guard !link.isDisconnecting else { throw .invalidState }
    state.link?.isDisconnecting = true
    ask(.disconnect(link.handle, reason))
  }

  /// 0x77 `sd_ble_gap_tx_power_set`.
  mutating func setTransmitPower(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    note(.withoutEffect(call: call.number, "the power of the transmitter reaches nobody's ear"))
  }

  /// 0x8F `sd_ble_gap_phy_update`: connection, PHYs to choose from in either direction; 0 leaves it to the SoftDevice.
  mutating func updatePHY(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let octets = try read(call.r1, 2, call, processor)
    guard octets.allSatisfy({ $0 & ~GAPNumber.physicalLayers == 0 }) else { throw .invalidParameter }
    guard !link.isDisconnecting else { throw .invalidState }
    let wanted = octets.map { $0 == 0 ? GAPNumber.automaticLayers : $0 }.reduce(GAPNumber.physicalLayers, &)
    if octets[0] != octets[1] { note(.notModelled(call: call.number, "another PHY each way")) }
    state.link?.physicalLayerSay = .isGiven
    let used = link.physicalLayers.transmit.guestBit | link.physicalLayers.receive.guestBit
    // The phone's wish is the image's: the controller has agreed already.
    if link.physicalLayerSay == .isAsked, used & ~wanted == 0 { return tellPHY(at: call.cycle) }
    ask(
      .setPHY(
        link.handle, wanted & GAPNumber.layer2M != 0 ? .le2M : wanted & GAPNumber.layerCoded != 0 ? .leCoded : .le1M))
  }

  /// 0x90 `sd_ble_gap_data_length_update`: connection, wishes and limits, each of which may be null.
  mutating func updateDataLength(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    var octets = LEDataLength.octetRange.upperBound
    if call.r1 != 0 {
      let wish = try structure(call.r1, 8, call, processor)
      for field in [wish.u16(0), wish.u16(2)] {
        guard field == 0 || LEDataLength.octetRange.contains(field) else { throw .invalidParameter }
      }
      if wish.u16(0) != 0 { octets = wish.u16(0) }
    }
    guard !link.isDisconnecting else { throw .invalidState }
    state.link?.lengthSay = .isGiven
    // No more than the controller has agreed to already.
    if link.lengthSay == .isAsked, octets <= link.lengths.transmit { return tellDataLength(at: call.cycle) }
    ask(.setDataLength(link.handle, octets: octets))
  }

  /// 0x88 `sd_ble_gap_rssi_start`: connection, threshold (0xFF for no events), samples to skip.
  mutating func startSignalStrength(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    guard link.signalThreshold == nil else { throw .invalidState }
    state.link?.signalThreshold = UInt8(truncatingIfNeeded: call.r1)
    note(.notModelled(call: call.number, "signal strength is read once, not at every event"))
    ask(.readSignalStrength(link.handle))
  }

  /// 0x89 `sd_ble_gap_rssi_stop`.
  mutating func stopSignalStrength(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    guard try link(call).signalThreshold != nil else { throw .invalidState }
    state.link?.signalThreshold = nil
    state.link?.signalStrength = nil
  }

  /// 0x8E `sd_ble_gap_rssi_get`: connection, signal strength, channel.
  mutating func tellSignalStrength(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    guard link.signalThreshold != nil else { throw .invalidState }
    guard let strength = link.signalStrength else { throw .notFound }
    try write([UInt8(bitPattern: strength)], to: call.r1, call, &processor)
    if call.r2 != 0 { try write([0], to: call.r2, call, &processor) }
  }

  /// 0x8A to 0x8D, 0x91, 0x92 and 0x94 to 0x96: scanning, connecting, surveys and what depends on connection events.
  mutating func refuseCentral(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    note(.notModelled(call: call.number, "answered 6"))
    throw .notSupported
  }
}

extension GuestStructure {
  /// The intervals that this valid `ble_gap_conn_params_t` allows, in units of 1.25 ms.
  fileprivate var wantedIntervals: ClosedRange<UInt16> {
    let none = GAPNumber.noPreference
    let minimum = u16(0) == none ? GAPNumber.intervals.lowerBound : u16(0)
    return minimum...max(minimum, u16(2) == none ? GAPNumber.intervals.upperBound : u16(2))
  }

  /// Whether this `ble_gap_conn_params_t` keeps to the ranges of the Core Specification (Vol 4, Part E, 7.8.12), where it
  /// has a preference.
  var isConnectionParameters: Bool {
    let (minimum, maximum, latency, timeout) = (u16(0), u16(2), u16(4), u16(6))
    let none = GAPNumber.noPreference
    let isInterval = { (units: UInt16) in GAPNumber.intervals.contains(units) || units == none }
    guard isInterval(minimum), isInterval(maximum), latency <= GAPNumber.highestLatency else { return false }
    guard minimum == none || maximum == none || minimum <= maximum else { return false }
    guard timeout != none else { return true }
    guard GAPNumber.supervisionTimeouts.contains(timeout) else { return false }
    // A timeout in units of 10 ms must be longer than twice an interval in units of 1.25 ms.
    return maximum == none || Int(timeout) * 4 > (1 + Int(latency)) * Int(maximum)
  }
}
