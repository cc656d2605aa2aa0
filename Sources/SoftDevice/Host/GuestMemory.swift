import Processor

/// Every pointer of a call goes through here: one into nowhere is an error result and a finding.
extension SoftDeviceHost {
  /// Octets at a pointer.
  mutating func read(
    _ address: UInt32, _ count: Int, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> [UInt8] {
    guard address != 0, let octets = try? processor.memory.read(address, count: count) else {
      throw badPointer(address, count, call)
    }
    return octets
  }

  /// A structure at a pointer.
  mutating func structure(
    _ address: UInt32, _ size: Int, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> GuestStructure {
    GuestStructure(octets: try read(address, size, call, processor))
  }

  /// A half-word at a pointer.
  mutating func readLength(
    _ address: UInt32, _ call: SupervisorCall, _ processor: CortexM4
  ) throws(ErrorNumber) -> Int {
    Int(try structure(address, 2, call, processor).u16(0))
  }

  /// Puts octets where a pointer points to.
  mutating func write(
    _ octets: [UInt8], to address: UInt32, _ call: SupervisorCall, _ processor: inout CortexM4
  ) throws(ErrorNumber) {
    if address != 0 {
      do {
        return try processor.memory.write(octets, at: address)
      } catch {}
    }
    throw badPointer(address, octets.count, call)
  }

  /// Puts a half-word where a pointer points to.
  mutating func write(
    _ value: UInt16, to address: UInt32, _ call: SupervisorCall, _ processor: inout CortexM4
  ) throws(ErrorNumber) {
    try write([UInt8(truncatingIfNeeded: value), UInt8(value >> 8)], to: address, call, &processor)
  }

  /// Puts a word where a pointer points to.
  mutating func write(
    _ value: UInt32, to address: UInt32, _ call: SupervisorCall, _ processor: inout CortexM4
  ) throws(ErrorNumber) {
    var fields = GuestFields(4)
    fields.put(value, at: 0)
    try write(fields.octets, to: address, call, &processor)
  }

  private mutating func badPointer(_ address: UInt32, _ count: Int, _ call: SupervisorCall) -> ErrorNumber {
    note(.badPointer(call: call.number, address: address, count: count))
    return .invalidAddress
  }
}
