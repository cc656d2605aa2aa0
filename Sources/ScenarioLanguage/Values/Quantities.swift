/// A battery or supply voltage.
public struct Voltage: Hashable, Sendable, Comparable {
  /// Millivolts.
  public let millivolts: Int

  public init(millivolts: Int) { self.millivolts = millivolts }

  public static func < (left: Self, right: Self) -> Bool { left.millivolts < right.millivolts }
}

/// How much faster (positive) or slower than nominal an oscillator runs.
public struct FrequencyError: Hashable, Sendable, Comparable {
  /// Parts per billion; `-20 ppm` is -20,000.
  public let partsPerBillion: Int

  public init(partsPerBillion: Int) { self.partsPerBillion = partsPerBillion }

  public static func < (left: Self, right: Self) -> Bool { left.partsPerBillion < right.partsPerBillion }
}

/// An amount of data.
public struct ByteCount: Hashable, Sendable, Comparable {
  /// Bytes.
  public let bytes: Int

  public init(bytes: Int) { self.bytes = bytes }

  public static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }
}

/// A share of a whole, written in percent.
public struct Share: Hashable, Sendable, Comparable {
  /// Millionths of the whole; `84 %` is 840,000.
  public let millionths: Int

  public init(millionths: Int) { self.millionths = millionths }
  /// A share of whole percent.
  public init(percent: Int) { self.millionths = percent * 10_000 }

  /// Whole percent, rounded towards zero.
  public var percent: Int { millionths / 10_000 }

  public static func < (left: Self, right: Self) -> Bool { left.millionths < right.millionths }
}

/// A radio power relative to one milliwatt.
public struct RadioPower: Hashable, Sendable, Comparable {
  /// Hundredths of a dBm; `-60 dBm` is -6,000.
  public let hundredthsOfDBm: Int

  public init(hundredthsOfDBm: Int) { self.hundredthsOfDBm = hundredthsOfDBm }

  public static func < (left: Self, right: Self) -> Bool { left.hundredthsOfDBm < right.hundredthsOfDBm }
}

/// How far two radios are apart.
public struct Distance: Hashable, Sendable, Comparable {
  /// Millimetres.
  public let millimetres: Int

  public init(millimetres: Int) { self.millimetres = millimetres }

  public static func < (left: Self, right: Self) -> Bool { left.millimetres < right.millimetres }
}

extension Duration {
  /// Whole nanoseconds, rounded towards zero; `nil` beyond ±292 years.
  var boundedNanoseconds: Int64? {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
    return overflow || carried ? nil : sum
  }
}
