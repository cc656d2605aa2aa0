import Bytes
import HCI
import HostStack
import Testing

@testable import SoftDevice

@Suite struct AdvertisingCalls {
  @Test("the stack starts with the whole table at the first advertising") func start() throws {
    var image = try Image.enabled()
    let service = image.addService(0x180F)
    #expect(service == 14)
    #expect(image.add(.init(uuid: 0x2A19, properties: 0x12, value: [42])).result == 0)
    #expect(image.advertise(data: [2, 1, 6], scanResponse: [3, 3, 5, 0x18]) == 0)
    var started: HostConfiguration?
    var advertised: Advertisement?
    for request in image.output.requests {
      if case .start(let configuration) = request { started = configuration }
      if case .setAdvertising(let value) = request { advertised = value }
    }
    let configuration = try #require(started)
    #expect(configuration.ownAddress == Image.address)
    #expect(configuration.maximumTransmissionUnit == 247)
    #expect(configuration.database.services.map(\.uuid) == [0x1800, 0x1801, 0x180F].map { BluetoothUUID($0) })
    #expect(configuration.database.valueHandle(of: BluetoothUUID(0x2A19)) == AttributeHandle(16))
    #expect(advertised == Advertisement(intervalUnits: 200, data: [2, 1, 6], scanResponse: [3, 3, 5, 0x18]))
    #expect(image.call(0x73, 0, 1) == 8)
    #expect(image.call(0x74, 0) == 0)
    #expect(image.output.requests.last == .setAdvertising(nil))
    #expect(image.call(0x74, 0) == 8)
    // Nothing changed: the stack is not started again.
    let count = image.output.requests.count
    #expect(image.call(0x73, 0, 1) == 0)
    #expect(image.output.requests.count == count + 1)
  }

  @Test func badParameters() throws {
    var image = try Image.enabled()
    #expect(image.call(0x73, 0, 1) == 0x3004)
    #expect(image.call(0x72, image.put([0]), 0, 0) == 0x3004)
    #expect(image.call(0x72, image.put([0xFF]), 0, 0) == 16)
    for (words, result): ([UInt32], UInt32) in [
      ([1, 0, 0x1F, 0, 0, 0], 7), ([1, 0, 0x4001, 0, 0, 0], 7), ([0, 0, 200, 0, 0, 0], 7), ([2, 0, 200, 0, 0, 0], 6),
      ([99, 0, 200, 0, 0, 0], 7), ([7, 0, 200, 0, 0, 0], 6),
    ] {
      #expect(image.call(0x72, image.put([0xFF]), 0, image.put(words: words)) == result)
    }
    #expect(image.advertise(data: Array(repeating: 0, count: 32)) == 9)
    #expect(image.output.requests.isEmpty)
  }

  @Test("advertising that ends by itself tells so, in its time") func timeout() throws {
    var image = try Image.enabled()
    #expect(image.advertise(duration: 300) == 0)
    #expect(image.output.completions.map(\.due) == [1_000 + 300 * 640_000])
    image.complete()
    #expect(image.output.requests.last == .setAdvertising(nil))
    let event = try image.next()
    #expect(event.number == 0x26)
    #expect(event.body[4] == 1)
    // One that was stopped before says nothing.
    #expect(image.call(0x73, 0, 1) == 0)
    #expect(image.call(0x74, 0) == 0)
    image.complete()
    #expect(image.fetch() == nil)
  }

  @Test("CONNECTED and DISCONNECTED, octet by octet") func connection() throws {
    var image = try Image.enabled()
    #expect(image.advertise() == 0)
    image.connect()
    #expect(image.output.interrupts == [22])
    let event = try image.next()
    #expect(event.number == 0x10)
    #expect(event.body.count == 40)
    #expect(Array(event.body[0..<20]) == [0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0xC0, 1, 24, 0, 24, 0, 0, 0, 0x90, 1])
    #expect(event.body[20] == 0)
    #expect(event.body[24..<28] != [0, 0, 0, 0])
    #expect(event.body[28] == 3)
    #expect(image.call(0x76, 0, 0x13) == 0)
    #expect(image.output.requests.last == .disconnect(Image.handle, .remoteUserTerminatedConnection))
    #expect(image.call(0x76, 0, 0x13) == 8)
    #expect(image.call(0x76, 1, 0x13) == 0x3002)
    #expect(image.call(0x76, 0, 0x16) == 7)
    image.take(.disconnected(Image.handle, .connectionTerminatedByLocalHost))
    let end = try image.next()
    #expect(end.number == 0x11)
    #expect(end.body == [0, 0, 0, 0, 0x16])
    #expect(image.call(0x76, 0, 0x13) == 0x3002)
  }

  @Test("names, appearance, preferred parameters, address") func names() throws {
    var image = try Image.enabled()
    #expect(image.call(0x7C, image.put([0x11]), image.put(Array("dictofun_test".utf8)), 13) == 0)
    #expect(image.call(0x7C, image.put([0x11]), image.put([1]), 32) == 12)
    let (buffer, length) = (image.room(31), image.put(halfwords: [4]))
    #expect(image.call(0x7D, buffer, length) == 0)
    #expect(image.octets(buffer, 5) == Array("dict".utf8) + [0xEE])
    #expect(image.halfword(length) == 13)
    #expect(image.call(0x7A, image.put(halfwords: [12, 24, 0, 400])) == 0)
    #expect(image.call(0x7A, image.put(halfwords: [24, 12, 0, 400])) == 7)
    #expect(image.call(0x7A, image.put(halfwords: [12, 24, 500, 400])) == 7)
    #expect(image.call(0x7B, buffer) == 0)
    #expect(image.halfword(buffer + 2) == 24)
    #expect(image.call(0x78, 0x0240) == 0)
    #expect(image.call(0x79, buffer) == 0)
    #expect(image.halfword(buffer) == 0x0240)
    #expect(image.call(0x6D, buffer) == 0)
    #expect(image.octets(buffer, 7) == [2, 0xD4, 0xC3, 0xB2, 0xA1, 0xE6, 0xF5])
    #expect(image.call(0x6C, image.put([2, 1, 2, 3, 4, 5, 6])) == 0x3202)
    #expect(image.call(0x6C, image.put([2, 0xD5, 0xC3, 0xB2, 0xA1, 0xE6, 0xF5])) == 0)
    #expect(image.advertise() == 0)
    let configuration = try #require(image.output.requests.compactMap(\.started).first)
    #expect(configuration.ownAddress.value & 0xFF == 0xD5)
    let name = configuration.database.services[0].characteristics[0]
    #expect(name.initialValue == Array("dictofun_test".utf8))
    #expect(name.properties == [.read, .write])
    #expect(configuration.database.services[0].characteristics[2].initialValue == [12, 0, 24, 0, 0, 0, 0x90, 1])
  }

  /// An image that has been told of a connection.
  private func connected() throws -> Image {
    var image = try Image.enabled()
    #expect(image.advertise() == 0)
    image.connect()
    _ = image.fetch()
    return image
  }

  /// The longest packets: an image that made no wish is asked, and told of the change when it has answered.
  @Test func thePhonesWishOfLongerPackets() throws {
    var image = try connected()
    image.take(.dataLengthChanged(Image.handle, transmit: 27, receive: 251))
    let request = try image.next()
    #expect(request.number == 0x23)
    #expect(request.body == [0, 0, 0, 0, 251, 0, 251, 0, 0x48, 8, 0x48, 8])
    #expect(image.fetch() == nil)
    #expect(image.call(0x90, 0, 0, 0) == 0)
    #expect(image.output.requests.last == .setDataLength(Image.handle, octets: 251))
    image.take(.dataLengthChanged(Image.handle, transmit: 251, receive: 251))
    #expect(image.fetch()?.number == 0x24)
  }

  @Test func anImageThatKeepsToShortPacketsIsToldAtOnce() throws {
    var image = try connected()
    image.take(.dataLengthChanged(Image.handle, transmit: 27, receive: 251))
    #expect(image.fetch()?.number == 0x23)
    let requests = image.output.requests
    #expect(image.call(0x90, 0, image.put(halfwords: [27, 27, 0, 0]), 0) == 0)
    #expect(image.output.requests == requests)
    let update = try image.next()
    #expect(update.number == 0x24)
    #expect(update.body.prefix(8) == [0, 0, 0, 0, 27, 0, 251, 0])
  }

  /// PHYs: 2 stands for LE 2M, and 0 for a choice that has it.
  @Test(arguments: [([UInt8(0), 0], true), ([2, 2], true), ([1, 1], false)])
  func thePhonesWishOfAnotherPHY(_ answer: [UInt8], _ agrees: Bool) throws {
    var image = try connected()
    image.take(.phyChanged(Image.handle, transmit: .le2M, receive: .le2M))
    let request = try image.next()
    #expect(request.number == 0x21)
    #expect(request.body == [0, 0, 0, 0, 2, 2])
    #expect(image.call(0x8F, 0, image.put(answer)) == 0)
    if agrees {
      #expect(image.fetch()?.body == [0, 0, 0, 0, 0, 2, 2])
    } else {
      #expect(image.fetch() == nil)
      #expect(image.output.requests.last == .setPHY(Image.handle, .le1M))
      image.take(.phyChanged(Image.handle, transmit: .le1M, receive: .le1M))
      #expect(image.fetch()?.body == [0, 0, 0, 0, 0, 1, 1])
    }
  }

  @Test func changesOfTheLink() throws {
    var image = try Image.enabled { $0.refusedParameters = .parametersInForce }
    #expect(image.advertise() == 0)
    image.connect()
    _ = image.fetch()
    #expect(image.call(0x75, 0, image.put(halfwords: [6, 12, 0, 400])) == 0)
    #expect(
      image.output.requests.last
        == .updateParameters(
          Image.handle, ConnectionParameters(minimumIntervalUnits: 6, maximumIntervalUnits: 12)))
    #expect(image.call(0x75, 0, 0) == 17)
    image.take(.parameterUpdateFailed(Image.handle, .unacceptableConnectionParameters))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 24, 0, 24, 0, 0, 0, 0x90, 1])
    image.take(.parametersUpdated(Image.handle, ConnectionParameters(intervalUnits: 12)))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 12, 0, 12, 0, 0, 0, 0x90, 1])
    // What is granted and stays as it is, ends too; what will change is waited for.
    #expect(image.call(0x75, 0, image.put(halfwords: [6, 0xFFFF, 0, 400])) == 0)
    image.take(.parameterUpdateGranted(Image.handle))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 12, 0, 12, 0, 0, 0, 0x90, 1])
    #expect(image.call(0x75, 0, image.put(halfwords: [80, 160, 0, 400])) == 0)
    image.take(.parameterUpdateGranted(Image.handle))
    #expect(image.fetch() == nil)
    #expect(image.call(0x75, 0, 0) == 17)
    image.take(.parametersUpdated(Image.handle, ConnectionParameters(intervalUnits: 12)))
    _ = image.fetch()
    #expect(image.call(0x90, 0, 0, 0) == 0)
    #expect(image.output.requests.last == .setDataLength(Image.handle, octets: 251))
    #expect(image.call(0x90, 0, image.put(halfwords: [26, 0, 0, 0]), 0) == 7)
    image.take(.dataLengthChanged(Image.handle, transmit: 251, receive: 27))
    let length = try image.next()
    #expect(length.number == 0x24)
    #expect(length.body == [0, 0, 0, 0, 251, 0, 27, 0, 0x48, 8, 0x48, 1])
    #expect(image.call(0x8F, 0, image.put([0, 0])) == 0)
    #expect(image.output.requests.last == .setPHY(Image.handle, .le2M))
    #expect(image.call(0x8F, 0, image.put([1, 1])) == 0)
    #expect(image.output.requests.last == .setPHY(Image.handle, .le1M))
    image.take(.phyChanged(Image.handle, transmit: .le2M, receive: .leCoded))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 0, 2, 4])
    #expect(image.call(0x8E, 0, image.room(1), 0) == 8)
    #expect(image.call(0x88, 0, 1, 0) == 0)
    #expect(image.call(0x8E, 0, image.room(1), 0) == 5)
    image.take(.signalStrength(Image.handle, -60))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 0xC4, 0])
    let strength = image.room(1)
    #expect(image.call(0x8E, 0, strength, 0) == 0)
    #expect(image.octets(strength, 1) == [0xC4])
    #expect(image.call(0x89, 0) == 0)
    #expect(image.call(0x89, 0) == 8)
  }
}

extension HostRequest {
  /// What the stack was started with.
  var started: HostConfiguration? { if case .start(let configuration) = self { configuration } else { nil } }
}
