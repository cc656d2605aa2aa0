/// The flip-flop that keeps the board's power on after the button was let go.
struct PowerLatch: Hashable, Sendable {
  /// Whether it holds the power.
  private(set) var isClosed = false
  /// Whether something outside holds the power rail.
  var isRailHeld = false

  /// The rising edge of its clock: it takes its data.
  mutating func clock(data: Bool) { isClosed = data }

  /// Power is gone.
  mutating func open() { isClosed = false }
}
