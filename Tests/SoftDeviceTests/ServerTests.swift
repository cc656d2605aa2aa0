import Bytes
import HCI
import HostStack
import Testing

@testable import SoftDevice

@Suite struct Server {
  /// An image with one service: 15/16 notifies (17), 18/19 is written with authorisation and indicates (20), 21/22 is
  /// written without response.
  private func served(
    places: UInt8 = 1, connected: Bool = true, _ change: (inout SoftDevicePolicies) -> Void = { _ in }
  ) throws -> Image {
    var image = try Image.enabled(.s140, places: places, change)
    #expect(image.addService(0x1801 + 0x100) == 14)
    #expect(image.add(.init(uuid: 0x1002, properties: 0x1A, value: [1], limit: 100)).handles == [16, 0, 17, 0])
    let authorised = Image.Characteristic(uuid: 0x1003, properties: 0x28, rights: [0x11, 0x11, 0x13])
    #expect(image.add(authorised).handles == [19, 0, 20, 0])
    #expect(image.add(.init(uuid: 0x1004, properties: 0x04)).handles == [22, 0, 0, 0])
    #expect(image.advertise() == 0)
    if connected {
      image.connect()
      image.take(.maximumTransmissionUnitChanged(Image.handle, 50))
      _ = image.fetchAll()
      image.output = SoftDeviceOutput()
    }
    return image
  }

  private func tell(_ image: inout Image, _ handle: UInt16, _ kind: UInt16, _ value: [UInt8]) -> (UInt32, UInt16) {
    let length = image.put(halfwords: [UInt16(value.count)])
    let parameters = image.put(words: [UInt32(handle) | UInt32(kind) << 16, 0, length, image.put(value)])
    let result = image.call(0xAE, 0, parameters)
    return (result, image.halfword(length))
  }

  @Test("handles follow the order of registration; the image's begin with 14") func handles() throws {
    var image = try Image.enabled()
    let first = image.room(2)
    #expect(image.call(0xB3, first) == 0)
    #expect(image.halfword(first) == 14)
    #expect(image.add(.init(uuid: 0x1002, properties: 2)).result == 8)
    #expect(image.addService(0x1234) == 14)
    let described = Image.Characteristic(uuid: 0x1002, properties: 0x11, description: [65, 66])
    #expect(image.add(described).handles == [16, 17, 18, 19])
    let handle = image.room(2)
    let attribute = image.put(words: [image.uuid(0x2908), image.put([0x11, 0, 2]), 1, 1, image.put([9])])
    #expect(image.call(0xAB, 0, attribute, handle) == 0)
    #expect(image.halfword(handle) == 20)
    #expect(image.addService(0x1235) == 21)
    #expect(image.call(0xAB, 0, attribute, handle) == 8)
    let (uuid, rights) = (image.room(4), image.room(3))
    #expect(image.call(0xB4, 20, uuid, rights) == 0)
    #expect(image.octets(uuid, 4) == [8, 0x29, 1, 0])
    #expect(image.octets(rights, 3) == [0x11, 0, 2])
    #expect(image.call(0xB4, 99, uuid, rights) == 0x3003)
    // What the host stack serves has the same handles.
    let database = image.device.state.server.database
    #expect(database.discovered[2].characteristics[0].configurationHandle == AttributeHandle(18))
    #expect(database.discovered[3].handle == AttributeHandle(21))
  }

  @Test("the description can stand behind the client configuration") func orderOfDescriptors() throws {
    var image = try Image.enabled { $0.descriptorOrder = .configurationFirst }
    _ = image.addService(0x1234)
    #expect(
      image.add(.init(uuid: 0x1002, properties: 0x10, description: [65])).handles == [16, 18, 17, 0])
    #expect(image.device.state.server.database.discovered[2].characteristics[0].configurationHandle?.rawValue == 17)
  }

  @Test("ten thousand attributes end in no memory, as the size of the table says", arguments: [248, 1_408, 0x4_0000])
  func room(_ size: UInt32) throws {
    var image = try Image.enabled(table: size)
    _ = image.addService(0x1234)
    var count = 0
    while count < 10_000, image.add(.init(uuid: 0x1002, properties: 0x02, limit: 20)).result == 0 { count += 1 }
    let before = image.device.state.server.attributes.count
    #expect(image.add(.init(uuid: 0x1002, properties: 0x02, limit: 20)).result == 4)
    #expect(image.device.state.server.attributes.count == before)
    // Two attributes of 12 octets and a value of 20.
    #expect(count <= Int(size) / 44)
    #expect(count > Int(size) / 44 - 8)
  }

  @Test("a characteristic that is added while a phone is connected has a client configuration as well")
  func growth() throws {
    var image = try served()
    #expect(image.add(.init(uuid: 0x1005, properties: 0x10)).handles == [24, 0, 25, 0])
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    let value = image.put(words: [2, image.room(2)])
    #expect(image.call(0xAD, 0, 25, value) == 0)
    #expect(image.call(0xAC, 0, 25, value) == 0)
  }

  @Test func badCharacteristics() throws {
    var image = try Image.enabled(table: 0x1000)
    _ = image.addService(0x1234)
    #expect(image.add(.init(uuid: 1, properties: 2, rights: [17, 17, 3], limit: 513)).result == 12)
    #expect(image.add(.init(uuid: 1, properties: 2, rights: [17, 17, 2], limit: 511)).result == 12)
    #expect(image.add(.init(uuid: 1, properties: 2, value: [1, 2, 3], limit: 2)).result == 7)
    #expect(image.add(.init(uuid: 1, base: 9, properties: 2)).result == 7)
    #expect(image.call(0xA8, 3, image.uuid(1), image.room(2)) == 7)
    #expect(image.call(0xA8, 1, image.uuid(0x1800), image.room(2)) == 15)
    #expect(image.call(0xAA, 5, image.room(28), image.room(20), 0) == 7)
  }

  @Test("a notification: system attributes first, then the configuration, then the places; the length comes back")
  func notification() throws {
    var image = try served()
    let long = (0..<80).map { UInt8($0) }
    #expect(tell(&image, 16, 1, long) == (0x3401, 80))
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    #expect(tell(&image, 16, 1, long) == (8, 80))
    image.take(.subscriptionChanged(Image.handle, AttributeHandle(16), .notifications, .written))
    let write = try image.next()
    #expect(write.number == 0x50)
    #expect(write.body == [0, 0, 17, 0, 2, 0x29, 1, 0, 1, 0, 0, 0, 2, 0, 1, 0])
    image.output.requests = []
    #expect(tell(&image, 16, 1, long) == (0, 47))
    guard case .notify(Image.handle, let ticket, AttributeHandle(rawValue: 16), let sent)? = image.output.requests.last
    else { return #expect(Bool(false)) }
    #expect(sent == long.prefix(47))
    #expect(tell(&image, 16, 1, [5]) == (19, 1))
    image.take(.notificationTransmitted(Image.handle, ticket))
    let event = try image.next()
    #expect(event.number == 0x57)
    #expect(event.body == [0, 0, 1])
    #expect(tell(&image, 16, 1, [5]).0 == 0)
    // The value changed with each of them.
    let (value, buffer) = (image.room(8), image.room(4))
    try image.processor.memory.write([4, 0, 0, 0], at: value)
    try image.processor.memory.writeWord(buffer, at: value + 4)
    #expect(image.call(0xAD, 0xFFFF, 16, value) == 0)
    #expect(image.octets(buffer, 1) == [5])
  }

  @Test("the host keeps the whole value where a part is told") func partOfAValue() throws {
    var image = try served()
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    image.take(.subscriptionChanged(Image.handle, AttributeHandle(16), .notifications, .written))
    #expect(image.call(0xAC, 0xFFFF, 16, image.put(words: [2, image.put([7, 8])])) == 0)
    let parameters = image.put(words: [16 | 1 << 16, 2, image.put(halfwords: [1]), image.put([9])])
    #expect(image.call(0xAE, 0, parameters) == 0)
    guard case .notify(_, _, AttributeHandle(rawValue: 16), let told)? = image.output.requests.dropLast().last else {
      return #expect(Bool(false))
    }
    #expect(told == [9])
    #expect(image.output.requests.last == .setValue(AttributeHandle(16), [7, 8, 9]))
  }

  @Test func badNotifications() throws {
    var image = try served()
    #expect(tell(&image, 99, 1, []).0 == 0x3003)
    #expect(tell(&image, 3, 1, []).0 == 0x3003)
    #expect(tell(&image, 17, 1, []).0 == 0x3400)
    #expect(tell(&image, 16, 3, []).0 == 7)
    #expect(tell(&image, 22, 1, []).0 == 7)
    #expect(tell(&image, 16, 1, Array(repeating: 0, count: 101)).0 == 12)
    let parameters = image.put(words: [16 | 1 << 16, 0, 0, image.put([1])])
    #expect(image.call(0xAE, 0, parameters) == 16)
    #expect(image.call(0xAE, 1, parameters) == 0x3002)
    image.take(.disconnected(Image.handle, .connectionTimeout))
    #expect(tell(&image, 16, 1, []).0 == 0x3002)
  }

  @Test("a storm of notifications takes as many places as there are") func storm() throws {
    var image = try served(places: 3)
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    image.take(.subscriptionChanged(Image.handle, AttributeHandle(16), .notifications, .written))
    let results = (0..<1_000).map { tell(&image, 16, 1, [UInt8(truncatingIfNeeded: $0)]).0 }
    #expect(results.count { $0 == 0 } == 3)
    #expect(results.count { $0 == 19 } == 997)
    let tickets = image.output.requests.compactMap(\.ticket)
    _ = image.fetchAll()
    for ticket in tickets { image.take(.notificationTransmitted(Image.handle, ticket)) }
    // Those of one instant are told of together.
    #expect(image.fetchAll().map(\.body) == [[0, 0, 3]])
  }

  @Test func indication() throws {
    var image = try served()
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    image.take(.subscriptionChanged(Image.handle, AttributeHandle(19), .indications, .written))
    _ = image.fetchAll()
    #expect(tell(&image, 19, 1, [1]).0 == 7)
    #expect(tell(&image, 19, 2, [1]).0 == 0)
    #expect(tell(&image, 19, 2, [1]).0 == 17)
    let ticket = try #require(image.output.requests.compactMap(\.ticket).last)
    image.take(.indicationConfirmed(Image.handle, ticket))
    let event = try image.next()
    #expect(event.number == 0x53)
    #expect(event.body == [0, 0, 19, 0])
    #expect(image.call(0xAF, 0, 14, 0xFFFF) == 8)
    image.take(.subscriptionChanged(Image.handle, AttributeHandle(12), .indications, .written))
    #expect(image.call(0xAF, 0, 14, 22) == 0)
    #expect(image.call(0xAF, 0, 14, 22) == 17)
    guard case .indicate(_, let changed, AttributeHandle(rawValue: 12), [14, 0, 22, 0])? = image.output.requests.last
    else { return #expect(Bool(false)) }
    _ = image.fetchAll()
    image.take(.indicationConfirmed(Image.handle, changed))
    #expect(image.fetch()?.number == 0x54)
  }

  @Test("writes with an authorisation wait for the image, and are refused or taken as it says") func authorisation()
    throws
  {
    var image = try served()
    image.take(.writeRequested(Image.handle, AccessToken(7), AttributeHandle(19), [3, 4]))
    let event = try image.next()
    #expect(event.number == 0x51)
    #expect(event.body == [0, 0, 2, 0, 19, 0, 3, 0x10, 1, 0, 1, 1, 0, 0, 2, 0, 3, 4])
    #expect(image.call(0xB0, 0, image.put(words: [1, 0, 0, 0])) == 8)
    #expect(image.call(0xB0, 0, image.put(words: [2, 0x0777, 0, 0])) == 7)
    #expect(image.call(0xB0, 0, image.put(words: [2, 0x01FD, 0, 0])) == 0)
    #expect(image.output.requests == [.answerWrite(Image.handle, AccessToken(7), .improperlyConfigured)])
    #expect(image.call(0xB0, 0, image.put(words: [2, 0, 0, 0])) == 8)
    image.take(.writeRequested(Image.handle, AccessToken(8), AttributeHandle(19), [3, 4]))
    #expect(image.call(0xB0, 0, image.put(words: [2, 1 << 16, 2 << 16, image.put([3, 4])])) == 0)
    #expect(image.output.requests.last == .answerWrite(Image.handle, AccessToken(8), nil))
    image.take(.readRequested(Image.handle, AccessToken(9), AttributeHandle(19), offset: 0))
    #expect(image.output.requests.last == .answerRead(Image.handle, AccessToken(9), .success([3, 4])))
  }

  @Test("writes of stored values: handle, type, operation, octets") func writes() throws {
    var image = try served()
    image.take(.attributeWritten(Image.handle, AttributeHandle(16), [9, 8]))
    #expect(image.fetch()?.body == [0, 0, 16, 0, 2, 0x10, 1, 0, 1, 0, 0, 0, 2, 0, 9, 8])
    image.take(.attributeWritten(Image.handle, AttributeHandle(22), [7]))
    #expect(image.fetch()?.body == [0, 0, 22, 0, 4, 0x10, 1, 0, 2, 0, 0, 0, 1, 0, 7])
    image.take(.attributeWritten(Image.handle, AttributeHandle(3), [65]))
    #expect(image.fetch()?.body == [0, 0, 3, 0, 0, 0x2A, 1, 0, 1, 0, 0, 0, 1, 0, 65])
    let (buffer, length) = (image.room(31), image.put(halfwords: [31]))
    #expect(image.call(0x7D, buffer, length) == 0)
    #expect(image.halfword(length) == 1)
  }

  @Test("a value in the image's memory is read where it is when it is read") func guestMemory() throws {
    var image = try Image.enabled()
    _ = image.addService(0x1234)
    let place = image.put([1, 2, 3, 4])
    let shared = Image.Characteristic(
      uuid: 0x1002, properties: 0x0A, rights: [0x11, 0x11, 0x05], value: [1, 2, 3, 4], limit: 4, location: place)
    #expect(image.add(shared).handles[0] == 16)
    #expect(image.advertise() == 0)
    image.connect()
    try image.processor.memory.write([9], at: place)
    image.take(.readRequested(Image.handle, AccessToken(1), AttributeHandle(16), offset: 0))
    #expect(image.output.requests.last == .answerRead(Image.handle, AccessToken(1), .success([9, 2, 3, 4])))
    image.take(.writeRequested(Image.handle, AccessToken(2), AttributeHandle(16), [5, 6]))
    #expect(image.octets(place, 2) == [5, 6])
  }

  @Test("the exchange of the MTU waits for the image") func exchange() throws {
    var image = try served()
    #expect(image.call(0xB5, 0, 100) == 8)
    image.take(.maximumTransmissionUnitRequested(Image.handle, 185))
    let event = try image.next()
    #expect(event.number == 0x55)
    #expect(event.body == [0, 0, 185, 0])
    #expect(tell(&image, 16, 1, [1]).0 == 8)
    #expect(image.call(0xB5, 0, 22) == 7)
    #expect(image.call(0xB5, 0, 248) == 7)
    #expect(image.call(0xB5, 0, 247) == 0)
    #expect(image.output.requests.last == .answerMaximumTransmissionUnit(Image.handle, 247))
  }

  @Test("none known, said twice", arguments: [false, true]) func attributesAreSetTwice(_ kept: Bool) throws {
    var image = try served { $0.repeatedSystemAttributes = kept ? .kept : .cleared }
    image.take(.subscriptionsRequested(Image.handle))
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    image.take(.subscriptionChanged(Image.handle, AttributeHandle(16), .notifications, .written))
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    let buffer = image.room(64)
    #expect(image.call(0xB2, 0, buffer, image.put(halfwords: [64]), 2) == 0)
    #expect(image.octets(buffer, 6).suffix(2) == [kept ? 1 : 0, 0])
  }

  @Test("system attributes that nobody has set", arguments: [false, true]) func unsetAttributes(_ told: Bool) throws {
    var image = try Image.enabled(.s140) { $0.unsetSystemAttributes = told ? .told : .missing }
    #expect(image.advertise() == 0)
    image.connect()
    #expect(image.call(0xB2, 0, 0, image.put(halfwords: [64]), 0) == (told ? 0 : 0x3401))
  }

  @Test("system attributes: asked for, given, told, given back on the next connection") func systemAttributes() throws {
    var image = try served()
    image.take(.subscriptionsRequested(Image.handle))
    let event = try image.next()
    #expect(event.number == 0x52)
    #expect(event.body == [0, 0, 0])
    let (buffer, length) = (image.room(64), image.put(halfwords: [64]))
    // Nobody has set them yet.
    #expect(image.call(0xB2, 0, buffer, length, 0) == 0)
    #expect(image.octets(buffer, 6).suffix(2) == [0, 0])
    #expect(image.call(0xB1, 0, 0, 0, 0) == 0)
    #expect(image.output.requests.last == .setSubscriptions(Image.handle, []))
    image.take(.subscriptionChanged(Image.handle, AttributeHandle(16), .notifications, .written))
    #expect(image.call(0xB2, 0, 0, length, 0) == 0)
    #expect(image.halfword(length) == 3 * 6 + 2)
    #expect(image.call(0xB2, 0, buffer, image.put(halfwords: [5]), 0) == 12)
    #expect(image.call(0xB2, 0, buffer, length, 2) == 0)
    #expect(image.halfword(length) == 2 * 6 + 2)
    let stored = image.octets(buffer, 14)
    image.take(.disconnected(Image.handle, .connectionTimeout))
    #expect(image.call(0xB2, 0, buffer, image.put(halfwords: [64]), 2) == 0)
    #expect(image.octets(buffer, 14) == stored)
    #expect(image.call(0x73, 0, 1) == 0)
    image.connect()
    #expect(image.call(0xB1, 0, image.put(stored), 13, 2) == 11)
    #expect(image.call(0xB1, 0, image.put([stored[0] ^ 1] + stored.dropFirst()), 14, 2) == 11)
    #expect(image.call(0xB1, 0, image.put(stored), 14, 4) == 10)
    #expect(image.call(0xB1, 0, image.put(stored), 14, 2) == 0)
    let restored = StoredSubscription(handle: AttributeHandle(16), subscription: .notifications)
    #expect(image.output.requests.last == .setSubscriptions(Image.handle, [restored]))
    let value = image.put(words: [2, buffer])
    #expect(image.call(0xAD, 0, 17, value) == 0)
    #expect(image.octets(buffer, 2) == [1, 0])
    #expect(image.call(0xAD, 0, 13, value) == 0x3401)
    #expect(image.call(0xAD, 0xFFFF, 17, value) == 0x3002)
  }

  @Test("values: lengths, offsets, what has none") func values() throws {
    var image = try served(connected: false)
    let buffer = image.room(8)
    #expect(image.call(0xAC, 0xFFFF, 16, image.put(words: [3, image.put([7, 8, 9])])) == 0)
    let value = image.put(words: [2, buffer])
    #expect(image.call(0xAD, 0xFFFF, 16, value) == 0)
    #expect(image.octets(buffer, 3) == [7, 8, 0xEE])
    #expect(image.halfword(value) == 3)
    #expect(image.call(0xAC, 0xFFFF, 16, image.put(words: [1 | 2 << 16, image.put([1])])) == 0)
    #expect(image.call(0xAD, 0xFFFF, 16, image.put(words: [8 | 2 << 16, buffer])) == 0)
    #expect(image.octets(buffer, 1) == [1])
    #expect(image.output.requests.last == .setValue(AttributeHandle(16), [7, 8, 1]))
    #expect(image.call(0xAC, 0xFFFF, 16, image.put(words: [101, Image.ram])) == 12)
    #expect(image.call(0xAC, 0xFFFF, 14, image.put(words: [1, Image.ram])) == 15)
    #expect(image.call(0xAD, 0xFFFF, 15, image.put(words: [1, Image.ram])) == 15)
    #expect(image.call(0xAD, 0xFFFF, 500, image.put(words: [1, Image.ram])) == 0x3003)
    #expect(image.call(0xAD, 0xFFFF, 16, image.put(words: [1 | 9 << 16, Image.ram])) == 7)
  }
}

extension HostRequest {
  /// The ticket of what is told.
  fileprivate var ticket: NotificationTicket? {
    switch self {
    case .notify(_, let ticket, _, _), .indicate(_, let ticket, _, _): ticket
    default: nil
    }
  }
}
