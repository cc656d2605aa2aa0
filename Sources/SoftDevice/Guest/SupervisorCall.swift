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
