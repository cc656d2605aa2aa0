import Bytes
import HCI
import HostStack
import Processor
import Testing

@testable import SoftDevice

/// An image without code: its calls are made by hand, its memory is looked at by hand.
struct Image {
  static let ram: UInt32 = 0x2000_0000
  static let ramSize: UInt32 = 0x4_0000
  static let address = BluetoothAddress("F5:E6:A1:B2:C3:D4")!
  static let phone = BluetoothAddress("C0:00:00:00:00:02")!
  static let handle = ConnectionHandle(0x40)
  static let identityResolvingKey = (0..<16).map { UInt8(0xA0 + $0) }

  var device: SoftDeviceHost
  var processor: CortexM4
  var output = SoftDeviceOutput()
  var cycle: UInt64 = 1_000
  /// Where the next structure is put.
  private var free = Image.ram + 0x1_0000

  init(_ variant: SoftDeviceSettings.Variant = .s140, _ change: (inout SoftDevicePolicies) -> Void = { _ in }) throws {
    var settings = SoftDeviceSettings(
      variant, address: Self.address, identityResolvingKey: Self.identityResolvingKey,
      randomKey: Array(repeating: 7, count: 16), eraseCycles: 5_440_000, wordCycles: 2_624)
    change(&settings.policies)
    device = SoftDeviceHost(settings)
    let memory = try Memory(regions: [
      MemoryRegion(base: 0, size: Int(variant.flashSize), kind: .readOnly, name: "flash"),
      MemoryRegion(base: Self.ram, size: Int(Self.ramSize), kind: .readWrite, name: "RAM"),
      MemoryRegion(base: 0x1000_1000, size: 0x1000, kind: .readOnly, name: "user registers"),
    ])
    processor = CortexM4(memory: memory)
  }

  /// An image whose Bluetooth is enabled, with more octets of attribute table where wanted.
  static func enabled(
    _ variant: SoftDeviceSettings.Variant = .s140, table: UInt32 = 1_408, places: UInt8 = 1,
    _ change: (inout SoftDevicePolicies) -> Void = { _ in }
  ) throws -> Image {
    var image = try Image(variant, change)
    #expect(image.call(0x10, 0, 0x2_8121) == 0)
    #expect(image.configure(0x23, [1, 0, 247, 0]) == 0)
    #expect(image.configure(0x22, [1, 0, places]) == 0)
    #expect(image.configure(0xA1, words: [table]) == 0)
    #expect(image.call(0x60, image.put(words: [0x2000_5978])) == 0)
    return image
  }

  /// Makes a call and gives its result.
  @discardableResult
  mutating func call(_ number: UInt8, _ arguments: UInt32...) -> UInt32 {
    for register in 0..<4 {
      processor[register: register] = register < arguments.count ? arguments[register] : 0xDEAD_BEE0 + UInt32(register)
    }
    device.call(number, &processor, at: cycle)
    device.drain(&output)
    return processor[register: 0]
  }

  /// Lets the host stack report something.
  mutating func take(_ event: HostEvent) {
    device.take(event, &processor, at: cycle)
    device.drain(&output)
  }

  /// Lets everything that takes its time be done.
  mutating func complete() {
    let completions = output.completions
    output.completions = []
    for completion in completions {
      cycle = max(cycle, completion.due)
      device.complete(completion.completion, &processor, at: cycle)
    }
    device.drain(&output)
  }

  // MARK: Memory

  /// Puts octets into fresh memory and gives their address.
  mutating func put(_ octets: [UInt8]) -> UInt32 {
    let address = free
    free += UInt32(max(octets.count, 4) + 7) / 4 * 4
    if free > Self.ram + Self.ramSize - 0x1000 { free = Self.ram + 0x1_0000 }
    try? processor.memory.write(octets, at: address)
    return address
  }

  mutating func put(words: [UInt32]) -> UInt32 {
    put(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
  }

  mutating func put(halfwords: [UInt16]) -> UInt32 {
    put(halfwords.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
  }

  /// Room for something that a call writes.
  mutating func room(_ count: Int) -> UInt32 { put(Array(repeating: 0xEE, count: count)) }

  func octets(_ address: UInt32, _ count: Int) -> [UInt8] {
    (try? processor.memory.read(address, count: count)) ?? []
  }

  func halfword(_ address: UInt32) -> UInt16 { octets(address, 2).reversed().reduce(0) { $0 << 8 | UInt16($1) } }
  func word(_ address: UInt32) -> UInt32 { octets(address, 4).reversed().reduce(0) { $0 << 8 | UInt32($1) } }

  // MARK: Frequent calls

  mutating func configure(_ number: UInt32, _ octets: [UInt8]) -> UInt32 {
    call(0x69, number, put(octets + Array(repeating: 0, count: 12 - octets.count)), 0x2000_5978)
  }

  mutating func configure(_ number: UInt32, words: [UInt32]) -> UInt32 {
    call(0x69, number, put(words: words + Array(repeating: 0, count: 3 - words.count)), 0x2000_5978)
  }

  /// The next event's octets without its header, and its number; nil where none waits.
  mutating func fetch() -> (number: UInt16, body: [UInt8])? {
    let length = put(halfwords: [300])
    let buffer = room(300)
    guard call(0x61, buffer, length) == 0 else { return nil }
    let octets = octets(buffer, Int(halfword(length)))
    #expect(Int(halfword(buffer + 2)) == octets.count)
    return (halfword(buffer), Array(octets.dropFirst(4)))
  }

  /// The next event's octets without its header, and its number; fails where none waits.
  mutating func next() throws -> (number: UInt16, body: [UInt8]) {
    let event = fetch()
    return try #require(event)
  }

  /// Every event that waits.
  mutating func fetchAll() -> [(number: UInt16, body: [UInt8])] {
    var events: [(UInt16, [UInt8])] = []
    while let event = fetch() { events.append(event) }
    return events
  }

  /// `ble_uuid_t` in memory.
  mutating func uuid(_ value: UInt16, base: UInt8 = 1) -> UInt32 {
    put([UInt8(truncatingIfNeeded: value), UInt8(value >> 8), base, 0])
  }

  /// Adds a primary service and gives its handle.
  mutating func addService(_ value: UInt16, base: UInt8 = 1) -> UInt16 {
    let handle = room(2)
    #expect(call(0xA8, 1, uuid(value, base: base), handle) == 0)
    return halfword(handle)
  }

  /// What a characteristic is added with.
  struct Characteristic {
    var uuid: UInt16
    var base: UInt8 = 1
    var properties: UInt8
    var rights: [UInt8] = [0x11, 0x11, 0x03]
    var value: [UInt8] = []
    var limit: UInt16 = 20
    var description: [UInt8] = []
    /// Where the value lives, where that is in the image's memory.
    var location: UInt32 = 0
  }

  /// Adds a characteristic; gives the result, and the handles of value, description, client and server configuration.
  mutating func add(_ characteristic: Characteristic) -> (result: UInt32, handles: [UInt16]) {
    let location = characteristic.location == 0 ? put(characteristic.value) : characteristic.location
    let description = characteristic.description.isEmpty ? 0 : put(characteristic.description)
    let size = UInt32(characteristic.description.count)
    let about = put(words: [
      UInt32(characteristic.properties), description, size | size << 16, 0, 0, 0, 0,
    ])
    let attribute = put(words: [
      uuid(characteristic.uuid, base: characteristic.base), put(characteristic.rights),
      UInt32(characteristic.value.count), UInt32(characteristic.limit), location,
    ])
    let handles = room(8)
    let result = call(0xAA, 0, about, attribute, handles)
    return (result, (0..<4).map { halfword(handles + UInt32($0) * 2) })
  }

  /// Configures one set and starts advertising.
  mutating func advertise(data: [UInt8] = [2, 1, 6], scanResponse: [UInt8] = [], duration: UInt16 = 0) -> UInt32 {
    let handle = put([0xFF])
    let about = put(words: [
      put(data), UInt32(data.count), scanResponse.isEmpty ? 0 : put(scanResponse), UInt32(scanResponse.count),
    ])
    let parameters = put(words: [1, 0, 200, UInt32(duration), 0, 0])
    let result = call(0x72, handle, about, parameters)
    return result == 0 ? call(0x73, UInt32(octets(handle, 1)[0]), 1) : result
  }

  /// A phone connects.
  mutating func connect() {
    take(
      .connected(
        ConnectionInformation(
          isCentral: false, handle: Self.handle, peer: Self.phone, identity: Self.phone, isBonded: false,
          parameters: ConnectionParameters(intervalUnits: 24))))
  }
}
