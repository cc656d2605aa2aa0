import Timeline

/// Cuts power at every instruction that an executed recorder executes in a span, in copies of it.
///
/// Only the flashes survive a cut. So all instructions between two changes of a flash have one future, and one copy for each
/// such stretch shows it: its power is cut, comes back, and the copy runs for a while. Words that the chip's flash has
/// written of an operation under way count as changes. The recorder itself goes on as if nothing had been.
package struct PowerCutSweep: Sendable {
  /// What survives a cut, as far as it can have changed.
  struct FlashMark: Hashable, Sendable {
    /// Operations of the flash for records.
    var storage: Int
    /// The content of the chip's flash.
    var chip: UInt64
    /// How far the operation on the chip's flash has come; `nil` while there is none.
    var progress: UInt64?
  }

  /// The instants in which power is cut.
  let span: Range<Instant>
  private let scenario: String
  private let ledger: PowerCutLedger
  private var mark: FlashMark?
  private var instructions: UInt64?
  /// Whether the bootloader had an application to start, or one to put in place, when its settings could last be read.
  var hasApplication = false

  /// How long a copy runs at most after its power came back: longer than a bootloader takes to put an application in place.
  let future: Duration
  /// How long it runs once the application has been started: longer than that takes to look at its records.
  static let settling = Duration.seconds(3)
  /// How long a copy has no power.
  static let pause = Duration.milliseconds(100)

  init(
    _ span: Range<Instant>, of scenario: String, telling ledger: PowerCutLedger, future: Duration = .seconds(3)
  ) {
    self.span = span
    self.future = future
    self.scenario = scenario
    self.ledger = ledger
  }

  /// Notes how many instructions were executed since it was asked last.
  mutating func note(executed count: UInt64) {
    if let instructions, count > instructions { ledger.execute(count - instructions, in: scenario) }
    instructions = count
  }

  /// Whether power was not cut yet with these contents of the flashes.
  mutating func isNew(_ mark: FlashMark) -> Bool {
    defer { self.mark = mark }
    return mark != self.mark
  }

  /// Tells the ledger what a cut did.
  func tell(_ cut: PowerCut) { ledger.add(cut, in: scenario) }
}
