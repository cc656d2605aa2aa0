import DictofunProtocol

/// A record that is in flash before a run begins.
public struct PlacedRecord: Hashable, Sendable {
  /// Its name.
  public var identifier: RecordIdentifier
  /// Its octets.
  public var content: [UInt8]

  /// A record as it is.
  public init(identifier: RecordIdentifier, content: [UInt8]) {
    self.identifier = identifier
    self.content = content
  }

  /// A record made of sound through the microphone path of a profile, begun at `time` of the recorder's clock.
  public init(_ file: WaveFile, begunAt time: CivilTime, profile: RecorderProfile) {
    self.init(identifier: RecordIdentifier(time), content: Self.content(of: file, profile))
  }

  /// The octets of a record made of sound through the microphone path of a profile.
  package static func content(of file: WaveFile, _ profile: RecorderProfile) -> [UInt8] {
    let microphone = Microphone(file, for: profile)
    var source = FrameSource(profile: profile)
    let frames = microphone.samples.count / RecordAudio.samplesPerFrame
    var content: [UInt8] = []
    content.reserveCapacity(frames * RecordAudio.octetsPerFrame)
    for frame in 0..<frames {
      content += source.encode(microphone.frame(from: frame * RecordAudio.samplesPerFrame))
    }
    return content
  }

  /// Records made of sound files in their order, with a second between them. The last one ended a second before the
  /// recorder's clock shows `clock`.
  public static func made(
    of files: [WaveFile], before clock: CivilTime, profile: RecorderProfile
  ) -> [PlacedRecord] {
    var time = clock
    var records: [PlacedRecord] = []
    for file in files.reversed() {
      time = time.adding(seconds: -Int64(file.samples.count / file.sampleRate) - 2)
      records.append(PlacedRecord(file, begunAt: time, profile: profile))
    }
    return records.reversed()
  }
}
