import Bytes
import HCI

/// Brings a controller into use (Core Specification Vol 4, Part E, 7; order as in Vol 6, Part D, 2.1).
///
/// Step by step: reset, ask what it is and can, size its buffers, choose its events, give it our address. Each answer
/// decides what comes next; a step the controller does not offer is passed over, a needed one that is refused ends the
/// sequence.
///
///     reset ─▶ supportedCommands ─▶ version ─▶ publicAddress ─▶ features ─▶ buffers ─▶ (sharedBuffers)
///       ▲                                                                                   │
///       │ a needed answer did not come:                                                     ▼
///       ╰── the ladder starts again, three times in all        eventMask ─▶ leEventMask ─▶ dataLength ─▶ randomAddress
///
/// Some controllers in use do not answer certain commands, even some that they claim to support. An optional step is
/// then skipped as if it were refused.
struct SetUpSequence: Sendable {
  /// How many times a reset is tried before the controller is given up.
  static let resetLimit = 3

  /// What to do after an answer.
  enum Outcome: Sendable {
    /// Send this command next.
    case send(Command)
    /// The controller is ready.
    case ready(ControllerInformation)
    /// The controller cannot be used.
    case failed(HostFailure)
  }

  private enum Step: CaseIterable {
    case reset
    case supportedCommands
    case version
    case publicAddress
    case features
    case buffers
    case sharedBuffers
    case eventMask
    case leEventMask
    case dataLength
    case randomAddress

    /// Whether the host cannot work without it.
    var isNeeded: Bool {
      switch self {
      case .reset, .sharedBuffers, .eventMask, .leEventMask, .randomAddress: true
      case .supportedCommands, .version, .publicAddress, .features, .buffers, .dataLength: false
      }
    }
  }

  private let configuration: HostConfiguration
  private var step = Step.reset
  private var resets = 1
  private var commands: SupportedCommands?
  private var information = ControllerInformation(
    publicAddress: BluetoothAddress(0, .public), aclDataLength: 0, aclPacketCount: 0, leFeatures: 0)

  init(_ configuration: HostConfiguration) { self.configuration = configuration }

  /// The command to begin with.
  var first: Command { .reset }

  /// The controller answered the outstanding command.
  mutating func answered(_ values: ReturnParameters) -> Outcome {
    switch values {
    case .failure(let status, _) where step.isNeeded:
      return .failed(.commandRefused(opcode: command(for: step).opcode.rawValue, status))
    case .supportedCommands(let commands): self.commands = commands
    case .localVersion(let version):
      information.hciVersion = version.hciVersion
      information.companyIdentifier = version.company
    case .deviceAddress(let address): information.publicAddress = address
    case .leFeatures(let features): information.leFeatures = features.rawValue
    case .leBufferSize(let size): setBuffers(size.octets, UInt16(size.count))
    case .bufferSize(let size): setBuffers(size.octets, size.count)
    default: break
    }
    if step == .sharedBuffers, hasNoBuffers {
      return .failed(.commandRefused(opcode: Opcode.readBufferSize.rawValue, .memoryCapacityExceeded))
    }
    return proceed()
  }

  /// The controller did not answer the outstanding command in time.
  mutating func timedOut() -> Outcome {
    guard step.isNeeded else { return proceed() }
    guard resets < Self.resetLimit else {
      return .failed(.commandTimeout(opcode: command(for: step).opcode.rawValue))
    }
    resets += 1
    step = .reset
    return .send(.reset)
  }

  private var hasNoBuffers: Bool { information.aclDataLength == 0 || information.aclPacketCount == 0 }

  private mutating func setBuffers(_ octets: UInt16, _ count: UInt16) {
    information.aclDataLength = octets
    information.aclPacketCount = count
  }

  private mutating func proceed() -> Outcome {
    let steps = Step.allCases
    for index in steps.indices where steps[index] == step {
      for next in steps[(index + 1)...] where isOffered(next) {
        step = next
        return .send(command(for: next))
      }
    }
    return .ready(information)
  }

  private func isOffered(_ step: Step) -> Bool {
    let features = LEFeatures(rawValue: information.leFeatures)
    switch step {
    // Buffers of no size mean that LE shares those of BR/EDR (7.8.2).
    case .sharedBuffers: return hasNoBuffers
    case .dataLength:
      return configuration.suggestsMaximumDataLength && features.contains(.dataPacketLengthExtension)
        && commands?.contains(.leWriteSuggestedDefaultDataLength) ?? false
    case .randomAddress: return configuration.ownAddress.kind == .random
    case .version, .publicAddress, .features, .buffers:
      return commands?.contains(command(for: step).opcode) ?? true
    case .reset, .supportedCommands, .eventMask, .leEventMask: return true
    }
  }

  private func command(for step: Step) -> Command {
    switch step {
    case .reset: .reset
    case .supportedCommands: .readLocalSupportedCommands
    case .version: .readLocalVersionInformation
    case .publicAddress: .readDeviceAddress
    case .features: .leReadLocalSupportedFeatures
    case .buffers: .leReadBufferSize
    case .sharedBuffers: .readBufferSize
    case .eventMask: .setEventMask(Self.eventMask)
    case .leEventMask: .leSetEventMask(leEventMask)
    case .dataLength: .leWriteSuggestedDefaultDataLength(.longest)
    case .randomAddress: .leSetRandomAddress(configuration.ownAddress)
    }
  }

  /// LE Meta events are off after a reset (7.3.1).
  private static let eventMask: EventMask = [
    .disconnectionComplete, .encryptionChange, .readRemoteVersionInformationComplete, .hardwareError,
    .dataBufferOverflow, .encryptionKeyRefreshComplete, .leMeta,
  ]

  /// The subevents that this host acts on. Remote_Connection_Parameter_Request stays off: the controller then refuses
  /// the link layer's request, and the peer asks over L2CAP, where the application's policy is.
  private var leEventMask: LEEventMask {
    let features = LEFeatures(rawValue: information.leFeatures)
    var mask: LEEventMask = [
      LEEventMask(.connectionComplete), LEEventMask(.advertisingReport), LEEventMask(.connectionUpdateComplete),
      LEEventMask(.longTermKeyRequest),
    ]
    if features.contains(.dataPacketLengthExtension) { mask.insert(LEEventMask(.dataLengthChange)) }
    if features.contains(.phy2M) || features.contains(.phyCoded) { mask.insert(LEEventMask(.phyUpdateComplete)) }
    return mask
  }
}

extension LEDataLength {
  /// The longest packets there are, on any PHY that is not coded (7.8.33).
  static let longest = LEDataLength(uncodedOctets: octetRange.upperBound)
  /// Octets of preamble, access address, header, MIC and CRC at one megasymbol per second.
  private static let overheadOctets: UInt16 = 1 + 4 + 2 + 4 + 3

  /// Packets of this many octets, held to ``octetRange``, with the time they take at one megasymbol per second (Vol 6,
  /// Part B, 4.5.10).
  init(uncodedOctets octets: UInt16) {
    let octets = max(Self.octetRange.lowerBound, min(octets, Self.octetRange.upperBound))
    self.init(octets: octets, microseconds: (octets + Self.overheadOctets) * 8)
  }
}
