import Bytes
import HCI
import HostStack

/// Two controllers with a perfect radio between them, as far as a host can tell: no time, no loss, no encryption but in
/// word. What goes wrong on purpose is in ``Quirks``.
struct ControllerPair {
  /// How a controller behaves out of the ordinary.
  struct Quirks {
    /// Commands that are left without any answer.
    var unanswered: Set<UInt16> = []
    /// Commands that are refused with a code.
    var refused: [UInt16: ErrorCode] = [:]
    /// Longest ACL data taken from the host, and how many packets at once; 0 means that BR/EDR's are shared.
    var buffers = LEBufferSize(octets: 27, count: 4)
    var sharedBuffers = SharedBufferSize(octets: 64, count: 3)
    /// ACL data goes up to the host in pieces of this many octets; `nil` for whole frames.
    var upwardFragment: Int? = 27
    /// The boundary flag of the first piece going up.
    var upwardBoundary = PacketBoundary.firstFromController
    /// Number_Of_Completed_Packets is held back until asked for.
    var holdsCompletions = false
    /// Connections are told by the enhanced event, advertisers by the extended one.
    var usesExtendedEvents = false
    /// Each answer to a command leaves no credit; a Command_Complete for no command follows with one.
    var givesCreditsApart = false
    /// Answers to these commands leave no credit, and none follows.
    var keepsCredits: Set<UInt16> = []
    /// Answers to these commands, which succeed, are cut to this many octets after the opcode.
    var cutAnswers: [UInt16: Int] = [:]
    var features: LEFeatures = [.encryption, .dataPacketLengthExtension, .phy2M]
  }

  /// One of the two controllers.
  struct Controller {
    var quirks = Quirks()
    var randomAddress = BluetoothAddress(0, .random)
    var advertisingData: [UInt8] = []
    var scanResponse: [UInt8] = []
    var isAdvertising = false
    var isScanning = false
    var initiating: LECreateConnection?
    var isConnected = false
    var isEncrypted = false
    var heldCompletions: UInt16 = 0
    var received: [UInt8] = []
    var commands: [Command] = []
  }

  static let handle = ConnectionHandle(0x0040)

  var sides = [Controller(), Controller()]
  /// The key with which the central wants to encrypt.
  private var centralKey: [UInt8]?

  /// Takes a packet from the host of `side`; packets for hosts go to `up`.
  mutating func take(_ packet: HCIPacket, from side: Int, _ up: (Int, HCIPacket) -> Void) {
    switch packet.kind {
    case .command:
      guard let command = try? Command(decoding: packet.bytes) else { return }
      sides[side].commands.append(command)
      take(command, from: side, up)
    case .acl: if let data = try? ACLPacket(decoding: packet.bytes) { take(data, from: side, up) }
    default: return
    }
  }

  /// Ends the link: `side` did it for `reason`.
  mutating func disconnect(_ side: Int, _ reason: ErrorCode, _ up: (Int, HCIPacket) -> Void) {
    guard sides[side].isConnected else { return }
    for place in 0...1 {
      sides[place].isConnected = false
      sides[place].isEncrypted = false
      sides[place].heldCompletions = 0
      let told = place == side ? ErrorCode.connectionTerminatedByLocalHost : reason
      up(place, Event.disconnectionComplete(.success, Self.handle, reason: told).packet)
    }
  }

  /// Tells the host of `side` that packets were sent which it has not been told of.
  mutating func complete(_ side: Int, _ up: (Int, HCIPacket) -> Void) {
    guard sides[side].heldCompletions > 0 else { return }
    let entry = CompletedPackets(Self.handle, sides[side].heldCompletions)
    sides[side].heldCompletions = 0
    up(side, Event.numberOfCompletedPackets([entry]).packet)
  }

  private mutating func take(_ data: ACLPacket, from side: Int, _ up: (Int, HCIPacket) -> Void) {
    guard sides[side].isConnected else { return }
    sides[side].heldCompletions += 1
    if data.boundary == .continuing {
      sides[side].received += data.payload
    } else {
      sides[side].received = data.payload
    }
    let frame = sides[side].received
    let isWhole = frame.count >= 4 && Int(frame[0]) | Int(frame[1]) << 8 == frame.count - 4
    if isWhole {
      sides[side].received = []
      deliver(frame, to: 1 - side, up)
    }
    if !sides[side].quirks.holdsCompletions { complete(side, up) }
  }

  /// Gives a frame to a host, cut as its controller cuts.
  func deliver(_ frame: [UInt8], to side: Int, _ up: (Int, HCIPacket) -> Void) {
    let size = sides[side].quirks.upwardFragment ?? max(frame.count, 1)
    for start in stride(from: 0, to: max(frame.count, 1), by: size) {
      let boundary = start == 0 ? sides[side].quirks.upwardBoundary : .continuing
      up(side, ACLPacket(Self.handle, boundary, Array(frame[start..<min(start + size, frame.count)])).packet)
    }
  }

  private mutating func take(_ command: Command, from side: Int, _ up: (Int, HCIPacket) -> Void) {
    let opcode = command.opcode
    let keepsCredit = sides[side].quirks.keepsCredits.contains(opcode.rawValue)
    let credits: UInt8 = sides[side].quirks.givesCreditsApart || keepsCredit ? 0 : 1
    if sides[side].quirks.unanswered.contains(opcode.rawValue) { return }
    if let code = sides[side].quirks.refused[opcode.rawValue] {
      up(side, Event.commandComplete(opcode, credits: credits, .failure(code)).packet)
    } else if let length = sides[side].quirks.cutAnswers[opcode.rawValue] {
      var octets = Array(Event.commandComplete(opcode, credits: credits, answer(command, side)).packet.bytes)
      octets = Array(octets.prefix(5 + length))
      octets[1] = UInt8(3 + length)
      up(side, HCIPacket(.event, octets))
    } else {
      switch command {
      case .disconnect, .leCreateConnection, .leEnableEncryption, .leConnectionUpdate, .leSetPHY:
        up(side, Event.commandStatus(opcode, credits: credits, .success).packet)
      default: up(side, Event.commandComplete(opcode, credits: credits, answer(command, side)).packet)
      }
      perform(command, side, up)
    }
    if credits == 0, !keepsCredit { up(side, Event.commandComplete(.none, credits: 1, .other([])).packet) }
  }

  private func answer(_ command: Command, _ side: Int) -> ReturnParameters {
    switch command {
    case .readLocalSupportedCommands:
      return .supportedCommands(
        SupportedCommands([
          .reset, .readLocalVersionInformation, .readDeviceAddress, .leReadBufferSize, .readBufferSize,
          .leReadLocalSupportedFeatures, .leWriteSuggestedDefaultDataLength, .readRSSI,
        ]))
    case .readLocalVersionInformation:
      return .localVersion(
        LocalVersion(hciVersion: 9, hciSubversion: 0, linkVersion: 9, company: 0x0059, linkSubversion: 0))
    case .readDeviceAddress: return .deviceAddress(BluetoothAddress(0x0000_5E00_5300 + UInt64(side), .public))
    case .leReadBufferSize: return .leBufferSize(sides[side].quirks.buffers)
    case .readBufferSize: return .bufferSize(sides[side].quirks.sharedBuffers)
    case .leReadLocalSupportedFeatures: return .leFeatures(sides[side].quirks.features)
    case .readRSSI: return .signalStrength(Self.handle, -50)
    case .leLongTermKeyRequestReply, .leLongTermKeyRequestNegativeReply, .leSetDataLength:
      return .connection(Self.handle)
    case .leCreateConnectionCancel:
      return sides[side].initiating == nil ? .failure(.commandDisallowed) : .success
    default: return .success
    }
  }

  private mutating func perform(_ command: Command, _ side: Int, _ up: (Int, HCIPacket) -> Void) {
    switch command {
    case .leSetRandomAddress(let address): sides[side].randomAddress = address
    case .leSetAdvertisingData(let payload): sides[side].advertisingData = payload.octets
    case .leSetScanResponseData(let payload): sides[side].scanResponse = payload.octets
    case .leSetAdvertisingEnable(let isOn):
      sides[side].isAdvertising = isOn
      advertise(up)
    case .leSetScanEnable(let isOn, _):
      sides[side].isScanning = isOn
      advertise(up)
    case .leCreateConnection(let parameters):
      sides[side].initiating = parameters
      advertise(up)
    case .leCreateConnectionCancel:
      guard sides[side].initiating != nil else { return }
      sides[side].initiating = nil
      up(side, Event.leConnectionComplete(.failure(.unknownConnectionIdentifier)).packet)
    case .disconnect(_, let reason): disconnect(side, reason, up)
    case .leConnectionUpdate(_, let timing):
      let parameters = LELinkParameters(
        intervalUnits: timing.maximumIntervalUnits, latency: timing.latency,
        supervisionTimeoutUnits: timing.supervisionTimeoutUnits)
      for place in 0...1 { up(place, Event.leConnectionUpdateComplete(.success, Self.handle, parameters).packet) }
    case .leSetPHY:
      for place in 0...1 {
        up(place, Event.lePHYUpdateComplete(.success, Self.handle, transmit: .le2M, receive: .le2M).packet)
      }
    case .leSetDataLength(_, let length):
      let lengths = LEDataLengths(transmit: length, receive: length)
      for place in 0...1 { up(place, Event.leDataLengthChange(Self.handle, lengths).packet) }
    default: encrypt(command, side, up)
    }
  }

  private mutating func encrypt(_ command: Command, _ side: Int, _ up: (Int, HCIPacket) -> Void) {
    switch command {
    case .leEnableEncryption(let parameters):
      centralKey = parameters.longTermKey.octets
      up(
        1 - side,
        Event.leLongTermKeyRequest(
          Self.handle, randomNumber: parameters.randomNumber,
          encryptedDiversifier: parameters.encryptedDiversifier
        ).packet)
    case .leLongTermKeyRequestReply(_, let key):
      guard key.octets == centralKey else { return fail(up) }
      for place in [1 - side, side] {
        let wasEncrypted = sides[place].isEncrypted
        sides[place].isEncrypted = true
        let event: Event =
          wasEncrypted
          ? .encryptionKeyRefreshComplete(.success, Self.handle)
          : .encryptionChange(.success, Self.handle, isEncrypted: true)
        up(place, event.packet)
      }
    case .leLongTermKeyRequestNegativeReply:
      up(1 - side, Event.encryptionChange(.pinOrKeyMissing, Self.handle, isEncrypted: false).packet)
    default: return
    }
  }

  /// The keys differ: the first encrypted packet ends the link.
  private mutating func fail(_ up: (Int, HCIPacket) -> Void) {
    for place in 0...1 {
      sides[place].isConnected = false
      up(
        place,
        Event.disconnectionComplete(.success, Self.handle, reason: .connectionTerminatedDueToMICFailure).packet)
    }
  }

  /// One advertising event of whoever advertises.
  mutating func advertise(_ up: (Int, HCIPacket) -> Void) {
    for side in 0...1 where sides[side].isAdvertising {
      let peer = 1 - side
      if sides[peer].isScanning { report(side, up) }
      if let parameters = sides[peer].initiating, parameters.peerAddress == sides[side].randomAddress {
        connect(peripheral: side, parameters, up)
      }
    }
  }

  private func report(_ side: Int, _ up: (Int, HCIPacket) -> Void) {
    let address = sides[side].randomAddress
    let data = sides[side].advertisingData
    let response = sides[side].scanResponse
    let peer = 1 - side
    guard !sides[peer].quirks.usesExtendedEvents else {
      let reports = [
        LEExtendedAdvertisingReport([.connectable], address, data, signalStrength: -50),
        LEExtendedAdvertisingReport([.scanResponse], address, response, signalStrength: 127),
      ]
      return up(peer, Event.leExtendedAdvertisingReport(reports).packet)
    }
    let reports = [
      LEAdvertisingReport(.connectableUndirected, address, data, signalStrength: -50),
      LEAdvertisingReport(.scanResponse, address, response, signalStrength: 127),
    ]
    up(peer, Event.leAdvertisingReport(reports).packet)
  }

  private mutating func connect(
    peripheral: Int, _ parameters: LECreateConnection, _ up: (Int, HCIPacket) -> Void
  ) {
    let central = 1 - peripheral
    sides[peripheral].isAdvertising = false
    sides[central].initiating = nil
    let link = LELinkParameters(
      intervalUnits: parameters.timing.minimumIntervalUnits, latency: parameters.timing.latency,
      supervisionTimeoutUnits: parameters.timing.supervisionTimeoutUnits)
    for side in 0...1 {
      sides[side].isConnected = true
      let connection = LEConnectionComplete(
        handle: Self.handle, role: side == central ? .central : .peripheral,
        peerAddress: sides[1 - side].randomAddress, link: link)
      let event: Event =
        sides[side].quirks.usesExtendedEvents
        ? .leEnhancedConnectionComplete(LEEnhancedConnectionComplete(connection)) : .leConnectionComplete(connection)
      up(side, event.packet)
    }
  }
}
