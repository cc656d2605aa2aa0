/// What can be wrong with the way sound becomes a record.
package struct RecordingFaults: Hashable, Sendable {
  /// How many frames are missing at the end of a record.
  package var missingLastFrames = 0
  /// How many ticks of sound are missing at the beginning of a record.
  package var lostFirstTicks: Int64 = 0
  /// How many frames of silence come before the first frame that was heard.
  package var staleFrames = 0
  /// Whether the codec does not know that its label replaces the first samples.
  package var codecForgetsLabel = false
  /// After how many frames one frame is left out; 0 for never.
  package var skippedFramePeriod: Int64 = 0
  /// Whether a sample has three bits instead of four.
  package var hasThreeBits = false
  /// How many frames a record has at most; `nil` for as many as there is room for.
  package var maximumFrames: Int64?

  /// No fault.
  package init() {}
}

extension RecorderFault {
  /// A fifth of a second.
  private static let missingFrames = 25
  /// As many as the queue of the firmware holds.
  private static let queuedFrames = 4

  /// Ten seconds.
  private static let framesBeforeSkip: Int64 = 1250
  /// A minute.
  private static let framesOfMinute: Int64 = 7500

  static let ofRecordings = [
    RecorderFault("skips-frames-late", "Every ten seconds one frame of speech is missing.") {
      $0.recording.skippedFramePeriod = framesBeforeSkip
    },
    RecorderFault("three-bit-samples", "A sample is coded with three bits instead of four.") {
      $0.recording.hasThreeBits = true
    },
    RecorderFault("records-a-minute", "A record ends after a minute, although the button is still down.") {
      $0.recording.maximumFrames = framesOfMinute
    },
    RecorderFault("loses-first-second", "The first second of speech is missing, although the record began.") {
      $0.recording.lostFirstTicks = Oscillator.ticksPerSecond
    },
    RecorderFault("drops-last-frames", "The last fifth of a second of speech is missing.") {
      $0.recording.missingLastFrames = missingFrames
    },
    RecorderFault("sends-stale-frames", "A record begins with frames that were not spoken.") {
      $0.recording.staleFrames = queuedFrames
    },
    RecorderFault("codec-forgets-label", "A record has a constant offset.") { $0.recording.codecForgetsLabel = true },
  ]
}
