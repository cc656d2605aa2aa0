import Bytes
import Controllers
import HCI
import HostStack
import Testing
import Timeline

/// Two hosts, connected, encrypted and subscribed, with everything negotiated that a row of the table needs.
private final class Bench {
  let loop = EventLoop(seed: 7)
  let air: Air
  let central: HostStation
  let peripheral: HostStation

  init(_ row: SoftDeviceRow) {
    air = Air(loop: loop)
    let profile = softDevice(eventLengthMicroseconds: row.eventLengthMicroseconds)
    let isLong = row.octets > 27
    central = HostStation(
      "central", profile, on: air, address: 0xC000_0000_0001, mtu: row.mtu, suggestsMaximumDataLength: isLong)
    peripheral = HostStation(
      "peripheral", profile, on: air, address: 0xC000_0000_0002, mtu: row.mtu, suggestsMaximumDataLength: isLong)
    run(.milliseconds(50))
    peripheral.ask(.setAdvertising(Advertisement(intervalUnits: 160, data: [2, 1, 6])))
    let interval = UInt16(row.intervalMicroseconds / 1250)
    central.ask(
      .connect(peripheral.address, ConnectionParameters(intervalUnits: interval, supervisionTimeoutUnits: 3200)))
    run(.seconds(1))
  }

  func run(_ duration: Duration) {
    let end = loop.now.advanced(by: duration)
    loop.schedule(at: end, .background) {}
    loop.runEvents(until: end)
  }

  func prepare(
    _ row: SoftDeviceRow, isSecured: Bool = true
  ) throws -> (ConnectionHandle, ConnectionHandle) {
    let handle = try #require(central.handle)
    let other = try #require(peripheral.handle)
    let settling = Duration.microseconds(row.intervalMicroseconds * 60)
    if isSecured {
      central.ask(.secure(handle))
      run(settling)
      try #require(central.has { if case .secured = $0 { true } else { false } })
    }
    if row.is2M { central.ask(.setPHY(handle, .le2M)) }
    central.ask(.client(handle, ClientToken(1), .exchangeMaximumTransmissionUnit))
    central.ask(.client(handle, ClientToken(2), .subscribe(peripheral.configurationHandle, .notifications)))
    run(settling)
    try #require(central.has { $0 == .clientCompleted(handle, ClientToken(2), .success(.written)) })
    if row.is2M { try #require(central.has { $0 == .phyChanged(handle, transmit: .le2M, receive: .le2M) }) }
    return (handle, other)
  }
}

@Suite struct SoftDeviceTiming {
  @Test(arguments: SoftDeviceRow.all) func aConnectionEventCarriesAsManyPacketsAsNordicMeasured(_ row: SoftDeviceRow)
    throws
  {
    let bench = Bench(row)
    let handles = try bench.prepare(row)
    let traffic = Traffic(bench.central, bench.peripheral, handles, octets: Int(row.mtu) - 3)
    traffic.start(row.method)
    // What was sent at first may have come in the middle of an event.
    bench.run(.microseconds(row.intervalMicroseconds * 6))
    let counter = PacketCounter()
    var first: UInt16?
    bench.air.observer = { observation in
      if first == nil, case .connection(let packet) = observation.content { first = packet.eventCounter }
      counter.count(observation)
    }
    bench.run(.microseconds(row.intervalMicroseconds * 8 + 1000))
    let begin = try #require(first)
    let down = counter.inTwo(counter.fromCentral, from: begin, pairs: 3)
    let up = counter.inTwo(counter.fromPeripheral, from: begin, pairs: 3)
    let expected = [Int](repeating: row.packetsInTwoEvents, count: 3)
    if row.method != .notification { #expect(down == expected) }
    if row.method == .notification || row.method == .both { #expect(up == expected) }
    withExtendedLifetime(traffic) {}
  }

  /// The table's figures in kbit/s are these packets with the values that they carry, page 96 to 98.
  @Test(arguments: SoftDeviceRow.all.filter { $0.method == .notification })
  func whatALinkCanCarryIsWhatNordicMeasured(_ row: SoftDeviceRow) throws {
    let bench = Bench(row)
    let central = bench.central.controller
    _ = try bench.prepare(row)
    let fragments = (Int(row.mtu) + 4 + Int(row.octets) - 1) / Int(row.octets)
    let octets = row.packetsInTwoEvents * (Int(row.mtu) - 3) / fragments
    #expect(
      bench.air.notifiedOctetsPerSecond(to: central, maximumTransmissionUnit: row.mtu)
        == Int64(octets * 1_000_000 / (2 * row.intervalMicroseconds)))
    let peripheral = bench.peripheral.controller
    #expect(bench.air.notifiedOctetsPerSecond(to: peripheral, maximumTransmissionUnit: row.mtu) == nil)
  }

  /// Without encryption a packet has no integrity check: of 2,120 µs 32 at 1M, and of 1,064 µs 16 at 2M are saved.
  @Test func moreFitsIntoAnEventOfALinkThatIsNotEncrypted() throws {
    let row = try #require(
      SoftDeviceRow.all.first { $0.intervalMicroseconds == 400_000 && $0.is2M && $0.method == .notification })
    let bench = Bench(row)
    let handles = try bench.prepare(row, isSecured: false)
    let traffic = Traffic(bench.central, bench.peripheral, handles, octets: Int(row.mtu) - 3)
    traffic.start(row.method)
    bench.run(.microseconds(row.intervalMicroseconds * 6))
    let counter = PacketCounter()
    var first: UInt16?
    bench.air.observer = { observation in
      if first == nil, case .connection(let packet) = observation.content { first = packet.eventCounter }
      counter.count(observation)
    }
    bench.run(.microseconds(row.intervalMicroseconds * 4 + 1000))
    let begin = try #require(first)
    #expect(row.packetsInTwoEvents == 2 * 282)
    #expect(counter.inTwo(counter.fromPeripheral, from: begin, pairs: 1) == [2 * 286])
    withExtendedLifetime(traffic) {}
  }
}
