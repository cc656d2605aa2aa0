import Bytes
import DictofunProtocol
import HCI
import HostStack

extension PhoneApplication {
  mutating func beginEntering(_ name: [UInt8]?, _ effects: inout ApplicationEffects) {
    do throws(PhoneFailure) { enter(on: try readyLink(), name, &effects) } catch { fail(error, &effects) }
  }

  /// Begins to ask the application on this link for its bootloader.
  mutating func enter(on link: Link, _ name: [UInt8]?, _ effects: inout ApplicationEffects) {
    begin(BootloaderEntry(name: name), on: link, &effects)
  }

  /// Makes a single request to the application.
  mutating func askApplication(_ octets: [UInt8], subscribes: Bool, _ effects: inout ApplicationEffects) {
    do throws(PhoneFailure) {
      begin(BootloaderEntry(question: octets, subscribes: subscribes), on: try readyLink(), &effects)
    } catch { fail(error, &effects) }
  }

  private mutating func begin(_ entry: BootloaderEntry, on link: Link, _ effects: inout ApplicationEffects) {
    var entry = entry
    entry.procedure = run(.discoverService(DictofunUUID.secureDFUService), on: link, &effects)
    wait(for: entry, configuration.timeouts.attribute, &effects)
  }

  private mutating func wait(
    for entry: BootloaderEntry, _ duration: Duration, _ effects: inout ApplicationEffects
  ) {
    running?.stage = .entering(entry)
    allow(duration, &effects)
  }

  /// A client procedure ended.
  mutating func entryProcedureEnded(
    _ entry: BootloaderEntry, _ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    var entry = entry
    entry.procedure = nil
    switch (entry.step, outcome) {
    case (_, .failure(let failure)): fail(failure, &effects)
    case (.discovering, .success(.services(let services))):
      let service = services.first { $0.uuid == DictofunUUID.secureDFUService }
      let characteristic = service?.characteristics.first { $0.uuid == DictofunUUID.buttonlessDFU }
      guard let characteristic, let configuration = characteristic.configurationHandle else {
        return fail(.serviceMissing(DictofunUUID.buttonlessDFU), &effects)
      }
      entry.characteristic = characteristic.valueHandle
      entry.configuration = configuration
      entry.step = .subscribing
      guard entry.subscribes else { return askFirst(entry, &effects) }
      write(.subscribe(configuration, .indications), entry, &effects)
    case (.subscribing, .success(.written)): askFirst(entry, &effects)
    // The answers come as indications.
    case (.naming, .success(.written)), (.asking, .success(.written)), (.jumping, .success(.written)):
      running?.stage = .entering(entry)
    case (_, .success): fail(.malformedAnswer("an answer to something else"), &effects)
    }
  }

  private mutating func askFirst(_ entry: BootloaderEntry, _ effects: inout ApplicationEffects) {
    var entry = entry
    if let question = entry.question {
      entry.step = .asking
      request(question, entry, &effects)
    } else if let name = entry.name {
      entry.step = .naming
      request([ButtonlessUpdate.OpCode.setName.rawValue, UInt8(clamping: name.count)] + name, entry, &effects)
    } else {
      ask(entry, &effects)
    }
  }

  private mutating func ask(_ entry: BootloaderEntry, _ effects: inout ApplicationEffects) {
    var entry = entry
    entry.step = .asking
    request([ButtonlessUpdate.OpCode.enterBootloader.rawValue], entry, &effects)
  }

  private mutating func request(
    _ octets: [UInt8], _ entry: BootloaderEntry, _ effects: inout ApplicationEffects
  ) {
    guard let characteristic = entry.characteristic else { return fail(.notConnected, &effects) }
    if entry.step == .asking { updating.run?.hasTouched = true }
    write(.write(characteristic, octets), entry, &effects)
  }

  private mutating func write(
    _ procedure: ClientProcedure, _ entry: BootloaderEntry, _ effects: inout ApplicationEffects
  ) {
    guard let link else { return fail(.notConnected, &effects) }
    var entry = entry
    entry.procedure = run(procedure, on: link, &effects)
    wait(for: entry, configuration.timeouts.updateAnswer, &effects)
  }

  /// The application indicated a value; the stack has confirmed it.
  mutating func indicated(_ attribute: AttributeHandle, _ value: [UInt8], _ effects: inout ApplicationEffects) {
    guard case .entering(var entry) = running?.stage, attribute == entry.characteristic else { return }
    guard value.count == ButtonlessUpdate.responseLength, value[0] == ButtonlessUpdate.response else {
      return fail(.malformedAnswer("buttonless answer of \(value.count) octets"), &effects)
    }
    if entry.question != nil { return finish(.success(.reply(value)), &effects) }
    let result = ButtonlessUpdate.ResultCode(rawValue: value[2])
    switch (entry.step, ButtonlessUpdate.OpCode(rawValue: value[1]), result) {
    case (.naming, .setName?, .success?): ask(entry, &effects)
    // A bootloader that cannot take a name is found by its own.
    case (.naming, .setName?, .notSupported?) where updating.run != nil: ask(entry, &effects)
    case (.asking, .enterBootloader?, .success?):
      entry.step = .jumping
      wait(for: entry, configuration.timeouts.updateLinkEnd, &effects)
    default: fail(.updateRefused(value, .old), &effects)
    }
  }

  /// The link ended, which is the answer that counts.
  mutating func entryLinkEnded(_ entry: BootloaderEntry, _ code: ErrorCode, _ effects: inout ApplicationEffects) {
    guard entry.step == .jumping else { return fail(.disconnected(code), &effects) }
    updating.run == nil ? finish(.success(.done), &effects) : seek(&effects)
  }

  /// The application did not answer, or did not end the link: then the phone ends it.
  mutating func entryPatienceEnded(_ entry: BootloaderEntry, _ effects: inout ApplicationEffects) {
    guard entry.step == .jumping else { return fail(.noAnswer, &effects) }
    endLink(&effects)
    allow(configuration.timeouts.disconnect, &effects)
  }
}
