/// Which recorders record, begin a record or end one. While they do they answer nothing.
struct RecordingRecorders {
  private static let states: Set = ["RECORD_PREPARE", "RECORDING", "RECORD_END"]
  /// Each once.
  private var recorders: [UInt16] = []

  /// Whether no recorder records.
  var isEmpty: Bool { recorders.isEmpty }

  func contains(_ recorder: UInt16) -> Bool { recorders.contains(recorder) }

  /// Takes what a world states, and gives the recorder that is done with its record with it.
  mutating func follow(_ event: OracleEvent) -> UInt16? {
    switch event {
    case .recorderState(let recorder, let name):
      let wasRecording = contains(recorder)
      recorders.removeAll { $0 == recorder }
      if Self.states.contains(name) { recorders.append(recorder) }
      return wasRecording && !contains(recorder) ? recorder : nil
    case .recorderPowered(let recorder, _): recorders.removeAll { $0 == recorder }
    default: break
    }
    return nil
  }
}
