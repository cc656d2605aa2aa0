import HostStack
import Processor

/// Answers of the image to the peer's client, 0xB0 and 0xB5 (`ble_gatts.h`).
extension SoftDeviceHost {
  /// 0xB0 `sd_ble_gatts_rw_authorize_reply`: connection, kind, status, whether the value is to change, and to what.
  mutating func authorize(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let reply = try structure(call.r1, 16, call, processor)
    let isWrite = reply.u8(0) == GATTNumber.authorizesWrite
    guard isWrite || reply.u8(0) == GATTNumber.authorizesRead else { throw .invalidParameter }
    guard let access = link.authorization, access.isWrite == isWrite else { throw .invalidState }
    let status = reply.u16(4)
    guard status == 0 || GATTStatus.isProtocolError(status) else { throw .invalidParameter }
    if status == 0 { try update(reply, access, call, &processor) }
    state.link?.authorization = nil
    let refusal = status == 0 ? nil : ATTErrorCode(rawValue: UInt8(truncatingIfNeeded: status))
    if access.isWrite {
      ask(.answerWrite(link.handle, access.token, refusal))
    } else if let refusal {
      ask(.answerRead(link.handle, access.token, .failure(refusal)))
    } else {
      ask(.answerRead(link.handle, access.token, .success(valueNow(access.handle, processor))))
    }
  }

  private mutating func update(
    _ reply: GuestStructure, _ access: PendingAuthorization, _ call: SupervisorCall, _ processor: inout CortexM4
  ) throws(ErrorNumber) {
    guard reply.u8(6) & 1 == 1, let attribute = state.server[access.handle] else { return }
    let count = Int(reply.u16(10))
    let octets = count == 0 ? [] : try read(reply.u32(12), count, call, processor)
    let offset = Int(reply.u16(8))
    guard var value = current(attribute, processor).value(writing: octets, at: offset) else { throw .dataSize }
    if attribute.isVariable { value = Array(value.prefix(offset + count)) }
    try put(value, access.handle, attribute, call, &processor)
  }

  func valueNow(_ handle: UInt16, _ processor: CortexM4) -> [UInt8] {
    state.server[handle].map { current($0, processor).value } ?? []
  }

  /// 0xB5 `sd_ble_gatts_exchange_mtu_reply`: connection, largest PDU.
  mutating func replyTransmissionUnit(_ call: SupervisorCall, _ processor: inout CortexM4) throws(ErrorNumber) {
    let link = try link(call)
    let size = UInt16(truncatingIfNeeded: call.r1)
    guard size >= GATTNumber.defaultTransmissionUnit, size <= state.configuration.maximumTransmissionUnit else {
      throw .invalidParameter
    }
    guard link.isExchangeRequested else { throw .invalidState }
    state.link?.isExchangeRequested = false
    ask(.answerMaximumTransmissionUnit(link.handle, size))
  }
}
