import HCI

/// Where packets of a controller come in for a station.
///
/// A pipe that keeps it refers to nothing weakly, and so neither pipe nor station are counted by the slower way of objects that
/// somebody refers to weakly.
final class StationInlet<Machine: StationMachine>: PacketReceiver {
  // Not counted while it takes a packet either. The station says when it goes.
  private var station: Unmanaged<Station<Machine>>?

  /// It holds neither the station nor its pipe.
  var mayBeKept: Bool { true }

  /// The inlet of a station.
  init(to station: Station<Machine>) { self.station = .passUnretained(station) }

  func receive(_ packet: consuming HCIPacket) {
    // A closure cannot consume what it captures, and may only take it out of something.
    var received = Optional(packet)
    station?._withUnsafeGuaranteedRef { station in
      if let packet = received.take() { station.receive(packet) }
    }
  }

  func pipeClosed(_ reason: PipeClosure) { station?.takeUnretainedValue().pipeClosed(reason) }

  /// The station is gone: what still comes is dropped.
  func close() { station = nil }
}
