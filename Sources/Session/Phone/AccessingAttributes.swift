import HostStack
import Phone
import Synchronization
import Timeline

/// What reading an attribute brought.
package enum AttributeReading: Equatable, Sendable {
  /// Its value.
  case value([UInt8])
  /// The recorder's refusal.
  case refused(ATTErrorCode)
}

/// The attributes of a recorder, with the values that can be read.
package struct AttributeTable: Sendable {
  /// The services, in the order of their handles.
  package var services: [DiscoveredService]
  /// What reading each readable characteristic brought, by the handle of its value.
  package var values: [(handle: AttributeHandle, reading: AttributeReading)]
}

/// One notification or indication.
package struct HeardValue: Equatable, Sendable {
  /// Time since listening began.
  package var time: Duration
  /// Its octets.
  package var value: [UInt8]
  /// Whether it was indicated.
  package var isIndication: Bool
}

/// What access to attributes tells while it goes on.
package enum AttributeEvent: Sendable {
  /// The battery is at this low level, in percent.
  case batteryLow(UInt8)
  /// A value came.
  case heard(HeardValue)
}

/// A handle at which nothing can be subscribed to.
package struct NotSubscribable: Error, Equatable, Sendable {
  /// The handle.
  package var handle: AttributeHandle
}

extension RecorderConversation {
  /// Connects, discovers all attributes, and reads what can be read.
  func attributeTable(tell: @escaping @Sendable (AttributeEvent) -> Void) async throws -> AttributeTable {
    _ = try await BatteryRhythm.connect(self) { tell(.batteryLow($0)) }
    var table = AttributeTable(services: try await discoverServices(), values: [])
    for characteristic in table.services.flatMap(\.characteristics) where characteristic.properties.contains(.read) {
      let handle = characteristic.valueHandle
      switch try await phone.perform(.attribute(.read(handle)), within: Self.connectionLimit) {
      case .success(.attribute(.value(let value))): table.values.append((handle, .value(value)))
      case .failure(.refused(let code)): table.values.append((handle, .refused(code)))
      case .failure(let failure): throw failure
      case .success: throw PhoneFailure.abandoned
      }
    }
    return table
  }

  /// Connects, and reads one attribute.
  func read(
    _ handle: AttributeHandle, tell: @escaping @Sendable (AttributeEvent) -> Void
  ) async throws -> [UInt8] {
    _ = try await BatteryRhythm.connect(self) { tell(.batteryLow($0)) }
    guard case .value(let value) = try await attribute(.read(handle)) else { throw PhoneFailure.abandoned }
    return value
  }

  /// Connects, and writes one attribute.
  func write(
    _ value: [UInt8], to handle: AttributeHandle, withoutResponse: Bool,
    tell: @escaping @Sendable (AttributeEvent) -> Void
  ) async throws {
    _ = try await BatteryRhythm.connect(self) { tell(.batteryLow($0)) }
    _ = try await attribute(withoutResponse ? .writeWithoutResponse(handle, value) : .write(handle, value))
  }

  /// Connects, subscribes to one attribute, and listens for `span`. Returns how many values came.
  ///
  /// - Throws: ``NotSubscribable`` where the attribute offers neither notifications nor indications.
  func listen(
    to handle: AttributeHandle, for span: Duration, tell: @escaping @Sendable (AttributeEvent) -> Void
  ) async throws -> Int {
    var battery = try await BatteryRhythm.connect(self) { tell(.batteryLow($0)) }
    let characteristic = try await discoverServices().flatMap(\.characteristics).first { $0.valueHandle == handle }
    guard let characteristic, let configuration = characteristic.configurationHandle else {
      throw NotSubscribable(handle: handle)
    }
    let began = phone.now
    let count = Counter()
    let listener = ValueListener { [phone] attribute, value, isIndication in
      guard attribute == handle else { return }
      count.add()
      let time = began.duration(to: phone.now)
      tell(.heard(HeardValue(time: time, value: value, isIndication: isIndication)))
    }
    await phone.onEvent { listener.take($0) }
    let kind: Subscription = characteristic.properties.contains(.notify) ? .notifications : .indications
    _ = try await attribute(.subscribe(configuration, kind))
    try await battery.wait(span) { listener.hasEnded }
    if listener.hasEnded { throw PhoneFailure.notConnected }
    return count.value
  }
}

/// Counts values.
private final class Counter: Sendable {
  private let number = Mutex(0)

  var value: Int { number.withLock { $0 } }

  func add() { number.withLock { $0 += 1 } }
}
