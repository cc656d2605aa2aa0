/// What the recorder's LED shows.
public struct LightSignal: Hashable, Sendable, CustomStringConvertible {
  /// Colour, mixed from red, green and blue.
  public enum Color: String, Hashable, Sendable {
    /// Red alone.
    case red
    /// Green alone.
    case green
    /// Blue alone.
    case darkBlue = "dark blue"
    /// Red and blue.
    case purple
    /// Red and green.
    case yellow
    /// All three.
    case white
  }

  /// How it glows.
  public enum Glow: String, Hashable, Sendable {
    /// Once in 2000 ticks.
    case slow
    /// Once in 500 ticks.
    case fast
  }

  /// The colour.
  public var color: Color
  /// How it glows.
  public var glow: Glow

  /// A colour and how it glows.
  public init(_ color: Color, _ glow: Glow) {
    self.color = color
    self.glow = glow
  }

  /// Colour and glow, such as `dark blue slow`.
  public var description: String { "\(color.rawValue) \(glow.rawValue)" }
}
