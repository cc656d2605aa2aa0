import Bytes
import Controllers
import HCI
import Testing
import Timeline

@Suite struct Connections {
  @Test func aCentralConnectsExchangesDataAndDisconnects() {
    let pair = Pair()
    #expect(pair.connect())
    #expect(pair.central.connections.first?.role == .central)
    #expect(pair.peripheral.connections.first?.peerAddress == pair.central.address)
    pair.central.send([1, 2, 3], on: pair.central.handle)
    pair.peripheral.send([4, 5], on: pair.peripheral.handle)
    pair.run(.milliseconds(60))
    #expect(pair.peripheral.data.map(\.octets) == [[1, 2, 3]])
    #expect(pair.central.data.map(\.octets) == [[4, 5]])
    #expect(pair.central.data.map(\.boundary) == [.firstFromController])
    #expect(pair.central.completedPackets == 1)
    #expect(pair.peripheral.completedPackets == 1)
    pair.central.send(.disconnect(pair.central.handle, reason: .remoteUserTerminatedConnection))
    pair.run(.milliseconds(60))
    #expect(pair.central.disconnections.map(\.reason) == [.connectionTerminatedByLocalHost])
    #expect(pair.peripheral.disconnections.map(\.reason) == [.remoteUserTerminatedConnection])
  }

  @Test func dataHandedOverBeforeADisconnectArrivesBeforeTheLinkEnds() {
    let pair = Pair()
    pair.connect()
    pair.peripheral.send([1], on: pair.peripheral.handle)
    pair.peripheral.send((0..<100).map { UInt8($0) }, on: pair.peripheral.handle)
    pair.peripheral.send(.disconnect(pair.peripheral.handle, reason: .remoteUserTerminatedConnection))
    pair.peripheral.send([2], on: pair.peripheral.handle)
    pair.run(.milliseconds(200))
    #expect(pair.central.data.flatMap(\.octets) == [1] + (0..<100).map { UInt8($0) })
    #expect(pair.central.disconnections.map(\.reason) == [.remoteUserTerminatedConnection])
    #expect(pair.peripheral.disconnections.map(\.reason) == [.connectionTerminatedByLocalHost])
  }

  @Test func longPacketsAreCutAndKeepTheirOrder() {
    let pair = Pair()
    pair.connect()
    let long = (0..<100).map { UInt8($0) }
    pair.central.send(long, on: pair.central.handle)
    pair.central.send([200], on: pair.central.handle, .continuing)
    pair.run(.milliseconds(60))
    #expect(pair.peripheral.data.map(\.octets.count) == [27, 27, 27, 19, 1])
    #expect(pair.peripheral.data.map(\.boundary.rawValue) == [2, 1, 1, 1, 1])
    #expect(pair.peripheral.data.flatMap(\.octets) == long + [200])
    #expect(pair.central.completedPackets == 2)
  }

  @Test func encryptionStartsWithEqualKeys() {
    let pair = Pair()
    pair.connect()
    pair.encrypt()
    #expect(
      pair.peripheral.events.contains {
        $0.event == .encryptionChange(.success, pair.peripheral.handle, isEncrypted: true)
      })
    pair.peripheral.send([9], on: pair.peripheral.handle)
    pair.run(.milliseconds(60))
    #expect(pair.central.data.map(\.octets) == [[9]])
  }
}
