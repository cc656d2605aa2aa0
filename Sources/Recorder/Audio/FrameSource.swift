import DictofunProtocol

/// Makes the frames of one record as a profile says.
package struct FrameSource: Hashable, Sendable {
  private enum Codec: Hashable, Sendable {
    case knowingItsLabel(RecordEncoder)
    case forgettingItsLabel(AdaptiveCodec, isFirstFrame: Bool)
  }

  private var codec: Codec

  /// Starts a record.
  package init(profile: RecorderProfile) {
    codec =
      profile.forgetsCodecLabel
      ? .forgettingItsLabel(AdaptiveCodec(), isFirstFrame: true) : .knowingItsLabel(RecordEncoder())
  }

  /// Compresses the next 128 samples.
  package mutating func encode(_ frame: ArraySlice<Int16>) -> [UInt8] {
    switch codec {
    case .knowingItsLabel(var encoder):
      defer { codec = .knowingItsLabel(encoder) }
      return encoder.encode(frame)
    case .forgettingItsLabel(var plain, let isFirstFrame):
      var octets = plain.encode(frame)
      if isFirstFrame { octets.replaceSubrange(..<RecordAudio.codecLabel.count, with: RecordAudio.codecLabel) }
      codec = .forgettingItsLabel(plain, isFirstFrame: false)
      return octets
    }
  }
}

extension RecorderProfile {
  /// Whether the encoder goes on as if it had not written the label: the one thing besides the samples that decides the
  /// octets of a record.
  package var forgetsCodecLabel: Bool {
    policies.codecLabel == .isForgotten || faults.recording.codecForgetsLabel
  }
}
