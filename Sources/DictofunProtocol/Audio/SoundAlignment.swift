/// Where a record lies in the sound that was spoken: how late it begins, and how fast its samples were taken.
///
/// A recorder that has to boot begins late, and the clock of its microphone is its own. Neither spoils the sound, so a record
/// is compared with what that recorder could hear. What is missing in its middle, or stands before its beginning, moves all
/// that follows, and no alignment makes up for it.
public struct SoundAlignment: Hashable, Sendable {
  /// Place of the record's first sample in the sound, in units of ``one``.
  public private(set) var start = 0
  /// From one sample of the record to the next, in units of ``one``; ``one`` for a record at the rate of the sound.
  public private(set) var step = SoundAlignment.one

  /// A whole sample of the sound.
  public static let one = 1 << 32
  /// The latest beginning, in samples: what DEV-1 allows a press, and a tenth of a second for the air and the desk.
  public static let latest = RecordAudio.sampleRate / 2
  /// How far the rate of a record may be off, in thousandths: half as much again as the divider nearest to 16,000 Hz.
  public static let rateTolerance = 12

  /// A record that is the sound from its beginning on, at its rate.
  public init() {}

  /// The samples of the sound that belong to the samples of a record in `places`, between two by a straight line; fewer where
  /// the sound ends before.
  public func expected(_ spoken: [Int16], at places: Range<Int>) -> [Int16] {
    places.prefix { fits($0, spoken) }.map { value(spoken, $0) }
  }

  private func fits(_ place: Int, _ spoken: [Int16]) -> Bool {
    let position = start + place * step
    return position >= 0 && (position &>> 32) + 1 < spoken.count
  }

  @inline(__always)
  private func value(_ spoken: [Int16], _ place: Int) -> Int16 {
    let position = start + place * step
    let index = position &>> 32
    let left = Int(spoken[index])
    let share = (Int(spoken[index + 1]) - left) * (position &>> 16 & 0xFFFF)
    return Int16(truncatingIfNeeded: left + share &>> 16)
  }
}

// MARK: Search

extension SoundAlignment {
  /// Samples of the window that is looked for first.
  private static let window = 1024
  /// Most samples that are compared for one alignment: enough to tell, and no more for a record of hours.
  private static let mostCompared = 1 << 9

  /// Looks for the alignment in which least is left between a record and the sound.
  ///
  /// First its loudest moment within two seconds is looked for at every place where it may be, with rates so close that the
  /// moment does not smear. Then a longer and longer part is compared, and each time place and rate are told more finely.
  public init(of heard: [Int16], in spoken: [Int16]) {
    guard let moment = Self.loudestMoment(of: heard), spoken.count > Self.window else { return }
    var best = Self.coarse(heard, moment, spoken)
    var length = Self.window
    // So short a moment says where it is and hardly anything of the rate, which is looked for anew.
    var reach = 2 * Self.rateTolerance * 8 * length / 1000
    while length < heard.count - moment {
      length = min(2 * length, heard.count - moment)
      best = best.refined(heard, moment..<(moment + length), spoken, rates: reach)
      reach = 8
    }
    for fineness in [1, 8] {
      best = best.refined(heard, RecordAudio.labelSamples..<heard.count, spoken, fineness: fineness)
    }
    self = best
  }

  private static func loudestMoment(of heard: [Int16]) -> Int? {
    let limit = min(heard.count, 2 * RecordAudio.sampleRate) - window
    // The beginning may be spoiled, because the microphone wakes up there.
    let moments = stride(from: window, through: limit, by: window / 2)
    return moments.max { energy(heard, $0) < energy(heard, $1) }
  }

  private static func energy(_ heard: [Int16], _ moment: Int) -> Int {
    heard[moment..<(moment + window)].reduce(0) { $0 + Int($1) * Int($1) }
  }

  private static func coarse(_ heard: [Int16], _ moment: Int, _ spoken: [Int16]) -> SoundAlignment {
    var (best, least) = (SoundAlignment(), Int.max)
    // From the middle outwards: after a good one the others are given up soon.
    let rates = stride(from: -rateTolerance, through: rateTolerance, by: 2).sorted { abs($0) < abs($1) }
    for thousandths in rates {
      var candidate = SoundAlignment()
      candidate.step += one / 1000 * thousandths
      // A rate between two that are tried moves the moment by so much.
      let slack = moment / 1000 + 1
      for delay in -slack...(latest + slack) {
        candidate.start = delay * one
        let noise = candidate.noise(heard, moment..<(moment + window), spoken, below: least)
        if noise < least { (best, least) = (candidate, noise) }
      }
    }
    return best
  }

  /// The best of the alignments around this one that a part of the record tells apart.
  private func refined(
    _ heard: [Int16], _ part: Range<Int>, _ spoken: [Int16], rates: Int = 8, fineness: Int = 1
  ) -> SoundAlignment {
    var best = self
    var least = noise(heard, part, spoken, below: .max)
    for stretch in -rates...rates {
      for shift in -8...8 {
        var candidate = self
        candidate.step += stretch * Self.one / (4 * part.count * fineness)
        // The part turns around its beginning.
        candidate.start += shift * Self.one / (8 * fineness) - part.lowerBound * (candidate.step - step)
        let noise = candidate.noise(heard, part, spoken, below: least)
        if noise < least { (best, least) = (candidate, noise) }
      }
    }
    return best
  }

  /// The energy of the difference in a part of the record; some higher one than `limit` where it reaches that. What lies
  /// outside the sound is compared with silence.
  private func noise(_ heard: [Int16], _ part: Range<Int>, _ spoken: [Int16], below limit: Int) -> Int {
    var noise = 0
    let (first, last) = (start + part.lowerBound * step, start + (part.upperBound - 1) * step)
    let isInside = first >= 0 && (last >> 32) + 1 < spoken.count
    let interval = 1 + part.count / Self.mostCompared
    var place = part.lowerBound
    while place < part.upperBound, noise < limit {
      let wanted = isInside || fits(place, spoken) ? Int(value(spoken, place)) : 0
      let difference = Int(heard[place]) - wanted
      noise += difference * difference
      place += interval
    }
    return noise
  }
}

extension SignalQuality {
  /// Compares a record with the sound that was spoken, from the moment on in which the record began and as fast as its samples
  /// were taken. The label takes the place of the first samples, which a phone mutes.
  ///
  /// What cannot be aligned, or would have begun before the sound did, is compared from the beginning on.
  public init(of heard: [Int16], spoken: [Int16]) {
    let places = min(RecordAudio.labelSamples, heard.count)..<heard.count
    let expected = SoundAlignment(of: heard, in: spoken).expected(spoken, at: places)
    // A few samples at the end of the sound say nothing.
    let isEnough = expected.count * 2 >= min(places.count, spoken.count)
    self.init(expected: isEnough ? expected[...] : spoken.dropFirst(places.lowerBound), actual: heard[places])
  }
}
