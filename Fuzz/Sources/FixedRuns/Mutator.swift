/// Makes inputs out of seeds by the usual small damages, the same ones for the same seed (SplitMix64).
struct Mutator {
  /// Octets that an input may grow to: twice the longest seed, or else damage to a long seed would only ever cut it off.
  private let maximumLength: Int
  /// Numbers at which lengths and counts go wrong.
  private static let edges: [UInt8] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF]

  private let seeds: [[UInt8]]
  private var state: UInt64

  init(seeds: [[UInt8]], seed: UInt64) {
    self.seeds = seeds
    maximumLength = max(4_096, 2 * (seeds.map(\.count).max() ?? 0))
    state = seed
  }

  /// The next input: a seed with one to eight damages, or now and then octets from nowhere.
  mutating func next() -> [UInt8] {
    if below(32) == 0 { return (0..<below(64)).map { _ in UInt8(below(256)) } }
    var input = seeds[below(seeds.count)]
    for _ in 0...below(8) { damage(&input) }
    return Array(input.prefix(maximumLength))
  }

  private mutating func damage(_ input: inout [UInt8]) {
    guard !input.isEmpty else {
      input.append(UInt8(below(256)))
      return
    }
    let place = below(input.count)
    switch below(8) {
    case 0: input[place] ^= 1 << UInt8(below(8))
    case 1: input[place] = UInt8(below(256))
    case 2: input[place] = Self.edges[below(Self.edges.count)]
    case 3: input.removeSubrange(place...)
    case 4: input.remove(at: place)
    case 5: input.insert(UInt8(below(256)), at: place)
    case 6:
      let end = place + 1 + below(input.count - place)
      input.insert(contentsOf: Array(input[place..<end]), at: place)
    default:
      let other = seeds[below(seeds.count)]
      input = Array(input[..<place] + other.suffix(below(other.count + 1)))
    }
  }

  private mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)).multipliedFullWidth(by: UInt64(bound)).high)
  }
}
