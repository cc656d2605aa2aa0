/// The recorder's compression: DVI/IMA ADPCM, four bits a sample, the first sample in the high half of an octet
/// (IMA, Recommended Practices for Enhancing Digital Audio Compatibility, revision 3.00).
///
/// The codec has no leak. A wrong start state or a damaged octet leaves an offset that never decays.
public struct AdaptiveCodec: Hashable, Sendable {
  /// The sample that the decoder would give next without a change.
  public private(set) var predictor = 0
  /// Index into the table of step sizes, 0 to 88.
  public private(set) var stepIndex = 0

  /// Starts from silence, as at boot.
  public init() {}

  /// Compresses samples in order, two an octet. A last single sample is doubled.
  public mutating func encode(_ samples: ArraySlice<Int16>) -> [UInt8] {
    // Silence changes nothing in a codec that rests, and is what most simulated recorders hear.
    if self == AdaptiveCodec(), samples.allSatisfy({ $0 == 0 }) {
      return Array(repeating: 0, count: (samples.count + 1) / 2)
    }
    return samples.withUnsafeBufferPointer { samples in
      AdaptiveScale.using { scale in
        [UInt8](unsafeUninitializedCapacity: (samples.count + 1) / 2) { octets, count in
          // A copy, which stays in registers: the octets might lie where `self` does.
          var coder = self
          for index in 0..<(samples.count / 2) {
            let high = coder.encode(samples[2 * index], scale)
            octets[index] = high << 4 | coder.encode(samples[2 * index + 1], scale)
          }
          if !samples.count.isMultiple(of: 2), let last = samples.last {
            let high = coder.encode(last, scale)
            octets[samples.count / 2] = high << 4 | coder.encode(last, scale)
          }
          self = coder
          count = (samples.count + 1) / 2
        }
      }
    }
  }

  /// Restores the two samples of every octet, in order.
  public mutating func decode(_ octets: [UInt8]) -> [Int16] {
    AdaptiveScale.using { scale in
      [Int16](unsafeUninitializedCapacity: octets.count * 2) { samples, count in
        var decoder = self
        for index in octets.indices {
          samples[2 * index] = decoder.decode(octets[index] >> 4, scale)
          samples[2 * index + 1] = decoder.decode(octets[index] & 0xF, scale)
        }
        self = decoder
        count = octets.count * 2
      }
    }
  }

  /// Compresses one sample to four bits.
  @inline(__always)
  private mutating func encode(_ sample: Int16, _ scale: AdaptiveScale) -> UInt8 {
    let code = scale.code(of: Int(sample) - predictor, stepIndex)
    move(code, scale)
    return UInt8(truncatingIfNeeded: code)
  }

  /// Restores the sample of four bits.
  @inline(__always)
  private mutating func decode(_ code: UInt8, _ scale: AdaptiveScale) -> Int16 {
    move(Int(code), scale)
    return Int16(truncatingIfNeeded: predictor)
  }

  @inline(__always)
  private mutating func move(_ code: Int, _ scale: AdaptiveScale) {
    let move = scale.move(code, stepIndex)
    predictor += Int(move.change)
    stepIndex = Int(move.stepIndex)
    if predictor != Int(Int16(truncatingIfNeeded: predictor)) { predictor = Self.limited(predictor) }
  }

  /// The nearest sample. Not inlined, so that a branch leads here, which is hardly ever taken: sums that need no limit do not
  /// wait for it.
  @inline(never)
  private static func limited(_ predictor: Int) -> Int { Int(Int16(clamping: predictor)) }
}
