import Bytes
import HCI
import HostStack
import Testing

@testable import SoftDevice

@Suite struct Client {
  private func connected() throws -> Image {
    var image = try Image.enabled()
    #expect(image.advertise() == 0)
    image.connect()
    _ = image.fetchAll()
    image.output = SoftDeviceOutput()
    return image
  }

  /// The request that the last call made.
  private func request(_ image: Image) -> (token: ClientToken, pdu: ATTPDU)? {
    guard case .client(Image.handle, let token, .exchange(let pdu))? = image.output.requests.last else { return nil }
    return (token, pdu)
  }

  private func answer(_ image: inout Image, _ response: ATTPDU) throws {
    let token = try #require(request(image)).token
    image.take(.clientCompleted(Image.handle, token, .success(.response(response))))
  }

  @Test("service, characteristics, descriptors, value: one request each, one at a time") func discovery() throws {
    var image = try connected()
    #expect(image.call(0x9B, 0, 0, 0) == 7)
    #expect(image.call(0x9B, 0, 1, image.uuid(0x1805)) == 0)
    #expect(request(image)?.pdu == .findByTypeValueRequest(.all, type: 0x2800, value: [5, 0x18]))
    #expect(image.call(0x9B, 0, 1, image.uuid(0x1805)) == 17)
    try answer(&image, .findByTypeValueResponse([HandleRange(AttributeHandle(5), AttributeHandle(9))]))
    let services = try image.next()
    #expect(services.number == 0x30)
    #expect(services.body == [0, 0, 0, 0, 0, 0, 1, 0, 5, 0x18, 1, 0, 5, 0, 9, 0])

    #expect(image.call(0x9D, 0, image.put(halfwords: [9, 5])) == 7)
    #expect(image.call(0x9D, 0, image.put(halfwords: [5, 9])) == 0)
    try answer(&image, .readByTypeResponse([AttributeValue(AttributeHandle(6), [0x12, 7, 0, 0x2B, 0x2A])]))
    let characteristics = try image.next()
    #expect(characteristics.number == 0x32)
    #expect(Array(characteristics.body[6...]) == [1, 0, 0x2B, 0x2A, 1, 0, 0x12, 0, 6, 0, 7, 0])

    #expect(image.call(0x9E, 0, image.put(halfwords: [8, 9])) == 0)
    try answer(
      &image, .findInformationResponse([.init(AttributeHandle(8), BluetoothUUID(0x2902))]))
    let descriptors = try image.next()
    #expect(descriptors.number == 0x33)
    #expect(Array(descriptors.body[6...]) == [1, 0, 8, 0, 2, 0x29, 1, 0])

    #expect(image.call(0xA1, 0, 7, 0) == 0)
    #expect(request(image)?.pdu == .readRequest(AttributeHandle(7)))
    try answer(&image, .readResponse([1, 2, 3]))
    let value = try image.next()
    #expect(value.number == 0x36)
    #expect(Array(value.body[6...]) == [7, 0, 0, 0, 3, 0, 1, 2, 3])
  }

  @Test("an error comes with its status and its handle") func errors() throws {
    var image = try connected()
    #expect(image.call(0xA0, 0, image.uuid(0x2AA6), image.put(halfwords: [1, 0xFFFF])) == 0)
    let token = try #require(request(image)).token
    image.take(
      .clientCompleted(Image.handle, token, .failure(.refused(.attributeNotFound, AttributeHandle(1)))))
    let event = try image.next()
    #expect(event.number == 0x35)
    #expect(Array(event.body[0..<10]) == [0, 0, 0x0A, 1, 1, 0, 0, 0, 0, 0])
    #expect(image.call(0xA1, 0, 7, 0) == 0)
    let next = try #require(request(image)).token
    image.take(.clientCompleted(Image.handle, next, .failure(.timeout)))
    #expect(image.fetch()?.number == 0x3B)
    // A response that fits nothing is an error too.
    #expect(image.call(0xA1, 0, 7, 0) == 0)
    try answer(&image, .writeResponse)
    #expect(image.fetch()?.body[2] == 1)
  }

  @Test func valuesByType() throws {
    var image = try connected()
    #expect(image.call(0xA0, 0, image.uuid(0x2AA6), image.put(halfwords: [1, 0xFFFF])) == 0)
    try answer(&image, .readByTypeResponse([AttributeValue(AttributeHandle(9), [1])]))
    #expect(image.fetch().map { Array($0.body[6...]) } == [1, 0, 1, 0, 9, 0, 1])
    #expect(image.call(0xA2, 0, image.put(halfwords: [3, 5]), 2) == 0)
    try answer(&image, .readMultipleResponse([4, 4]))
    #expect(image.fetch().map { Array($0.body[6...]) } == [2, 0, 4, 4])
    #expect(image.call(0x9F, 0, image.put(halfwords: [1, 3])) == 0)
    try answer(&image, .findInformationResponse([.init(AttributeHandle(1), BluetoothUUID(0x2800))]))
    #expect(image.fetch().map { Array($0.body[6...]) } == [1, 0, 1, 0, 1, 0, 0, 0x28])
    #expect(image.call(0x9C, 0, image.put(halfwords: [1, 3])) == 0)
    try answer(&image, .readByTypeResponse([AttributeValue(AttributeHandle(2), [8, 0, 9, 0, 5, 0x18])]))
    #expect(image.fetch().map { Array($0.body[6...]) } == [1, 0, 2, 0, 5, 0x18, 1, 0, 8, 0, 9, 0])
    #expect(image.call(0x9B, 0, 1, 0) == 0)
    let range = HandleRange(AttributeHandle(1), AttributeHandle(9))
    try answer(&image, .readByGroupTypeResponse([.init(range, [0, 0x18])]))
    #expect(image.fetch().map { Array($0.body[6...]) } == [1, 0, 0, 0x18, 1, 0, 1, 0, 9, 0])
  }

  @Test("writes: with and without a response, prepared, executed") func writes() throws {
    var image = try connected()
    let parameters = { (image: inout Image, operation: UInt32, flags: UInt32, length: UInt32) in
      image.put(words: [operation | flags << 8 | 8 << 16, length << 16, image.put([1, 2])])
    }
    #expect(image.call(0xA3, 0, parameters(&image, 1, 0, 2)) == 0)
    #expect(request(image)?.pdu == .writeRequest(AttributeHandle(8), [1, 2]))
    try answer(&image, .writeResponse)
    let written = try image.next()
    #expect(written.number == 0x38)
    #expect(Array(written.body[6...]) == [8, 0, 1, 0, 0, 0, 0, 0])
    #expect(image.call(0xA3, 0, parameters(&image, 4, 0, 2)) == 0)
    try answer(&image, .prepareWriteResponse(AttributeHandle(8), offset: 0, [1, 2]))
    #expect(image.fetch().map { Array($0.body[6...]) } == [8, 0, 4, 0, 0, 0, 2, 0, 1, 2])
    #expect(image.call(0xA3, 0, parameters(&image, 5, 1, 0)) == 0)
    #expect(request(image)?.pdu == .executeWriteRequest(commits: true))
    try answer(&image, .executeWriteResponse)
    #expect(image.fetch()?.number == 0x38)
    #expect(image.call(0xA3, 0, parameters(&image, 2, 0, 2)) == 0)
    #expect(image.call(0xA3, 0, parameters(&image, 2, 0, 2)) == 19)
    guard
      case .client(_, let token, .writeWithoutResponse(AttributeHandle(rawValue: 8), [1, 2]))? =
        image.output.requests.last
    else { return #expect(Bool(false)) }
    image.take(.clientCompleted(Image.handle, token, .success(.written)))
    #expect(image.fetch()?.number == 0x3C)
    #expect(image.call(0xA3, 0, parameters(&image, 1, 0, 21)) == 12)
    #expect(image.call(0xA3, 0, parameters(&image, 3, 0, 2)) == 6)
    #expect(image.call(0xA3, 0, parameters(&image, 9, 0, 2)) == 7)
  }

  @Test func exchangeAndTellings() throws {
    var image = try connected()
    #expect(image.call(0xA5, 0, 22) == 7)
    #expect(image.call(0xA5, 0, 247) == 0)
    guard case .client(_, let token, .exchangeMaximumTransmissionUnit)? = image.output.requests.last else {
      return #expect(Bool(false))
    }
    image.take(.clientCompleted(Image.handle, token, .success(.maximumTransmissionUnit(185))))
    let event = try image.next()
    #expect(event.number == 0x3A)
    #expect(event.body == [0, 0, 0, 0, 0, 0, 185, 0])
    image.take(.notificationReceived(Image.handle, AttributeHandle(7), [1]))
    #expect(image.fetch()?.body == [0, 0, 0, 0, 0, 0, 7, 0, 1, 0, 1, 0, 1])
    #expect(image.call(0xA4, 0, 7) == 8)
    image.take(.indicationReceived(Image.handle, AttributeHandle(7), [1]))
    #expect(image.fetch()?.body[8] == 2)
    #expect(image.call(0xA4, 0, 7) == 0)
    #expect(image.call(0xA4, 0, 7) == 8)
  }
}
