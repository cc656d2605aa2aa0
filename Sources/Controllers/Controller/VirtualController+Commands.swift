import Bytes
import Crypto
import HCI

extension VirtualController {
  /// Carries out a command. Octets that are not a command of a known form are answered with an error where an opcode
  /// can be made out, and dropped where not.
  func takeCommand(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return }
    let opcode = Opcode(rawValue: UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
    guard opcode == .readLocalSupportedCommands || supportedCommands.contains(opcode) else {
      return complete(opcode, .failure(.unknownCommand))
    }
    do {
      perform(try Command(decoding: bytes))
    } catch {
      refuse(opcode, .invalidHCICommandParameters)
    }
  }

  func complete(_ opcode: Opcode, _ parameters: ReturnParameters) {
    emit(.commandComplete(opcode, credits: 1, parameters))
  }

  /// Completes a command that has only a status to return.
  func complete(_ opcode: Opcode, with status: ErrorCode) {
    complete(opcode, status == .success ? .success : .failure(status))
  }

  func status(_ opcode: Opcode, _ status: ErrorCode) { emit(.commandStatus(opcode, credits: 1, status)) }

  /// Answers an error in the form in which this command is answered.
  private func refuse(_ opcode: Opcode, _ error: ErrorCode) {
    switch opcode {
    case .disconnect, .readRemoteVersionInformation, .leCreateConnection, .leConnectionUpdate,
      .leReadRemoteFeatures, .leEnableEncryption, .leSetPHY:
      status(opcode, error)
    default: complete(opcode, .failure(error))
    }
  }

  private func perform(_ command: Command) {
    let opcode = command.opcode
    switch command {
    case .reset:
      stopEverything()
      resetSettings()
      complete(opcode, .success)
    case .setEventMask(let mask):
      eventMask = mask
      complete(opcode, .success)
    case .leSetEventMask(let mask):
      lowEnergyEventMask = mask
      complete(opcode, .success)
    case .setEventMaskPage2: complete(opcode, .success)
    case .leSetRandomAddress, .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData,
      .leSetAdvertisingEnable, .leSetScanParameters, .leSetScanEnable, .leAddDeviceToFilterAcceptList,
      .leRemoveDeviceFromFilterAcceptList, .leClearFilterAcceptList:
      complete(opcode, with: performDiscovery(command))
    case .leEncrypt(let key, let plaintext):
      let block = AES128.encrypt(
        UInt128(littleEndianOctets: plaintext.octets), key: Key128(littleEndian: key.octets))
      complete(opcode, .encrypted(LEKeyOctets(block.littleEndianOctets)))
    case .leRand: complete(opcode, .randomNumber(stream("random").next()))
    default:
      if let answer = answer(to: command) {
        complete(opcode, answer)
      } else {
        performOnLink(command)
      }
    }
  }

  /// What is read from the controller without changing anything; `nil` for other commands.
  private func answer(to command: Command) -> ReturnParameters? {
    switch command {
    case .readLocalVersionInformation:
      .localVersion(
        LocalVersion(
          hciVersion: profile.version, hciSubversion: 0, linkVersion: profile.version, company: profile.company,
          linkSubversion: 0))
    case .readLocalSupportedCommands: .supportedCommands(supportedCommands)
    // LE is supported by the controller and BR/EDR is not (Core Specification Vol 2, Part C, 3.3).
    case .readLocalSupportedFeatures: .linkManagerFeatures(0x60 << 32)
    case .readBufferSize: .bufferSize(SharedBufferSize(octets: profile.bufferOctets, count: profile.bufferCount))
    case .readDeviceAddress: .deviceAddress(profile.publicAddress ?? BluetoothAddress(0, .public))
    case .leReadBufferSize: .leBufferSize(lowEnergyBuffers)
    case .leReadBufferSizeV2: .leBufferSizeV2(lowEnergyBuffers, isochronous: LEBufferSize(octets: 0, count: 0))
    case .leReadLocalSupportedFeatures: .leFeatures(profile.features)
    case .leReadAdvertisingPhysicalChannelTxPower: .advertisingPower(profile.transmitPower)
    case .leReadFilterAcceptListSize: .filterAcceptListSize(UInt8(clamping: profile.filterAcceptListSize))
    case .leReadSupportedStates: .supportedStates(0x0000_03FF_FFFF_FFFF)
    case .leReadSuggestedDefaultDataLength: .suggestedDataLength(suggestedDataLength)
    case .leReadMaximumDataLength:
      .maximumDataLength(LEDataLengths(transmit: profile.maximumDataLength, receive: profile.maximumDataLength))
    default: nil
    }
  }

  private var lowEnergyBuffers: LEBufferSize {
    profile.sharesBuffers
      ? LEBufferSize(octets: 0, count: 0)
      : LEBufferSize(octets: profile.bufferOctets, count: UInt8(clamping: profile.bufferCount))
  }
}
