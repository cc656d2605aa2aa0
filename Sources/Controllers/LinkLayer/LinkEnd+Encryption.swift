import Crypto
import HCI

// Starting, pausing and refreshing encryption (Core Specification Vol 6, Part B, 5.1.3).
extension LinkEnd {
  var isEncrypted: Bool { channel.transmitCipher != nil && channel.receiveCipher != nil }

  // MARK: Central

  func beginEncryption(_ request: LEEnableEncryption) {
    channel.isDataPaused = true
    isRefreshing = isEncrypted
    if isRefreshing {
      encryption = .pausing
      ask(.pauseEncryptionRequest)
    } else {
      requestEncryption(request)
    }
  }

  private func requestEncryption(_ request: LEEnableEncryption) {
    let stream = controller.stream("session-key")
    let control = EncryptionRequest(
      randomNumber: request.randomNumber, encryptedDiversifier: request.encryptedDiversifier,
      diversifier: stream.next(), vector: UInt32(truncatingIfNeeded: stream.next()))
    encryption = .requested(control)
    ask(.encryptionRequest(control))
  }

  func encryptionRefused(_ reason: ErrorCode) {
    controller.emit(.encryptionChange(reason, handle, isEncrypted: false))
    encryptionEnded()
    finishProcedure()
  }

  /// Data and other procedures continue.
  private func encryptionEnded() {
    encryption = .idle
    channel.isDataPaused = false
    isRefreshing = false
    releaseHeldControls()
  }

  private func encryptionStarted() {
    controller.emit(
      isRefreshing
        ? .encryptionKeyRefreshComplete(.success, handle)
        : .encryptionChange(.success, handle, isEncrypted: true))
    encryptionEnded()
    link.wake()
  }

  // MARK: Both

  func handleEncryption(_ control: ControlPDU) {
    switch (control, encryption) {
    case (.encryptionRequest(let request), .idle), (.encryptionRequest(let request), .paused):
      encryptionRequested(request)
    case (.encryptionResponse(let diversifier, let vector), .requested(let own)):
      guard case .encryption(let request) = procedures.active else { return }
      encryption = .awaitingStart(
        LinkEncryption(
          longTermKey: Key128(littleEndian: request.longTermKey.octets), centralDiversifier: own.diversifier,
          peripheralDiversifier: diversifier, centralVector: own.vector, peripheralVector: vector))
    case (.startEncryptionRequest, .awaitingStart(let keys)):
      channel.transmitCipher = CipherState(keys)
      channel.receiveCipher = CipherState(keys)
      encryption = .awaitingStartResponse
      ask(.startEncryptionResponse)
    case (.startEncryptionResponse, .awaitingStartResponse):
      encryptionStarted()
      finishProcedure()
    case (.startEncryptionResponse, .awaitingEncryptedStart(let keys)):
      channel.transmitCipher = CipherState(keys)
      enqueue(.startEncryptionResponse)
      encryptionStarted()
      resumeProcedures()
    case (.pauseEncryptionRequest, .idle):
      encryption = .paused
      channel.isDataPaused = true
      isRefreshing = true
      channel.receiveCipher = nil
      ask(.pauseEncryptionResponse)
    case (.pauseEncryptionResponse, .pausing):
      guard case .encryption(let request) = procedures.active else { return }
      channel.transmitCipher = nil
      channel.receiveCipher = nil
      enqueue(.pauseEncryptionResponse)
      requestEncryption(request)
    case (.pauseEncryptionResponse, .paused): channel.transmitCipher = nil
    default: enqueue(.unknownResponse(control.opcode))
    }
  }

  // MARK: Peripheral

  private func encryptionRequested(_ request: EncryptionRequest) {
    let stream = controller.stream("session-key")
    let diversifier = stream.next()
    let vector = UInt32(truncatingIfNeeded: stream.next())
    encryption = .awaitingKey(request, diversifier: diversifier, vector: vector)
    channel.isDataPaused = true
    ask(.encryptionResponse(diversifier: diversifier, vector: vector))
    let event = Event.leLongTermKeyRequest(
      handle, randomNumber: request.randomNumber, encryptedDiversifier: request.encryptedDiversifier)
    if controller.isWanted(event) {
      controller.emit(event)
    } else {
      _ = giveLongTermKey(nil)
    }
  }

  /// The host's answer to the request for a key; `nil` when it has none. Returns `false` when no key was requested.
  func giveLongTermKey(_ key: LEKeyOctets?) -> Bool {
    guard case .awaitingKey(let request, let diversifier, let vector) = encryption else { return false }
    guard let key else {
      refuseEncryption()
      return true
    }
    let keys = LinkEncryption(
      longTermKey: Key128(littleEndian: key.octets), centralDiversifier: request.diversifier,
      peripheralDiversifier: diversifier, centralVector: request.vector, peripheralVector: vector)
    encryption = .awaitingEncryptedStart(keys)
    channel.receiveCipher = CipherState(keys)
    ask(.startEncryptionRequest)
    return true
  }

  /// A link that was encrypted must not continue unencrypted: it ends. Any other link stays as it was.
  private func refuseEncryption() {
    if isRefreshing { return terminate(.pinOrKeyMissing) }
    reject(ControlPDU.OpCode.encryptionRequest, .pinOrKeyMissing)
    encryptionEnded()
    resumeProcedures()
  }
}

extension ControlPDU {
  /// Whether it may be sent while encryption is being started; others wait until that is over.
  var belongsToEncryption: Bool {
    switch self {
    case .encryptionRequest, .encryptionResponse, .startEncryptionRequest, .startEncryptionResponse,
      .pauseEncryptionRequest, .pauseEncryptionResponse, .terminateIndication, .rejectIndication, .unknownResponse,
      .rejectExtendedIndication(ControlPDU.OpCode.encryptionRequest, _):
      true
    default: false
    }
  }
}
