import Bytes
import Crypto
import HCI
import Packets

/// The controller: set-up, commands and their answers, failure.
extension HostMachine {
  /// Resets and sets up; what went on before ends.
  mutating func start(_ configuration: HostConfiguration, _ effects: inout Effects) {
    endEverything(.connectionTerminatedByLocalHost, &effects)
    self.configuration = configuration
    table = AttributeTable(configuration.database)
    if let octets = configuration.identityResolvingKey { identityResolvingKey = Key128(littleEndian: octets) }
    let sequence = SetUpSequence(configuration)
    phase = .settingUp(sequence)
    send(sequence.first, &effects)
  }

  /// Puts a command into the queue and sends it when it may be.
  mutating func send(_ command: Command, _ effects: inout Effects) {
    commands.enqueue(command)
    pump(&effects)
  }

  private mutating func pump(_ effects: inout Effects) {
    guard let command = commands.next() else {
      // Some controllers do not return a credit; it is then assumed to be returned after a time-out.
      if commands.isStarved { start(.command, &effects) }
      return
    }
    effects.append(.send(command.packet))
    start(.command, &effects)
  }

  /// Takes Command_Complete or Command_Status: both state the credits, and most answer the outstanding command.
  mutating func answered(_ opcode: Opcode, credits: UInt8, _ values: ReturnParameters, _ effects: inout Effects) {
    if let command = commands.answered(opcode, credits: Int(credits)) {
      stop(.command, &effects)
      conclude(command, values, &effects)
    }
    pump(&effects)
  }

  /// An answer with invalid values still counts as an answer and returns its credits: some counterfeit controllers give
  /// answers that are too short.
  mutating func answeredUnreadably(_ packet: HCIPacket, _ effects: inout Effects) {
    // Event code and length, credits, opcode, status (7.7.14).
    let octets = packet.bytes
    guard octets.count >= 5, octets[0] == EventCode.commandComplete.rawValue else { return }
    let opcode = Opcode(rawValue: UInt16(octets[3]) | UInt16(octets[4]) << 8)
    let isSuccess = octets.count > 5 && octets[5] == ErrorCode.success.rawValue
    answered(opcode, credits: octets[2], isSuccess ? .success : .failure(.unspecifiedError), &effects)
  }

  /// The outstanding command was not answered in time, or the next one got no credit.
  mutating func commandTimedOut(_ effects: inout Effects) {
    guard let command = commands.expire() else { return pump(&effects) }
    if case .settingUp(var sequence) = phase {
      proceed(sequence.timedOut(), sequence, &effects)
    } else if command.isEssential {
      return fail(.commandTimeout(opcode: command.opcode.rawValue), &effects)
    } else {
      conclude(command, .failure(.unspecifiedError), &effects)
    }
    pump(&effects)
  }

  private mutating func conclude(_ command: Command, _ values: ReturnParameters, _ effects: inout Effects) {
    switch phase {
    case .stopped: return
    case .settingUp(var sequence):
      let outcome = sequence.answered(values)
      proceed(outcome, sequence, &effects)
    case .running: completed(command, values, &effects)
    }
  }

  private mutating func proceed(
    _ outcome: SetUpSequence.Outcome, _ sequence: SetUpSequence, _ effects: inout Effects
  ) {
    switch outcome {
    case .send(let command):
      phase = .settingUp(sequence)
      send(command, &effects)
    case .failed(let failure): fail(failure, &effects)
    case .ready(let information):
      phase = .running
      scheduler = ACLScheduler(
        dataLength: Int(information.aclDataLength), packetCount: Int(information.aclPacketCount))
      effects.append(.event(.started(information)))
      let requests = deferred
      deferred = []
      for request in requests { perform(request, &effects) }
    }
  }

  /// A command sent after the set-up was answered.
  private mutating func completed(_ command: Command, _ values: ReturnParameters, _ effects: inout Effects) {
    let status = values.status ?? .success
    switch command {
    case .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData, .leSetAdvertisingEnable:
      let (next, failure) = advertising.answered(status)
      if let failure { effects.append(.event(.advertisingFailed(failure))) }
      if let next { send(next, &effects) }
    case .leSetScanParameters, .leSetScanEnable:
      let (next, failure) = scanning.answered(status)
      if let failure { effects.append(.event(.scanningFailed(failure))) }
      if let next { send(next, &effects) }
    case .readRSSI(let handle):
      guard index(of: handle) != nil else { return }
      var strength: Int8?
      // The value of an unknown strength is the same as in advertising reports (7.5.4).
      if case .signalStrength(_, let value) = values, value != LEAdvertisingReport.unknownSignalStrength {
        strength = value
      }
      effects.append(.event(.signalStrength(handle, strength)))
    case .disconnect(let handle, _) where status == .success:
      if let index = index(of: handle) {
        start(.disconnection, index, extra: links[index].supervisionTimeout, &effects)
      }
    default:
      if status != .success { refused(command, status, &effects) }
    }
  }

  private mutating func refused(_ command: Command, _ status: ErrorCode, _ effects: inout Effects) {
    switch command {
    case .leCreateConnection:
      if initiator.end() { effects.append(.event(.connectionFailed(status))) }
      stop(.cancellation, &effects)
    // The attempt has ended, and the event that says so would have come before (7.8.13).
    case .leCreateConnectionCancel where status == .commandDisallowed: initiator.endUntold()
    case .readRemoteVersionInformation(let handle): effects.append(.event(.remoteVersion(handle, nil)))
    case .leConnectionUpdate(let handle, _):
      if index(of: handle) != nil { effects.append(.event(.parameterUpdateFailed(handle, status))) }
    case .leEnableEncryption(let parameters):
      if let index = index(of: parameters.handle) { encryptionFailed(index, status, &effects) }
    case .disconnect(let handle, _):
      if let index = index(of: handle) { disconnectRefused(index, status, &effects) }
    default: return
    }
  }

  /// The controller has failed.
  mutating func fail(_ failure: HostFailure, _ effects: inout Effects) {
    if case .stopped = phase { return }
    endEverything(.hardwareFailure, &effects)
    effects.append(.event(.failed(failure)))
  }

  /// Reports the end of all links and attempts, and forgets what the controller was doing.
  private mutating func endEverything(_ reason: ErrorCode, _ effects: inout Effects) {
    while !links.isEmpty { end(links.count - 1, reason, &effects) }
    if initiator.end() { effects.append(.event(.connectionFailed(reason))) }
    for kind in TimerKind.allCases { stop(kind, &effects) }
    endedHandles = []
    strayHandle = nil
    commands = CommandQueue()
    advertising = ActivityControl()
    scanning = ActivityControl()
    scheduler = .withoutBuffers
    deferred = []
    phase = .stopped
  }
}

extension Command {
  /// Whether a controller that does not answer this command has failed. All other commands are optional and may be
  /// ignored.
  fileprivate var isEssential: Bool {
    switch self {
    case .readRSSI, .readRemoteVersionInformation, .leSetDataLength, .leSetPHY, .leCreateConnectionCancel,
      .leReadRemoteFeatures:
      false
    default: true
    }
  }
}
