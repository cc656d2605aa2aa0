/// A load of RAM that nobody had written since power came.
package struct UnwrittenRead: Equatable, Sendable {
  /// A processor keeps this many, the first of each instruction.
  package static let limit = 64

  /// The address read.
  package let address: UInt32
  /// How many octets were read.
  package let width: AccessWidth
  /// The address of the instruction that read.
  package let programCounter: UInt32
}
