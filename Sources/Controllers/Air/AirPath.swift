import Timeline

/// Loss that comes in bursts: a chain of two states, stepped once a packet (Gilbert and Elliott).
public struct BurstLoss: Hashable, Sendable {
  /// Chance in a million that a burst begins with the next packet.
  public var beginPartsPerMillion: UInt32
  /// Chance in a million that it ends with the next packet.
  public var endPartsPerMillion: UInt32
  /// Packets lost in a million during a burst.
  public var lossPartsPerMillion: UInt32

  public init(beginPartsPerMillion: UInt32, endPartsPerMillion: UInt32, lossPartsPerMillion: UInt32 = 1_000_000) {
    self.beginPartsPerMillion = beginPartsPerMillion
    self.endPartsPerMillion = endPartsPerMillion
    self.lossPartsPerMillion = lossPartsPerMillion
  }
}

/// How a receiver received a packet.
package enum Reception: Hashable, Sendable {
  /// It was received.
  case heard
  /// It was noticed, but its CRC was wrong.
  case corrupted
  /// It was not noticed at all.
  case lost
}

/// The way of packets from one station to another, with everything that may happen to them.
final class AirPath {
  // The medium owns its paths. Not counted even while it is used: it is asked four times in every connection event.
  private let medium: Unmanaged<Medium>
  private let transmitPower: Int
  private let drawName: String

  /// Packets in a million that are not noticed at all.
  var lossPartsPerMillion: UInt32 = 0 { didSet { configure() } }
  /// Packets in a million that are noticed, with a wrong CRC.
  var corruptionPartsPerMillion: UInt32 = 0 { didSet { configure() } }
  /// Loss in bursts.
  var burst: BurstLoss? { didSet { configure() } }
  /// How far the two are apart.
  var millimetres = 1000 { didSet { configure() } }
  /// Nothing gets through at all.
  var isBroken = false { didSet { configure() } }

  private(set) var signalStrength: Int8 = 0
  /// Without chance and without end: what this path does by itself.
  private var isClear = true
  private var fading: UInt32 = 0
  private var isInBurst = false
  private lazy var stream = medium.takeUnretainedValue().loop.choices.stream(drawName)

  init(from sender: any AirStation, to receiver: any AirStation, medium: Medium) {
    self.medium = .passUnretained(medium)
    transmitPower = Int(sender.profile.transmitPower)
    drawName = "air.loss.\(sender.name)-\(receiver.name)"
    configure()
  }

  private func configure() {
    let strength = transmitPower - PathLoss.decibels(millimetres: millimetres)
    signalStrength = Int8(clamping: strength)
    fading = PathLoss.lossPartsPerMillion(signalStrength: strength)
    if burst == nil { isInBurst = false }
    isClear = lossPartsPerMillion == 0 && corruptionPartsPerMillion == 0 && burst == nil && !isBroken && fading == 0
  }

  /// Whether nothing can happen to a packet from now on, as far as is known.
  var isPerfect: Bool { isClear && !isDisturbed }

  private var isDisturbed: Bool { medium._withUnsafeGuaranteedRef { $0.isDisturbed } }

  /// Whether anything could get through at all.
  var isInRange: Bool { !isBroken && fading < 1_000_000 }

  /// How a packet sent at this time, in nanoseconds, is received.
  func reception(at nanoseconds: UInt64) -> Reception {
    if isPerfect { return .heard }
    let medium = medium.takeUnretainedValue()
    if isBroken || fading >= 1_000_000 || medium.isBlackedOut(at: nanoseconds) { return .lost }
    if let burst {
      let step = isInBurst ? burst.endPartsPerMillion : burst.beginPartsPerMillion
      if stream.chance(partsPerMillion: step) { isInBurst.toggle() }
      if isInBurst, stream.chance(partsPerMillion: burst.lossPartsPerMillion) { return .lost }
    }
    if stream.chance(partsPerMillion: lossPartsPerMillion) || stream.chance(partsPerMillion: fading) { return .lost }
    if stream.chance(partsPerMillion: corruptionPartsPerMillion) { return .corrupted }
    let interference = medium.interferencePartsPerMillion(at: nanoseconds)
    return stream.chance(partsPerMillion: interference) ? .corrupted : .heard
  }
}
