import DictofunProtocol

/// The record that is being made: which frames of sound have been taken, and what is not yet in flash.
///
/// Nothing happens while sound comes in; the frames of a span of time are taken together when something asks for
/// them.
struct ActiveRecording: Hashable, Sendable {
  private let startTick: Int64
  private let sampleRate: Int64
  /// Most frames that the room in flash holds.
  private let maximumFrames: Int64
  private let losesLastPage: Bool
  private let skippedFramePeriod: Int64
  private let hasThreeBits: Bool
  private let microphoneOffset: Int
  private let heldBack: Int64
  private var staleFrames: Int
  private var framesTaken: Int64 = 0
  private var source: FrameSource
  private var page: [UInt8] = []

  private static let framesPerPage = Int64(FileSystemGeometry.pageBytes / RecordAudio.octetsPerFrame)

  /// Starts with the frame that begins at `tick`; the microphone's sample of that moment has index
  /// `microphoneOffset`.
  init(at tick: Int64, room: Int, microphoneOffset: Int, profile: RecorderProfile) {
    startTick = tick
    sampleRate = Int64(profile.sampleRate)
    let faults = profile.faults.storage
    maximumFrames =
      profile.faults.recording.maximumFrames
      ?? (faults.neverFull ? Int64(Int32.max) : Int64(room / RecordAudio.octetsPerFrame))
    losesLastPage = faults.losesLastPage
    skippedFramePeriod = profile.faults.recording.skippedFramePeriod
    hasThreeBits = profile.faults.recording.hasThreeBits
    self.microphoneOffset = microphoneOffset
    source = FrameSource(profile: profile)
    heldBack = Int64(profile.faults.recording.missingLastFrames)
    staleFrames = profile.faults.recording.staleFrames
  }

  /// Samples in a frame times ticks in a second; divided by the sample rate it gives the ticks of a frame.
  private static let frameTicksScaled = Int64(RecordAudio.samplesPerFrame) * Oscillator.ticksPerSecond

  /// Whether the room in flash is used up.
  var isFull: Bool { framesTaken >= maximumFrames }
  /// The tick at which the room in flash will be used up.
  var fullTick: Int64 { self.tick(ofFrames: maximumFrames + heldBack) }
  /// The tick at which the next page will be written.
  var nextPageTick: Int64 {
    self.tick(ofFrames: (framesTaken / Self.framesPerPage + 1) * Self.framesPerPage + heldBack)
  }

  private func tick(ofFrames frames: Int64) -> Int64 {
    startTick + (frames * Self.frameTicksScaled + sampleRate - 1) / sampleRate
  }

  /// Takes the sound up to `tick` and writes the pages that it fills.
  mutating func advance(to tick: Int64, _ microphone: Microphone, _ storage: inout RecordStorage) {
    let frames = min((tick - startTick) * sampleRate / Self.frameTicksScaled - heldBack, maximumFrames)
    while framesTaken < frames {
      let skipped = skippedFramePeriod > 0 ? framesTaken / skippedFramePeriod : 0
      let index = microphoneOffset + Int(framesTaken + skipped) * RecordAudio.samplesPerFrame
      framesTaken += 1
      if staleFrames > 0 {
        page += source.encode(Array(repeating: 0, count: RecordAudio.samplesPerFrame)[...])
        staleFrames -= 1
      }
      let frame = source.encode(microphone.frame(from: index))
      page += hasThreeBits ? frame.map { $0 & 0xEE } : frame
      while page.count >= FileSystemGeometry.pageBytes {
        storage.append(Array(page.prefix(FileSystemGeometry.pageBytes)))
        page.removeFirst(FileSystemGeometry.pageBytes)
      }
    }
  }

  /// Writes what is left of the last page and ends the record. Returns it when power held.
  mutating func finish(_ storage: inout RecordStorage) -> StoredRecord? {
    if !page.isEmpty, !losesLastPage { storage.append(page) }
    page = []
    return storage.finish()
  }
}
