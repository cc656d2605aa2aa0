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
  public init?(_ value: Value) {
    guard case .quantity(Self.dimension, let amount) = value else { return nil }
    self.init(baseUnits: amount)
  }
  public var encoded: Value? { .quantity(Self.dimension, baseUnits) }
}

extension Duration: QuantityValue {
  public static var dimension: Dimension { .duration }
  public init(baseUnits: Int64) { self = .nanoseconds(baseUnits) }
  /// Nanoseconds, rounded towards zero and kept within the range of `Int64`.
  public var baseUnits: Int64 { boundedNanoseconds ?? (self < .zero ? .min : .max) }
}

extension Voltage: QuantityValue {
  public static var dimension: Dimension { .voltage }
  public init(baseUnits: Int64) { self.init(millivolts: Int(baseUnits)) }
  public var baseUnits: Int64 { Int64(millivolts) }
}

extension FrequencyError: QuantityValue {
  public static var dimension: Dimension { .frequencyError }
  public init(baseUnits: Int64) { self.init(partsPerBillion: Int(baseUnits)) }
  public var baseUnits: Int64 { Int64(partsPerBillion) }
}

extension ByteCount: QuantityValue {
  public static var dimension: Dimension { .bytes }
  public init(baseUnits: Int64) { self.init(bytes: Int(baseUnits)) }
  public var baseUnits: Int64 { Int64(bytes) }
}

extension Share: QuantityValue {
  public static var dimension: Dimension { .share }
  public init(baseUnits: Int64) { self.init(millionths: Int(baseUnits)) }
  public var baseUnits: Int64 { Int64(millionths) }
}

extension RadioPower: QuantityValue {
  public static var dimension: Dimension { .power }
  public init(baseUnits: Int64) { self.init(hundredthsOfDBm: Int(baseUnits)) }
  public var baseUnits: Int64 { Int64(hundredthsOfDBm) }
}

extension Distance: QuantityValue {
  public static var dimension: Dimension { .distance }
  public init(baseUnits: Int64) { self.init(millimetres: Int(baseUnits)) }
  public var baseUnits: Int64 { Int64(millimetres) }
}
