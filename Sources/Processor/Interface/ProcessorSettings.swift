/// What the owner of a processor decides once.
package struct ProcessorSettings: Equatable, Sendable {
  /// Numbers of supervisor calls that end the run instead of taking the guest's own handler; nil for none.
  package var hostCalls: ClosedRange<UInt8>?
  /// Whether loops that can change nothing are skipped up to the limit of a run. It never changes a result.
  package var skipsSpinning: Bool
  /// Whether executing RAM is a fault.
  package var stopsAtDataExecution: Bool

  /// Settings for an image above a SoftDevice, unless told otherwise.
  package init(
    hostCalls: ClosedRange<UInt8>? = 0x10...0xFF, skipsSpinning: Bool = true, stopsAtDataExecution: Bool = false
  ) {
    self.hostCalls = hostCalls
    self.skipsSpinning = skipsSpinning
    self.stopsAtDataExecution = stopsAtDataExecution
  }
}
