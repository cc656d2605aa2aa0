import Bytes
import Packets

/// What a response means for the running procedure (Core Specification Vol 3, Part G, 4.3 to 4.12).
extension AttributeClient {
  /// What follows from a response.
  enum Outcome {
    /// The procedure continues with this request.
    case next(Step, ATTPDU)
    /// The procedure is done.
    case done(ClientResult)
    /// The MTU was exchanged.
    case exchanged(UInt16)
    /// The procedure has failed.
    case failed(ClientFailure)
  }

  /// Judges a response to the request of `step`.
  func advance(_ step: Step, with response: ATTPDU) -> Outcome {
    if case .errorResponse(let request, let handle, let code) = response {
      guard request == Self.request(of: step) else { return Self.malformed("error for another request", "3.4.1.1") }
      return refused(step, code, handle)
    }
    switch (step, response) {
    case (.exchangingMTU, .exchangeMTUResponse(let size)):
      // Less than 23 is the server's mistake and leaves the default (Part F, 3.4.2.2).
      return .exchanged(max(ATTPDU.defaultMTU, min(size, receiveMTU)))
    case (.findingServices(let found), .readByGroupTypeResponse(let groups)): return services(found, groups)
    case (.findingService(let uuid, let found), .findByTypeValueResponse(let ranges)):
      return services(uuid, found, ranges)
    case (.findingCharacteristics(let services, let index), .readByTypeResponse(let values)):
      return characteristics(services, index, values)
    case (.findingDescriptors(let services, let index, let characteristic), .findInformationResponse(let list)):
      return descriptors(services, index, characteristic, list)
    case (.reading(let handle, let before), .readResponse(let part)) where before.isEmpty:
      return read(handle, before, part)
    case (.reading(let handle, let before), .readBlobResponse(let part)) where !before.isEmpty:
      return read(handle, before, part)
    case (.readingByType(let type, let end, let found), .readByTypeResponse(let values)):
      return read(type, end, found, values)
    case (.writing, .writeResponse), (.executing, .executeWriteResponse): return .done(.written)
    case (.preparing(let handle, let value, let offset), .prepareWriteResponse(let echo, let place, let part)):
      return prepared(handle, value, offset, self.part(of: value, handle, at: offset), (echo, place, part))
    case (.abandoning(let failure), .executeWriteResponse): return .failed(failure)
    case (.exchanging(let request), _) where response.opcode.rawValue == request.rawValue + 1:
      return .done(.response(response))
    default: return Self.malformed("response of another kind than the request", "3.3.2")
    }
  }

  private static func malformed(_ text: String, _ section: String) -> Outcome {
    .failed(.malformedResponse(ProtocolViolation(text, reference: "Vol 3, Part F, " + section)))
  }

  private static func request(of step: Step) -> ATTOpcode {
    switch step {
    case .exchangingMTU: .exchangeMTURequest
    case .findingServices: .readByGroupTypeRequest
    case .findingService: .findByTypeValueRequest
    case .findingCharacteristics, .readingByType: .readByTypeRequest
    case .findingDescriptors: .findInformationRequest
    case .reading(_, let before): before.isEmpty ? .readRequest : .readBlobRequest
    case .writing: .writeRequest
    case .preparing: .prepareWriteRequest
    case .executing, .abandoning: .executeWriteRequest
    case .handingOver: .writeCommand
    case .exchanging(let request): request
    }
  }

  /// An Error Response ends a search that has found all there is, and fails everything else.
  private func refused(_ step: Step, _ code: ATTErrorCode, _ handle: AttributeHandle) -> Outcome {
    switch (step, code) {
    case (.findingServices(let found), .attributeNotFound), (.findingService(_, let found), .attributeNotFound):
      return discoverCharacteristics(of: found, from: 0)
    case (.findingCharacteristics(let services, let index), .attributeNotFound):
      return discoverDescriptors(of: services, index, from: 0)
    case (.findingDescriptors(let services, let index, let characteristic), .attributeNotFound):
      return discoverDescriptors(of: services, index, from: characteristic + 1)
    case (.readingByType(_, _, let found), .attributeNotFound) where !found.isEmpty: return .done(.values(found))
    // The value ended exactly where the last part did.
    case (.reading(_, let before), .invalidOffset) where !before.isEmpty,
      (.reading(_, let before), .attributeNotLong) where !before.isEmpty:
      return .done(.value(before))
    case (.preparing, _):
      return .next(.abandoning(.refused(code, handle)), .executeWriteRequest(commits: false))
    case (.exchangingMTU, .requestNotSupported): return .exchanged(ATTPDU.defaultMTU)
    case (.abandoning(let failure), _): return .failed(failure)
    default: return .failed(.refused(code, handle))
    }
  }

  // MARK: Discovery

  private func services(_ before: [DiscoveredService], _ groups: [AttributeGroup]) -> Outcome {
    var found = before
    for group in groups {
      guard let uuid = BluetoothUUID(littleEndian: group.value) else {
        return Self.malformed("service type of \(group.value.count) octets", "3.4.4.10")
      }
      guard group.range.isValid, group.range.start > found.last?.endHandle ?? AttributeHandle(0) else {
        return Self.malformed("handles of services do not rise", "3.4.4.10")
      }
      found.append(DiscoveredService(uuid: uuid, handle: group.range.start, endHandle: group.range.end))
    }
    guard let next = found.last?.endHandle.next else { return discoverCharacteristics(of: found, from: 0) }
    let type = DeclarationType.primaryService
    return .next(.findingServices(found), .readByGroupTypeRequest(HandleRange(next, .last), type))
  }

  private func services(_ uuid: BluetoothUUID, _ before: [DiscoveredService], _ ranges: [HandleRange]) -> Outcome {
    var found = before
    for range in ranges {
      guard range.isValid, range.start > found.last?.endHandle ?? AttributeHandle(0) else {
        return Self.malformed("handles of services do not rise", "3.4.3.4")
      }
      found.append(DiscoveredService(uuid: uuid, handle: range.start, endHandle: range.end))
    }
    guard let next = found.last?.endHandle.next else { return discoverCharacteristics(of: found, from: 0) }
    return .next(.findingService(uuid, found), Self.search(for: uuid, from: next))
  }

  /// Asks for the characteristics of the next service that has room for any.
  private func discoverCharacteristics(of services: [DiscoveredService], from first: Int) -> Outcome {
    for index in first..<max(first, services.count) {
      guard let start = services[index].handle.next, start <= services[index].endHandle else { continue }
      let range = HandleRange(start, services[index].endHandle)
      let type = DeclarationType.characteristic
      return .next(.findingCharacteristics(services, index: index), .readByTypeRequest(range, type))
    }
    return .done(.services(services))
  }

  private func characteristics(
    _ before: [DiscoveredService], _ index: Int, _ values: [AttributeValue]
  ) -> Outcome {
    var services = before
    var last = services[index].characteristics.last?.valueHandle ?? services[index].handle
    for declaration in values {
      guard let found = DiscoveredCharacteristic(declaration) else {
        return Self.malformed("characteristic declaration of \(declaration.value.count) octets", "3.4.4.2")
      }
      guard found.handle > last, found.valueHandle > found.handle, found.valueHandle <= services[index].endHandle else {
        return Self.malformed("handles of characteristics do not rise", "3.4.4.2")
      }
      last = found.valueHandle
      services[index].characteristics.append(found)
    }
    guard let next = last.next, next <= services[index].endHandle else {
      return discoverDescriptors(of: services, index, from: 0)
    }
    let range = HandleRange(next, services[index].endHandle)
    let type = DeclarationType.characteristic
    return .next(.findingCharacteristics(services, index: index), .readByTypeRequest(range, type))
  }

  /// Asks for the descriptors of the next characteristic that has room for any.
  private func discoverDescriptors(
    of services: [DiscoveredService], _ index: Int, from first: Int
  ) -> Outcome {
    let service = services[index]
    for characteristic in first..<max(first, service.characteristics.count) {
      guard let start = service.characteristics[characteristic].valueHandle.next else { break }
      let range = HandleRange(start, service.end(ofCharacteristic: characteristic))
      guard range.isValid else { continue }
      let step = Step.findingDescriptors(services, index: index, characteristic: characteristic)
      return .next(step, .findInformationRequest(range))
    }
    return discoverCharacteristics(of: services, from: index + 1)
  }

  private func descriptors(
    _ before: [DiscoveredService], _ index: Int, _ characteristic: Int, _ list: [AttributeInformation]
  ) -> Outcome {
    var services = before
    let end = services[index].end(ofCharacteristic: characteristic)
    var last = services[index].characteristics[characteristic].valueHandle
    for entry in list {
      guard entry.handle > last, entry.handle <= end else {
        return Self.malformed("handles of descriptors do not rise", "3.4.3.2")
      }
      last = entry.handle
      if entry.type == DeclarationType.clientConfiguration {
        services[index].characteristics[characteristic].configurationHandle = entry.handle
      }
    }
    // The configuration is all that is wanted; what follows it is not asked for.
    let isFound = services[index].characteristics[characteristic].configurationHandle != nil
    guard !isFound, let next = last.next, next <= end else {
      return discoverDescriptors(of: services, index, from: characteristic + 1)
    }
    return .next(
      .findingDescriptors(services, index: index, characteristic: characteristic),
      .findInformationRequest(HandleRange(next, end)))
  }

  // MARK: Reading and writing

  private func read(_ handle: AttributeHandle, _ before: [UInt8], _ part: [UInt8]) -> Outcome {
    let value = before + part
    guard value.count <= ATTPDU.maximumValueLength, part.count < maximumTransmissionUnit else {
      return Self.malformed("value of \(value.count) octets", "3.2.9")
    }
    // A part that does not fill its PDU is the last one.
    let isLast = part.count < maximumTransmissionUnit - 1 || value.count == ATTPDU.maximumValueLength
    if isLast { return .done(.value(value)) }
    return .next(.reading(handle, value), .readBlobRequest(handle, offset: UInt16(value.count)))
  }

  private func read(
    _ type: BluetoothUUID, _ end: AttributeHandle, _ before: [AttributeValue], _ values: [AttributeValue]
  ) -> Outcome {
    var found = before
    for value in values {
      guard value.handle > found.last?.handle ?? AttributeHandle(0), value.handle <= end else {
        return Self.malformed("handles of values do not rise", "3.4.4.2")
      }
      found.append(value)
    }
    guard let next = found.last?.handle.next, next <= end else { return .done(.values(found)) }
    return .next(.readingByType(type, end: end, found), .readByTypeRequest(HandleRange(next, end), type))
  }

  private func prepared(
    _ handle: AttributeHandle, _ value: [UInt8], _ offset: Int, _ sent: ATTPDU,
    _ echo: (handle: AttributeHandle, offset: UInt16, part: [UInt8])
  ) -> Outcome {
    guard sent == .prepareWriteRequest(echo.handle, offset: echo.offset, echo.part) else {
      let violation = ProtocolViolation("echo of a prepared write differs", reference: "Vol 3, Part G, 4.9.5")
      return .next(.abandoning(.malformedResponse(violation)), .executeWriteRequest(commits: false))
    }
    let next = offset + echo.part.count
    if next == value.count { return .next(.executing, .executeWriteRequest(commits: true)) }
    return .next(.preparing(handle, value, offset: next), part(of: value, handle, at: next))
  }
}

extension AttributeHandle {
  /// The handle after this one; `nil` after the last.
  var next: AttributeHandle? { rawValue == 0xFFFF ? nil : AttributeHandle(rawValue + 1) }
}

extension DiscoveredService {
  /// Last handle that can hold a descriptor of this characteristic.
  fileprivate func end(ofCharacteristic index: Int) -> AttributeHandle {
    guard index + 1 < characteristics.count else { return endHandle }
    return AttributeHandle(characteristics[index + 1].handle.rawValue - 1)
  }
}

extension DiscoveredCharacteristic {
  /// Reads a declaration: properties, value handle, type (Vol 3, Part G, 3.3.1).
  fileprivate init?(_ declaration: AttributeValue) {
    let octets = declaration.value
    guard octets.count >= 3, let uuid = BluetoothUUID(littleEndian: Array(octets.dropFirst(3))) else { return nil }
    self.init(
      uuid: uuid, handle: declaration.handle,
      valueHandle: AttributeHandle(UInt16(octets[1]) | UInt16(octets[2]) << 8),
      properties: CharacteristicProperties(rawValue: octets[0]))
  }
}
