import Controllers
import HCI
import Testing
import Timeline

/// What listeners hear of a link.
@Suite struct Listening {
  /// A listener tells a packet that was sent again from a new one by its sequence number. Idle events, which are skipped, must
  /// not confuse him.
  @Test(arguments: UInt64(0)..<8) func sequenceNumbersAlternateAlthoughIdleEventsAreSkipped(_ seed: UInt64) {
    let pair = Pair(seed: seed)
    let sniffer = Sniffer(pair.air)
    pair.connect(Pair.timing(intervalUnits: 24, latency: UInt16(seed % 3)))
    let choices = ChoiceSource(seed: seed).stream("pauses")
    for index in 0..<30 {
      pair.run(.microseconds(Int64(choices.below(900_000))))
      let host = choices.below(2) == 0 ? pair.central : pair.peripheral
      host.send([UInt8(index), 7], on: host.handle)
    }
    pair.run(.seconds(2))
    for fromCentral in [true, false] {
      var heard: [[UInt8]] = []
      for (observation, packet) in sniffer.packets where packet.fromCentral == fromCentral {
        guard let radio = observation.radio else { continue }
        // The numbers that acknowledge and announce more may differ when a packet is sent again.
        let octets = [radio.octets[0] & 0b0000_1011] + radio.octets.dropFirst()
        if heard.last != octets { heard.append(octets) }
      }
      let numbers = heard.map { $0[0] >> 3 & 1 }
      #expect(heard.count > 30)
      #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 != $1 }, "from the central: \(fromCentral)")
    }
  }

  @Test func whatIsEncryptedIsHeardEncrypted() throws {
    let pair = Pair()
    let sniffer = Sniffer(pair.air)
    pair.connect()
    pair.send([1, 2, 3])
    pair.encrypt()
    pair.send([1, 2, 3])
    let data = sniffer.packets.filter { if case .data = $0.packet.payload { true } else { false } }
    let octets = try data.map { try #require($0.observation.radio).octets }
    #expect(octets.first?.suffix(3) == [1, 2, 3])
    #expect(octets.last?.count == (octets.first?.count ?? 0) + 4)
    #expect(octets.last?.contains([1, 2, 3]) == false)
  }
}

extension Pair {
  /// Sends octets from the central and waits until they have arrived.
  fileprivate func send(_ octets: [UInt8]) {
    central.send(octets, on: central.handle)
    run(.milliseconds(200))
  }
}
