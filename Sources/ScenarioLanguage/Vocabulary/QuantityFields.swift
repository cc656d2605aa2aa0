/// A field type that is one amount of one dimension.
public protocol QuantityValue: FieldValue {
  /// Its dimension, which fixes the units.
  static var dimension: Dimension { get }
  /// Takes an amount in the dimension's base unit.
  init(baseUnits: Int64)
  /// The amount in the dimension's base unit.
  var baseUnits: Int64 { get }
}

extension QuantityValue {
  /// A number with one of the dimension's units.
  public static var valueType: ValueType { .quantity(dimension) }
  /// Takes a `.quantity` of this dimension; `nil` for any other value.
  public init?(_ value: Value) {
    guard case .quantity(Self.dimension, let amount) = value else { return nil }
    self.init(baseUnits: amount)
  }
  /// Always a `.quantity`.
  public var encoded: Value? { .quantity(Self.dimension, baseUnits) }
}

extension Duration: QuantityValue {
  /// Counted in nanoseconds.
  public static var dimension: Dimension { .duration }
  /// Takes nanoseconds.
  public init(baseUnits: Int64) { self = .nanoseconds(baseUnits) }
  /// Nanoseconds, rounded towards zero and kept within the range of `Int64`.
  public var baseUnits: Int64 { boundedNanoseconds ?? (self < .zero ? .min : .max) }
}

extension Voltage: QuantityValue {
  /// Counted in millivolts.
  public static var dimension: Dimension { .voltage }
  /// Takes millivolts.
  public init(baseUnits: Int64) { self.init(millivolts: Int(baseUnits)) }
  /// Millivolts.
  public var baseUnits: Int64 { Int64(millivolts) }
}

extension FrequencyError: QuantityValue {
  /// Counted in parts per billion.
  public static var dimension: Dimension { .frequencyError }
  /// Takes parts per billion.
  public init(baseUnits: Int64) { self.init(partsPerBillion: Int(baseUnits)) }
  /// Parts per billion.
  public var baseUnits: Int64 { Int64(partsPerBillion) }
}

extension ByteCount: QuantityValue {
  /// Counted in bytes.
  public static var dimension: Dimension { .bytes }
  /// Takes bytes.
  public init(baseUnits: Int64) { self.init(bytes: Int(baseUnits)) }
  /// Bytes.
  public var baseUnits: Int64 { Int64(bytes) }
}

extension Share: QuantityValue {
  /// Counted in millionths.
  public static var dimension: Dimension { .share }
  /// Takes millionths.
  public init(baseUnits: Int64) { self.init(millionths: Int(baseUnits)) }
  /// Millionths.
  public var baseUnits: Int64 { Int64(millionths) }
}

extension RadioPower: QuantityValue {
  /// Counted in hundredths of a dBm.
  public static var dimension: Dimension { .power }
  /// Takes hundredths of a dBm.
  public init(baseUnits: Int64) { self.init(hundredthsOfDBm: Int(baseUnits)) }
  /// Hundredths of a dBm.
  public var baseUnits: Int64 { Int64(hundredthsOfDBm) }
}

extension Distance: QuantityValue {
  /// Counted in millimetres.
  public static var dimension: Dimension { .distance }
  /// Takes millimetres.
  public init(baseUnits: Int64) { self.init(millimetres: Int(baseUnits)) }
  /// Millimetres.
  public var baseUnits: Int64 { Int64(millimetres) }
}
