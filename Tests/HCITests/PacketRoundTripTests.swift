import Bytes
import HCI
import Testing

private let timing = LEConnectionTiming(
  minimumIntervalUnits: 12, maximumIntervalUnits: 20, latency: 1, supervisionTimeoutUnits: 200,
  minimumEventLengthUnits: 2, maximumEventLengthUnits: 3)
private let key = LEKeyOctets(Array(0..<16))
private let peer = BluetoothAddress(0xC001_0203_0405, .random)
private let handle = ConnectionHandle(0x0E01)
private let link = LELinkParameters(intervalUnits: 12, latency: 3, supervisionTimeoutUnits: 400)

private let commands: [Command] = [
  .disconnect(handle, reason: .remoteUserTerminatedConnection), .readRemoteVersionInformation(handle),
  .setEventMask([.leMeta, .disconnectionComplete]), .reset, .setEventMaskPage2(0x80), .readLocalVersionInformation,
  .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBufferSize, .readDeviceAddress, .readRSSI(handle),
  .leSetEventMask(LEEventMask(.connectionComplete)), .leReadBufferSize, .leReadBufferSizeV2,
  .leReadLocalSupportedFeatures, .leSetRandomAddress(peer),
  .leSetAdvertisingParameters(LEAdvertisingParameters(intervalUnits: 200, kind: .scannableUndirected)),
  .leReadAdvertisingPhysicalChannelTxPower, .leSetAdvertisingData(LEAdvertisingPayload([2, 1, 6])),
  .leSetScanResponseData(LEAdvertisingPayload([])), .leSetAdvertisingEnable(true),
  .leSetScanParameters(LEScanParameters(isActive: true, intervalUnits: 96, windowUnits: 48)),
  .leSetScanEnable(true, filterDuplicates: true),
  .leCreateConnection(LECreateConnection(peerAddress: peer, timing: timing)), .leCreateConnectionCancel,
  .leReadFilterAcceptListSize, .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList(.device(peer)),
  .leRemoveDeviceFromFilterAcceptList(.anonymous), .leConnectionUpdate(handle, timing),
  .leReadRemoteFeatures(handle), .leEncrypt(key: key, plaintext: key), .leRand,
  .leEnableEncryption(
    LEEnableEncryption(handle, randomNumber: 0x0102_0304_0506_0708, encryptedDiversifier: 0x1234, longTermKey: key)),
  .leLongTermKeyRequestReply(handle, key), .leLongTermKeyRequestNegativeReply(handle), .leReadSupportedStates,
  .leRemoteConnectionParameterRequestReply(handle, timing),
  .leRemoteConnectionParameterRequestNegativeReply(handle, reason: .unacceptableConnectionParameters),
  .leSetDataLength(handle, LEDataLength(octets: 251, microseconds: 2120)), .leReadSuggestedDefaultDataLength,
  .leWriteSuggestedDefaultDataLength(LEDataLength(octets: 27, microseconds: 328)), .leReadMaximumDataLength,
  .leReadPHY(handle), .leSetDefaultPHY(PHYPreference(transmit: [.le2M])),
  .leSetPHY(handle, PHYPreference(transmit: .le1M, receive: [.le1M, .le2M]), options: 2),
  .unknown(Opcode(rawValue: 0xFC01), [1, 2, 3]),
]

private let lengths = LEDataLengths(
  transmit: LEDataLength(octets: 251, microseconds: 2120), receive: LEDataLength(octets: 27, microseconds: 328))
private let connected = LEConnectionComplete(
  handle: handle, role: .peripheral, peerAddress: peer, link: link, centralClockAccuracy: 5)

private let events: [Event] = [
  .disconnectionComplete(.success, handle, reason: .connectionTimeout),
  .encryptionChange(.pinOrKeyMissing, handle, isEncrypted: false), .encryptionKeyRefreshComplete(.success, handle),
  .encryptionChangeV2(.success, handle, isEncrypted: true, keySize: 16),
  .readRemoteVersionInformationComplete(.success, handle, RemoteVersion(version: 9, company: 0x59, subversion: 0x101)),
  .commandStatus(.leCreateConnection, credits: 1, .commandDisallowed), .hardwareError(7),
  .numberOfCompletedPackets([CompletedPackets(handle, 2), CompletedPackets(ConnectionHandle(1), 300)]),
  .dataBufferOverflow(1), .leConnectionComplete(connected), .leConnectionComplete(.failure(.commandDisallowed)),
  .leAdvertisingReport([
    LEAdvertisingReport(.connectableUndirected, peer, [2, 1, 6], signalStrength: -40),
    LEAdvertisingReport(.scanResponse, peer, [], signalStrength: 127),
  ]), .leConnectionUpdateComplete(.success, handle, link),
  .leReadRemoteFeaturesComplete(.success, handle, [.encryption, .phy2M]),
  .leLongTermKeyRequest(handle, randomNumber: 5, encryptedDiversifier: 6),
  .leRemoteConnectionParameterRequest(
    handle,
    LEParameterRequest(minimumIntervalUnits: 6, maximumIntervalUnits: 7, latency: 8, supervisionTimeoutUnits: 9)),
  .leDataLengthChange(handle, lengths),
  .leEnhancedConnectionComplete(LEEnhancedConnectionComplete(connected, peerResolvableAddress: peer)),
  .lePHYUpdateComplete(.success, handle, transmit: .le2M, receive: .le1M),
  .leExtendedAdvertisingReport([
    LEExtendedAdvertisingReport([.connectable, .legacy], peer, [1, 0], signalStrength: -50),
    LEExtendedAdvertisingReport([], nil, [], signalStrength: 127),
  ]), .leUnknown(LESubeventCode(rawValue: 0x14), [1, 2]), .unknown(EventCode(rawValue: 0xFF), [9]),
]

private let answers: [(Opcode, ReturnParameters)] = [
  (.none, .other([])), (.reset, .success), (.leSetDataLength, .connection(handle)),
  (.leSetDataLength, .failure(.unknownConnectionIdentifier)),
  (
    .readLocalVersionInformation,
    .localVersion(LocalVersion(hciVersion: 9, hciSubversion: 1, linkVersion: 9, company: 0x59, linkSubversion: 2))
  ), (.readLocalSupportedCommands, .supportedCommands(SupportedCommands([.reset, .leReadBufferSize]))),
  (.readLocalSupportedFeatures, .linkManagerFeatures(0x60_0000_0000)),
  (.readBufferSize, .bufferSize(SharedBufferSize(octets: 27, count: 8))),
  (.readDeviceAddress, .deviceAddress(BluetoothAddress(0x1122_3344_5566, .public))),
  (.readRSSI, .signalStrength(handle, -70)), (.leReadBufferSize, .leBufferSize(LEBufferSize(octets: 251, count: 8))),
  (
    .leReadBufferSizeV2,
    .leBufferSizeV2(LEBufferSize(octets: 27, count: 7), isochronous: LEBufferSize(octets: 0, count: 0))
  ), (.leReadLocalSupportedFeatures, .leFeatures([.encryption, .dataPacketLengthExtension])),
  (.leReadAdvertisingPhysicalChannelTxPower, .advertisingPower(-4)),
  (.leReadFilterAcceptListSize, .filterAcceptListSize(8)), (.leEncrypt, .encrypted(key)), (.leRand, .randomNumber(7)),
  (.leReadSupportedStates, .supportedStates(0x3FF)), (.leReadMaximumDataLength, .maximumDataLength(lengths)),
  (.leReadSuggestedDefaultDataLength, .suggestedDataLength(lengths.receive)),
  (.leReadPHY, .phy(handle, transmit: .le1M, receive: .le2M)), (Opcode(rawValue: 0xFC01), .other([4, 5])),
]

@Suite struct PacketRoundTrip {
  /// The packet that is made at once is the one that the event encodes.
  @Test(arguments: [(UInt16(0), UInt16(1)), (0x0EFF, 0xABCD)]) func completedPacketsMadeAtOnceAreTheEvent(
    number: UInt16, count: UInt16
  ) {
    let handle = ConnectionHandle(number)
    let event = Event.numberOfCompletedPackets([CompletedPackets(handle, count)])
    #expect(Event.packet(completing: count, of: handle) == event.packet)
  }

  @Test(arguments: commands) func aCommandIsReadAsItWasWritten(_ command: Command) throws {
    #expect(try Command(decoding: command.encoded) == command)
  }

  @Test(arguments: events) func anEventIsReadAsItWasWritten(_ event: Event) throws {
    #expect(try Event(decoding: event.encoded) == event)
  }

  @Test(arguments: answers) func anAnswerIsReadAsItWasWritten(_ opcode: Opcode, _ parameters: ReturnParameters) throws {
    let event = Event.commandComplete(opcode, credits: 3, parameters)
    #expect(try Event(decoding: event.encoded) == event)
  }

  @Test(arguments: commands) func aCommandCutOffAnywhereIsRefused(_ command: Command) {
    let bytes = command.encoded
    for length in 0..<bytes.count {
      #expect(throws: DecodingFailure.self) { try Command(decoding: Array(bytes.prefix(length))) }
    }
    #expect(throws: DecodingFailure.self) { try Command(decoding: bytes + [0]) }
  }

  @Test(arguments: events) func anEventCutOffAnywhereIsRefused(_ event: Event) {
    let bytes = event.encoded
    for length in 0..<bytes.count {
      #expect(throws: DecodingFailure.self) { try Event(decoding: Array(bytes.prefix(length))) }
    }
    #expect(throws: DecodingFailure.self) { try Event(decoding: bytes + [0]) }
  }
}
