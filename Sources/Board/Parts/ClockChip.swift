/// The clock chip RV-4162 behind two wires: eight registers in BCD, running on a supply of its own.
struct ClockChip: Hashable, Sendable {
  /// Its address on the bus.
  static let address: UInt32 = 0x68
  private static let cyclesPerSecond: UInt64 = 64_000_000

  /// Seconds since 2000-01-01 that it showed at `anchor`.
  private var anchorSeconds: Int64 = 0
  private var anchor: UInt64 = 0
  /// How much faster than the processor's crystal its own is, in parts per billion.
  private var partsPerBillion: Int64 = 0
  /// Registers that were written and not taken as a time yet, by number: a time is taken when the last of it was written.
  private var pointer: UInt8 = 0
  private var written: [UInt8: UInt8] = [:]

  /// Seconds since 2000-01-01 00:00:00 that it shows at a cycle.
  func seconds(at cycle: UInt64) -> Int64 {
    let elapsed = Int128(cycle) - Int128(anchor)
    let own = elapsed * Int128(1_000_000_000 + partsPerBillion) / 1_000_000_000
    return anchorSeconds + Int64(own / Int128(Self.cyclesPerSecond))
  }

  /// Sets it, as a hand on the desk would.
  mutating func set(seconds: Int64, at cycle: UInt64) {
    anchorSeconds = seconds
    anchor = cycle
  }

  /// Changes its crystal; what it shows stays, except for the fraction of a second.
  mutating func setError(partsPerBillion error: Int64, at cycle: UInt64) {
    set(seconds: seconds(at: cycle), at: cycle)
    partsPerBillion = min(max(error, -100_000_000), 100_000_000)
  }

  // MARK: On the wire

  mutating func select(_ register: UInt8) { pointer = register }

  mutating func read(at cycle: UInt64) -> UInt8 {
    defer { pointer &+= 1 }
    let time = CalendarTime(secondsSince2000: seconds(at: cycle))
    switch pointer & 0x0F {
    case 0: return 0
    case 1: return Self.bcd(time.second)
    case 2: return Self.bcd(time.minute)
    case 3: return Self.bcd(time.hour)
    case 4: return UInt8(time.weekday)
    case 5: return Self.bcd(time.day)
    case 6: return Self.bcd(time.month)
    case 7: return Self.bcd(time.year)
    default: return written[pointer & 0x0F] ?? 0
    }
  }

  mutating func write(_ octet: UInt8, at cycle: UInt64) {
    written[pointer & 0x0F] = octet
    if pointer & 0x0F == 7 { takeTime(at: cycle) }
    pointer &+= 1
  }

  /// Takes the time that was written up to the year, the last of its registers. A register that was not written keeps
  /// what it shows.
  private mutating func takeTime(at cycle: UInt64) {
    var time = CalendarTime(secondsSince2000: seconds(at: cycle))
    func value(_ register: UInt8, _ mask: UInt8) -> Int? {
      written[register].map { Int(($0 & mask) >> 4) * 10 + Int($0 & mask & 0x0F) }
    }
    time.second = value(1, 0x7F) ?? time.second
    time.minute = value(2, 0x7F) ?? time.minute
    time.hour = value(3, 0x3F) ?? time.hour
    time.day = value(5, 0x3F) ?? time.day
    time.month = value(6, 0x1F) ?? time.month
    time.year = value(7, 0xFF) ?? time.year
    written = written.filter { $0.key > 7 }
    set(seconds: time.secondsSince2000, at: cycle)
  }

  private static func bcd(_ value: Int) -> UInt8 { UInt8((value / 10 % 10) << 4 | value % 10) }
}
