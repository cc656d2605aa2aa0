import Processor

/// One supervisor call as the image made it.
package struct SupervisorCall: Hashable, Sendable {
  /// Its number.
  package var number: UInt8
  /// R0.
  package var r0: UInt32
  /// R1.
  package var r1: UInt32
  /// R2.
  package var r2: UInt32
  /// R3.
  package var r3: UInt32
  /// When it was made, in cycles.
  package var cycle: UInt64

  /// The call that a processor stands behind.
  init(_ number: UInt8, _ processor: CortexM4, at cycle: UInt64) {
    self.number = number
    r0 = processor[register: 0]
    r1 = processor[register: 1]
    r2 = processor[register: 2]
    r3 = processor[register: 3]
    self.cycle = cycle
  }

  /// R0 as a half-word: most often a connection's handle.
  var connection: UInt16 { UInt16(truncatingIfNeeded: r0) }
}

/// A structure in guest memory, read as a whole. Fields are named by their offsets, all below the size it was read with.
struct GuestStructure {
  let octets: [UInt8]

  func u8(_ offset: Int) -> UInt8 { octets[offset] }
  func u16(_ offset: Int) -> UInt16 { UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8 }
  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }
  func part(_ offset: Int, _ count: Int) -> [UInt8] { Array(octets[offset..<offset + count]) }
}

/// A structure for guest memory, filled field by field; what is not filled is zero.
struct GuestFields {
  private(set) var octets: [UInt8]

  init(_ size: Int) { octets = Array(repeating: 0, count: size) }

  mutating func put(_ value: UInt8, at offset: Int) { octets[offset] = value }
  mutating func put(_ value: UInt16, at offset: Int) {
    octets[offset] = UInt8(truncatingIfNeeded: value)
    octets[offset + 1] = UInt8(value >> 8)
  }
  mutating func put(_ value: UInt32, at offset: Int) {
    put(UInt16(truncatingIfNeeded: value), at: offset)
    put(UInt16(value >> 16), at: offset + 2)
  }
  mutating func put(_ value: [UInt8], at offset: Int) {
    octets.replaceSubrange(offset..<offset + value.count, with: value)
  }
}

// MARK: Guest memory

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
