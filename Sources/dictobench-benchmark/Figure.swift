import Bytes
import Foundation

/// One measured figure, the bar it has to pass, and what the same costs elsewhere.
struct Figure {
  /// The value that a figure has to reach.
  enum Bar {
    case atMost(Double)
    case atLeast(Double)

    var limit: Double {
      switch self {
      case .atMost(let limit), .atLeast(let limit): limit
      }
    }

    func holds(for value: Double) -> Bool {
      switch self {
      case .atMost(let limit): value <= limit
      case .atLeast(let limit): value >= limit
      }
    }

    var words: String {
      switch self {
      case .atMost: "at most"
      case .atLeast: "at least"
      }
    }
  }

  /// Stable name in JSON.
  let name: String
  /// What was measured.
  let title: String
  /// The median of ``samples``, unless it was computed from other medians.
  let value: Double
  /// Unit of every value.
  let unit: String
  /// Each repetition; empty for a figure that was computed.
  var samples: [Double] = []
  /// What has to hold; `nil` for a figure that is only told.
  var bar: Bar?
  /// Bumble's figure for the same work, in the same unit.
  var bumble: Double?

  init(
    _ name: String, _ title: String, _ value: Double, _ unit: String, samples: [Double] = [], bar: Bar? = nil,
    bumble: Double? = nil
  ) {
    self.name = name
    self.title = title
    self.value = value
    self.unit = unit
    self.samples = samples
    self.bar = bar
    self.bumble = bumble
  }

  /// Whether the bar holds; true without one.
  var passes: Bool { bar?.holds(for: value) ?? true }

  /// How many times more Bumble costs, or less it manages.
  var ratio: Double? {
    guard let bumble, value > 0, bumble > 0 else { return nil }
    return max(bumble, value) / min(bumble, value)
  }

  /// One line for people.
  var line: String {
    var columns = [
      title.padding(toLength: 58, withPad: " ", startingAt: 0), Self.digits(value).leftPadded(to: 12),
      unit.padding(toLength: 10, withPad: " ", startingAt: 0),
    ]
    if let bar { columns.append("\(passes ? "ok    " : "MISSED") \(bar.words) \(Self.digits(bar.limit))") }
    if let bumble, let ratio {
      columns.append("Bumble \(Self.digits(bumble)): \(value < bumble ? "1/" : "")\(Self.digits(ratio))")
    }
    return columns.joined(separator: " ")
  }

  /// The same for programs.
  var document: JSONValue {
    var members: [(String, JSONValue)] = [
      ("name", .string(name)), ("title", .string(title)), ("unit", .string(unit)),
      ("value", .string(Self.digits(value))), ("samples", .strings(samples.map(Self.digits))),
    ]
    if let bar {
      members += [
        ("bar", .string("\(bar.words) \(Self.digits(bar.limit))")), ("passes", .boolean(passes)),
      ]
    }
    if let bumble, let ratio {
      members += [("bumble", .string(Self.digits(bumble))), ("ratio", .string(Self.digits(ratio)))]
    }
    return .object(members)
  }

  /// Four digits that count, without an exponent.
  static func digits(_ value: Double) -> String {
    if value >= 1000 { return String(format: "%.0f", value) }
    return String(format: value >= 100 ? "%.1f" : value >= 10 ? "%.2f" : "%.3f", value)
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: Swift.max(0, width - count)) + self
  }
}
