/// The one source of chance in a run: every choice is drawn under a name, from a sequence of its own.
///
/// Because each name has its own sequence, a new draw somewhere does not move the draws elsewhere, and a seed
/// keeps its meaning while the program grows.
public final class ChoiceSource {
  /// The seed from which every named sequence is derived.
  public let seed: UInt64
  /// Which of the futures is drawn that are possible from here on; 0 for the one that belongs to the seed. A new number
  /// moves every sequence, those included that nobody has drawn from yet.
  package var future: UInt64 {
    get { shared.future }
    set { shared.future = newValue }
  }
  private let shared = SharedFuture()
  private var streams: [String: ChoiceStream] = [:]

  /// Starts all sequences from `seed`.
  public init(seed: UInt64) { self.seed = seed }

  /// The sequence of that name; the same object whenever it is asked for again.
  public func stream(_ name: String) -> ChoiceStream {
    if let stream = streams[name] { return stream }
    let stream = ChoiceStream(name: name, state: Seed.derive(seed, [name]), shared: shared)
    streams[name] = stream
    return stream
  }
}

/// What a source and its sequences share: which future is drawn.
final class SharedFuture {
  var future: UInt64 = 0
}

/// One named sequence of choices (SplitMix64).
public final class ChoiceStream {
  /// The name under which these choices are drawn.
  public let name: String
  private var state: UInt64
  private var future: UInt64 = 0
  private let shared: SharedFuture

  init(name: String, state: UInt64, shared: SharedFuture) {
    self.name = name
    self.state = state
    self.shared = shared
  }

  /// The next 64 bits.
  public func next() -> UInt64 {
    if future != shared.future {
      future = shared.future
      state = Seed.derive(state, [String(future)])
    }
    state &+= 0x9E37_79B9_7F4A_7C15
    return Seed.mix(state)
  }

  /// A number from 0 to `bound` - 1; traps when `bound` is 0.
  public func below(_ bound: UInt64) -> UInt64 {
    precondition(bound > 0, "a choice needs at least one possibility")
    return next().multipliedFullWidth(by: bound).high
  }

  /// True `partsPerMillion` times in a million; draws nothing when the answer is certain.
  public func chance(partsPerMillion: UInt32) -> Bool {
    if partsPerMillion == 0 { return false }
    if partsPerMillion >= 1_000_000 { return true }
    return below(1_000_000) < UInt64(partsPerMillion)
  }

  /// `count` octets.
  public func bytes(_ count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + 8)
    while result.count < count {
      let value = next()
      for shift in 0..<8 { result.append(UInt8(truncatingIfNeeded: value >> (shift * 8))) }
    }
    result.removeLast(result.count - count)
    return result
  }
}

/// Derives seeds from seeds and names, the same on every machine.
public enum Seed {
  /// Mixes a seed with names: FNV-1a over their octets, each closed by a separator, finished by SplitMix64.
  public static func derive(_ seed: UInt64, _ names: [String]) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func absorb(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for shift in 0..<8 { absorb(UInt8(truncatingIfNeeded: seed >> (shift * 8))) }
    for name in names {
      for byte in name.utf8 { absorb(byte) }
      absorb(0xFF)
    }
    return mix(hash)
  }

  static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
