import HCI

/// Where packets of a controller come in for a station.
///
/// A pipe refers to its receiver weakly, and an object that is referred to weakly is counted by a slower way each time that
/// anybody holds it. So the pipe knows this one, and the station stays free of it.
final class StationInlet: PacketReceiver {
  // The station owns its inlet.
  private unowned(unsafe) let station: any PacketReceiver

  /// The inlet of a station, which keeps it.
  init(_ station: any PacketReceiver) { self.station = station }

  func receive(_ packet: HCIPacket) { station.receive(packet) }
  func pipeClosed(_ reason: PipeClosure) { station.pipeClosed(reason) }
}
