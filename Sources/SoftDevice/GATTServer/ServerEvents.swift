import HostStack
import Processor

/// What the image is told of its server.
extension SoftDeviceHost {
  mutating func takeOfServer(_ event: HostEvent, _ processor: inout CortexM4, at cycle: UInt64) {
    switch event {
    case .maximumTransmissionUnitChanged(_, let size): state.link?.maximumTransmissionUnit = size
    case .maximumTransmissionUnitRequested(_, let size):
      state.link?.isExchangeRequested = true
      queueOfServer(.transmissionUnitRequested, size, at: cycle)
    case .subscriptionsRequested: subscriptionsRequested(at: cycle)
    case .subscriptionChanged(_, let handle, let subscription, .written):
      subscriptionWritten(handle.rawValue, subscription.rawValue, at: cycle)
    case .attributeWritten(_, let handle, let value): written(handle.rawValue, value, &processor, at: cycle)
    case .readRequested(_, let token, let handle, let offset):
      readRequested(token, handle.rawValue, offset, processor, at: cycle)
    case .writeRequested(_, let token, let handle, let value):
      writeRequested(token, handle.rawValue, value, &processor, at: cycle)
    case .notificationTransmitted(_, let ticket): notificationSent(ticket, at: cycle)
    case .notificationRefused(_, let ticket, let reason): refused(ticket, reason, at: cycle)
    case .indicationConfirmed(_, let ticket): confirmed(ticket, at: cycle)
    default: return
    }
  }

  /// An event with one half-word behind the connection's handle.
  private mutating func queueOfServer(_ number: EventNumber, _ value: UInt16, at cycle: UInt64) {
    var fields = GuestFields(4)
    fields.put(value, at: 2)
    queue(number, fields, at: cycle)
  }

  // MARK: Accesses of the client

  /// The client waits until the image has set the system attributes. Where they are set, the host stack was asked before
  /// it heard of them.
  private mutating func subscriptionsRequested(at cycle: UInt64) {
    guard let link = state.link else { return }
    if !link.knownSystemAttributes.isEmpty { return restoreSubscriptions() }
    queue(.systemAttributesMissing, GuestFields(3), at: cycle)
  }

  private mutating func subscriptionWritten(_ handle: UInt16, _ value: UInt16, at cycle: UInt64) {
    guard let slot = state.server.slot(ofValue: handle), let place = state.server.configurationHandle(slot),
      slot < state.link?.subscriptions.count ?? 0
    else { return }
    state.link?.subscriptions[slot] = value
    let octets = [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)]
    tellWrite(
      place, ShortUUID(AttributeType.clientConfiguration), octets, operation: WriteOperation.request, isDeferred: false,
      at: cycle)
  }

  /// The host stack has stored a value.
  private mutating func written(_ handle: UInt16, _ value: [UInt8], _ processor: inout CortexM4, at cycle: UInt64) {
    guard let attribute = state.server[handle] else { return }
    accept(value, handle, attribute, &processor)
    tellWrite(handle, attribute.uuid, value, operation: attribute.writeOperation, isDeferred: false, at: cycle)
  }

  /// A value of fixed length keeps what was not written.
  private mutating func accept(
    _ octets: [UInt8], _ handle: UInt16, _ attribute: ServerTable.Attribute, _ processor: inout CortexM4
  ) {
    let now = current(attribute, processor)
    guard let value = attribute.isVariable ? octets : now.value(writing: octets, at: 0) else { return }
    state.server.setValue(handle, value)
    if let location = attribute.location {
      if (try? processor.memory.write(value, at: location)) == nil { note(.keyStoreLost(address: location)) }
    } else if value != octets {
      ask(.setValue(AttributeHandle(handle), value[...]))
    }
  }

  private mutating func readRequested(
    _ token: AccessToken, _ handle: UInt16, _ offset: UInt16, _ processor: CortexM4, at cycle: UInt64
  ) {
    guard let link = state.link, let attribute = state.server[handle] else { return }
    guard attribute.asksForReads else {
      return ask(.answerRead(link.handle, token, .success(valueNow(handle, processor))))
    }
    state.link?.authorization = PendingAuthorization(token: token, handle: handle, isWrite: false, offset: offset)
    var fields = GuestFields(12)
    fields.put(GATTNumber.authorizesRead, at: 2)
    fields.put(handle, at: 4)
    fields.put(attribute.uuid.octets, at: 6)
    fields.put(offset, at: 10)
    queue(.authorizationRequested, fields, at: cycle)
  }

  private mutating func writeRequested(
    _ token: AccessToken, _ handle: UInt16, _ value: [UInt8], _ processor: inout CortexM4, at cycle: UInt64
  ) {
    guard let link = state.link, let attribute = state.server[handle] else { return }
    let operation = attribute.writeOperation
    guard attribute.asksForWrites else {
      ask(.answerWrite(link.handle, token, nil))
      accept(value, handle, attribute, &processor)
      return tellWrite(handle, attribute.uuid, value, operation: operation, isDeferred: false, at: cycle)
    }
    // A command has no answer: the image may store the value by itself.
    guard operation == WriteOperation.request else {
      return tellWrite(handle, attribute.uuid, value, operation: operation, isDeferred: true, at: cycle)
    }
    state.link?.authorization = PendingAuthorization(token: token, handle: handle, isWrite: true, offset: 0)
    var fields = GuestFields(16 + value.count)
    fields.put(GATTNumber.authorizesWrite, at: 2)
    fields.put(writeFields(handle, attribute.uuid, value, operation: operation, isDeferred: true), at: 4)
    queue(.authorizationRequested, fields, at: cycle)
  }

  private mutating func tellWrite(
    _ handle: UInt16, _ uuid: ShortUUID, _ value: [UInt8], operation: UInt8, isDeferred: Bool, at cycle: UInt64
  ) {
    var fields = GuestFields(14 + value.count)
    fields.put(writeFields(handle, uuid, value, operation: operation, isDeferred: isDeferred), at: 2)
    queue(.write, fields, at: cycle)
  }

  /// `ble_gatts_evt_write_t`.
  private func writeFields(
    _ handle: UInt16, _ uuid: ShortUUID, _ value: [UInt8], operation: UInt8, isDeferred: Bool
  ) -> [UInt8] {
    var fields = GuestFields(12 + value.count)
    fields.put(handle, at: 0)
    fields.put(uuid.octets, at: 2)
    fields.put([operation, isDeferred ? 1 : 0], at: 6)
    fields.put(UInt16(truncatingIfNeeded: value.count), at: 10)
    fields.put(value, at: 12)
    return fields.octets
  }

  // MARK: What was told

  /// Notifications of the same instant are told of together, as those of one connection event are.
  private mutating func notificationSent(_ ticket: NotificationTicket, at cycle: UInt64) {
    guard let index = state.link?.notifications.firstIndex(of: ticket) else { return }
    state.link?.notifications.remove(at: index)
    state.link?.crowdedOut = 0
    if let last = state.events.last, last.number == .notificationsSent, last.cycle == cycle, last.body[2] < .max {
      state.events[state.events.count - 1].body[2] += 1
      return
    }
    var fields = GuestFields(3)
    fields.put(UInt8(1), at: 2)
    queue(.notificationsSent, fields, at: cycle)
  }

  private mutating func confirmed(_ ticket: NotificationTicket, at cycle: UInt64) {
    guard let indication = state.link?.indication, indication.ticket == ticket else { return }
    state.link?.indication = nil
    if indication.isServiceChange {
      queue(.serviceChangeConfirmed, GuestFields(2), at: cycle)
    } else {
      queueOfServer(.valueConfirmed, indication.handle, at: cycle)
    }
  }

  /// The host stack could not tell a value although everything was looked at before.
  private mutating func refused(_ ticket: NotificationTicket, _ reason: NotificationRefusal, at cycle: UInt64) {
    if state.link?.indication?.ticket == ticket {
      state.link?.indication = nil
      if reason == .confirmationTimeout { queue(.serverTimeout, GuestFields(3), at: cycle) }
    } else {
      state.link?.notifications.removeAll { $0 == ticket }
    }
    if reason == .queueFull || reason == .notEnabled { note(.radio("a value could not be told: \(reason)")) }
  }
}

extension ServerTable.Attribute {
  /// How a client writes it. Where both ways are offered a request is supposed: the host stack does not tell them apart.
  fileprivate var writeOperation: UInt8 {
    guard case .value(let properties, _) = role else { return WriteOperation.request }
    let isCommand = properties.contains(.writeWithoutResponse) && !properties.contains(.write)
    return isCommand ? WriteOperation.command : WriteOperation.request
  }
}
