/// What a descriptor is watched for, or ready for.
package struct DescriptorInterest: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Octets can be read, or the other end is gone.
  package static let readable = DescriptorInterest(rawValue: 1)
  /// Octets can be written.
  package static let writable = DescriptorInterest(rawValue: 2)
}
