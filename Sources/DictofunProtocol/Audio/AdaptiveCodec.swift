/// The recorder's compression: DVI/IMA ADPCM, four bits a sample, the first sample in the high half of an octet
/// (IMA, Recommended Practices for Enhancing Digital Audio Compatibility, revision 3.00).
///
/// The codec has no leak. A wrong start state or a damaged octet leaves an offset that never decays.
public struct AdaptiveCodec: Hashable, Sendable {
  /// The sample that the decoder would give next without a change.
  public private(set) var predictor: Int32
  /// Index into the table of step sizes, 0 to 88.
  public private(set) var stepIndex: Int32

  static let stepSizes: [Int32] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
    107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796,
    876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871,
    5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623,
    27086, 29794, 32767,
  ]
  private static let indexSteps: [Int32] = [-1, -1, -1, -1, 2, 4, 6, 8]

  /// Starts from silence, as at boot.
  public init() {
    predictor = 0
    stepIndex = 0
  }

  /// Compresses one sample to four bits, the low half of the result.
  ///
  /// The three bits of the size are how many of seven bounds the difference reaches. They are compared side by side, because
  /// each sample waits for the one before; and without branches, because sound decides them as a coin would.
  @inline(__always)
  public mutating func encode(_ sample: Int16) -> UInt8 {
    let step = Self.stepSizes[Int(stepIndex)]
    let signed = Int32(sample) - predictor
    let sign = signed >> 31
    let difference = (signed ^ sign) - sign
    let (half, quarter) = (step >> 1, step >> 2)
    func reaches(_ bound: Int32) -> Int32 { difference >= bound ? 1 : 0 }
    let lower = reaches(quarter) + reaches(half) + reaches(half + quarter)
    let upper = reaches(step) + reaches(step + quarter) + reaches(step + half) + reaches(step + half + quarter)
    let code = UInt8(truncatingIfNeeded: (sign & 8) | (lower + upper))
    decode(code)
    return code
  }

  /// Restores the sample of four bits, the low half of `code`. Without branches, as in encoding.
  @inline(__always)
  @discardableResult
  public mutating func decode(_ code: UInt8) -> Int16 {
    let step = Self.stepSizes[Int(stepIndex)]
    let bits = Int32(code)
    let change = (step >> 3) + (step & -(bits >> 2 & 1)) + (step >> 1 & -(bits >> 1 & 1)) + (step >> 2 & -(bits & 1))
    let sign = -(bits >> 3 & 1)
    move((change ^ sign) - sign, code)
    return Int16(truncatingIfNeeded: predictor)
  }

  /// Compresses samples in order, two an octet. A last single sample is doubled.
  public mutating func encode(_ samples: ArraySlice<Int16>) -> [UInt8] {
    samples.withUnsafeBufferPointer { samples in
      [UInt8](unsafeUninitializedCapacity: (samples.count + 1) / 2) { octets, count in
        // A copy, which stays in registers: the octets might lie where `self` does.
        var coder = self
        for index in 0..<(samples.count / 2) {
          let high = coder.encode(samples[2 * index])
          octets[index] = high << 4 | coder.encode(samples[2 * index + 1])
        }
        if !samples.count.isMultiple(of: 2), let last = samples.last {
          let high = coder.encode(last)
          octets[samples.count / 2] = high << 4 | coder.encode(last)
        }
        self = coder
        count = (samples.count + 1) / 2
      }
    }
  }

  /// Restores the two samples of every octet, in order.
  public mutating func decode(_ octets: [UInt8]) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: octets.count * 2) { samples, count in
      var decoder = self
      for index in octets.indices {
        samples[2 * index] = decoder.decode(octets[index] >> 4)
        samples[2 * index + 1] = decoder.decode(octets[index])
      }
      self = decoder
      count = octets.count * 2
    }
  }

  @inline(__always)
  private mutating func move(_ difference: Int32, _ code: UInt8) {
    predictor = min(max(predictor + difference, -32_768), 32_767)
    stepIndex = min(max(stepIndex + Self.indexSteps[Int(code & 7)], 0), 88)
  }
}
