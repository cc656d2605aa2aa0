/// A load of RAM that nobody had written since power came.
public struct UnwrittenRead: Equatable, Sendable {
  /// A processor keeps this many, the first of each instruction.
  public static let limit = 64

  /// The address read.
  public let address: UInt32
  /// How many octets were read.
  public let width: AccessWidth
  /// The address of the instruction that read.
  public let programCounter: UInt32
}
