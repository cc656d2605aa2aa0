/// The orders that single keys in a terminal stand for.
struct SteeringKeys {
  /// The line at the bottom of the terminal.
  static let help = "p press/release  b battery  x break link  r reboot  f next fault  i inspect  : verb  q quit"

  /// Full, half empty, empty.
  private static let voltages = ["3.7 V", "3.4 V", "2.9 V"]

  private var isPressed = false
  private var voltage = 0

  /// The order that a key stands for; `nil` for a key that means nothing.
  mutating func order(_ key: Character) -> String? {
    switch key {
    case "p":
      isPressed.toggle()
      return isPressed ? "hold" : "release"
    case "b":
      voltage = (voltage + 1) % Self.voltages.count
      return "battery: \(Self.voltages[voltage])"
    case "x": return "break"
    case "r": return "reboot"
    case "f": return "fault: next"
    case "i": return "inspect"
    default: return nil
    }
  }
}
