import HCI

/// Where packets of a controller come in for a station.
///
/// A pipe refers to its receiver weakly, and an object that is referred to weakly is counted by a slower way each time that
/// anybody holds it. So the pipe knows this one, and the station stays free of it.
final class StationInlet<Machine: StationMachine>: PacketReceiver {
  // The station owns its inlet. Not counted while it takes a packet either.
  private let station: Unmanaged<Station<Machine>>

  /// The inlet of a station, which keeps it.
  init(to station: Station<Machine>) { self.station = .passUnretained(station) }

  func receive(_ packet: consuming HCIPacket) {
    // A closure cannot consume what it captures, and may only take it out of something.
    var received = Optional(packet)
    station._withUnsafeGuaranteedRef { station in
      if let packet = received.take() { station.receive(packet) }
    }
  }

  func pipeClosed(_ reason: PipeClosure) { station.takeUnretainedValue().pipeClosed(reason) }
}
