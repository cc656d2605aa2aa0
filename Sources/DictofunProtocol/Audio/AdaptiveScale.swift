/// The codec's 89 sizes of a step, and what its arithmetic gives for each, worked out once.
///
/// A sample of sound cannot be compressed before the one before it is, so the time from one to the next is all that counts. It is
/// shortest where the sums and limits of the recommendation are looked up, and where nothing is decided by a branch that sound
/// would take as a coin falls.
struct AdaptiveScale {
  /// What a code does to the state of a codec.
  struct Move {
    /// Added to the predictor.
    var change: Int32
    /// The index of the step after it.
    var stepIndex: Int32
  }

  static let stepSizes: [Int32] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73, 80, 88, 97,
    107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494, 544, 598, 658, 724, 796,
    876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499, 2749, 3024, 3327, 3660, 4026, 4428, 4871,
    5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487, 12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623,
    27086, 29794, 32767,
  ]
  private static let indexSteps = [-1, -1, -1, -1, 2, 4, 6, 8]

  /// For each step the seven sizes of a difference from which on its code is one higher, and an eighth place that is free.
  private static let bounds: [Int] = stepSizes.flatMap { step in
    let (half, quarter) = (step >> 1, step >> 2)
    let bounds = [quarter, half, half + quarter, step, step + quarter, step + half, step + half + quarter, 0]
    return bounds.map(Int.init)
  }

  /// For each step what each of the sixteen codes does.
  private static let moves: [Move] = stepSizes.enumerated().flatMap { index, step in
    (0..<16).map { code in
      let parts = [(4, step), (2, step >> 1), (1, step >> 2)]
      let size = parts.reduce(step >> 3) { size, part in code & part.0 != 0 ? size + part.1 : size }
      let next = min(max(index + indexSteps[code & 7], 0), stepSizes.count - 1)
      return Move(change: code & 8 != 0 ? -size : size, stepIndex: Int32(next))
    }
  }

  private let bounds: UnsafeBufferPointer<Int>
  private let moves: UnsafeBufferPointer<Move>

  /// Lends the tables, so that a sample costs no checks of their ownership.
  static func using<Result>(_ body: (AdaptiveScale) -> Result) -> Result {
    bounds.withUnsafeBufferPointer { bounds in
      moves.withUnsafeBufferPointer { moves in body(AdaptiveScale(bounds: bounds, moves: moves)) }
    }
  }

  /// The code of four bits for a difference from the predictor.
  @inline(__always)
  func code(of difference: Int, _ stepIndex: Int) -> Int {
    let size = max(difference, -difference)
    // Side by side, because the sum of seven answers comes sooner than the third of three that wait for each other. As whole
    // words, or the compiler makes vectors of them, which takes longer than it saves.
    func reaches(_ bound: Int) -> Int { size >= bounds[8 &* stepIndex &+ bound] ? 1 : 0 }
    let lower = (reaches(0) + reaches(1)) + (reaches(2) + reaches(3))
    let upper = (reaches(4) + reaches(5)) + reaches(6)
    return (difference >> 63 & 8) + (lower + upper)
  }

  /// What a code of four bits does.
  @inline(__always)
  func move(_ code: Int, _ stepIndex: Int) -> Move { moves[16 &* stepIndex &+ code] }
}
