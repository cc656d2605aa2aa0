/// What a descriptor is watched for, or ready for.
public struct DescriptorInterest: OptionSet, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Octets can be read, or the other end is gone.
  public static let readable = DescriptorInterest(rawValue: 1)
  /// Octets can be written.
  public static let writable = DescriptorInterest(rawValue: 2)
}
