import Bytes
import DictofunProtocol
import HCI
import HostStack

/// The progress of preparing a new link.
struct Preparation {
  /// The steps in their order; each is left out where it is not needed.
  enum Step: Int, CaseIterable {
    /// Exchange the MTU.
    case exchangingMTU
    /// Discover the File Transfer Service.
    case discoveringFileTransfer
    /// Discover the Battery Service.
    case discoveringBattery
    /// Encrypt from the bond.
    case securing
    /// Read the battery level, before any other service is used (requirement APP-1.3.1.1).
    case readingBattery
    /// Enable notifications of the battery level.
    case subscribingToBattery
  }

  var step: Step
  /// The client procedure on its way, where the step is one.
  var procedure: ClientToken?
}

extension PhoneApplication {
  /// Begins to prepare a new link.
  mutating func prepare(_ effects: inout ApplicationEffects) {
    switch running?.operation {
    case .connectPlainly: link?.isPlain = true
    case .connectNarrowly:
      link?.isPlain = true
      link?.staysNarrow = true
    case .connectUnsecured:
      link?.isPlain = true
      link?.staysUnsecured = true
      // Without the keys the host cannot encrypt when the recorder asks for it.
      effects.append(.host(.removeBonds(nil)))
    default: break
    }
    prepare(.exchangingMTU, &effects)
  }

  private mutating func prepare(after step: Preparation.Step, _ effects: inout ApplicationEffects) {
    guard let next = Preparation.Step(rawValue: step.rawValue + 1) else { return linkPrepared(&effects) }
    prepare(next, &effects)
  }

  private mutating func prepare(_ step: Preparation.Step, _ effects: inout ApplicationEffects) {
    guard let link else { preconditionFailure("a link is prepared that is gone") }
    if link.isPlain, step != .exchangingMTU, step != .securing { return prepare(after: step, &effects) }
    let procedure: ClientProcedure?
    switch step {
    case .exchangingMTU:
      let asks = configuration.asksForMaximumTransmissionUnit && !link.staysNarrow
      procedure = asks ? .exchangeMaximumTransmissionUnit : nil
    case .discoveringFileTransfer: procedure = .discoverService(DictofunUUID.fileTransferService)
    case .discoveringBattery: procedure = .discoverService(DictofunUUID.batteryService)
    case .securing:
      guard link.identity == pairedRecorder, !link.isSecured, !link.staysUnsecured else {
        return prepare(after: step, &effects)
      }
      running?.stage = .preparing(Preparation(step: step))
      if !configuration.waitsForSecurityRequest { effects.append(.host(.secure(link.handle))) }
      let isWaiting = configuration.waitsForSecurityRequest && !link.isAskedToEncrypt
      return allow(isWaiting ? configuration.timeouts.securityRequest : configuration.timeouts.security, &effects)
    case .readingBattery:
      procedure = readsBatteryFirst ? link.attributes?.batteryLevel.map { .read($0.value) } : nil
    case .subscribingToBattery:
      let isWanted =
        configuration.subscribesToBattery && !battery.isLow && configuration.policies.batteryPeriod == .everyMinute
      procedure =
        isWanted
        ? link.attributes?.batteryLevel?.configuration.map { .subscribe($0, .notifications) } : nil
    }
    guard let procedure else { return prepare(after: step, &effects) }
    let token = run(procedure, on: link, &effects)
    running?.stage = .preparing(Preparation(step: step, procedure: token))
    allow(configuration.timeouts.attribute, &effects)
  }

  /// The client procedure of a step ended.
  mutating func preparationProcedureEnded(
    _ step: Preparation.Step, _ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    switch (step, outcome) {
    case (.exchangingMTU, .success(.maximumTransmissionUnit(let octets))): link?.maximumTransmissionUnit = octets
    // A server may refuse to exchange the MTU, or to notify the battery: the phone does without.
    case (.exchangingMTU, .failure(.refused)), (.subscribingToBattery, .failure(.refused)): break
    case (.discoveringFileTransfer, .success(.services(let services))):
      do { link?.attributes = try RecorderAttributes(fileTransfer: services) } catch {
        return close(.failure(error), &effects)
      }
    case (.discoveringBattery, .success(.services(let services))):
      do { try link?.attributes?.addBattery(services) } catch { return close(.failure(error), &effects) }
    case (.readingBattery, .success(.value(let value))):
      guard observeBattery(value, &effects) else {
        return close(.failure(.malformedAnswer("battery level of \(value.count) octets")), &effects)
      }
    case (.subscribingToBattery, .success(.written)): break
    case (_, .failure(let failure)): return close(.failure(failure), &effects)
    case (_, .success): return close(.failure(.malformedAnswer("an answer to something else")), &effects)
    }
    prepare(after: step, &effects)
  }

  /// Whether the battery is read before the link is ready. A sync asks for files first where that is the phone's policy;
  /// any other operation finds nothing to wait for.
  private var readsBatteryFirst: Bool {
    guard !has(.skipsBatteryRead) else { return false }
    if case .sync = running?.operation { return configuration.policies.batteryOrder == .beforeFiles }
    return true
  }

  /// The recorder asks a phone that it knows for encryption.
  mutating func securityRequested(_ effects: inout ApplicationEffects) {
    guard configuration.waitsForSecurityRequest, let link, link.identity == pairedRecorder, !link.isSecured else {
      return
    }
    self.link?.isAskedToEncrypt = true
    effects.append(.host(.secure(link.handle)))
    if case .preparing(let preparation) = running?.stage, preparation.step == .securing {
      allow(configuration.timeouts.security, &effects)
    }
  }

  /// A step of the preparation made no progress for too long. A phone that waits to be asked for encryption goes on without
  /// it: the recorder says by its answers whether it knows the phone.
  mutating func preparationPatienceEnded(_ preparation: Preparation, _ effects: inout ApplicationEffects) {
    if preparation.step == .securing, configuration.waitsForSecurityRequest, link?.isAskedToEncrypt == false {
      prepare(after: .securing, &effects)
    } else {
      close(.failure(.noAnswer), &effects)
    }
  }

  /// The link was encrypted, or not, while it is being prepared.
  mutating func preparationSecured(_ failure: PhoneFailure?, _ effects: inout ApplicationEffects) {
    if let failure { close(.failure(failure), &effects) } else { prepare(after: .securing, &effects) }
  }

  private mutating func linkPrepared(_ effects: inout ApplicationEffects) {
    linkState.take(.prepared)
    if !has(.skipsBatteryRead), link?.isPlain == false, configuration.policies.batteryPeriod == .everyMinute {
      battery.schedule(after: configuration.timeouts.batteryPeriod, &effects)
    }
    linkReady(&effects)
  }

  /// The link can be used by the operation that wanted it.
  mutating func linkReady(_ effects: inout ApplicationEffects) {
    switch running?.operation {
    case .sync:
      running?.plan.summary.battery = battery.level
      beginExchange(.listFiles, at: .listing, &effects)
    case .update: link?.program == .bootloader ? bootloaderReady(&effects) : applicationReady(&effects)
    default: finish(.success(.done), &effects)
    }
  }
}
