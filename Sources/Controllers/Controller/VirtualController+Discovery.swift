import Bytes
import HCI

// Commands of advertising, scanning and the filter accept list.
extension VirtualController {
  func performDiscovery(_ command: Command) -> ErrorCode {
    switch command {
    case .leSetRandomAddress(let address): return setRandomAddress(address)
    case .leSetAdvertisingParameters(let parameters): return setAdvertisingParameters(parameters)
    case .leSetAdvertisingData(let data): advertisingData = data.octets
    case .leSetScanResponseData(let data): scanResponseData = data.octets
    case .leSetAdvertisingEnable(let isEnabled): return isEnabled ? startAdvertising() : stopAdvertising()
    case .leSetScanParameters(let parameters): return setScanParameters(parameters)
    case .leSetScanEnable(let isEnabled, let filtersDuplicates):
      return setScanning(isEnabled, filtersDuplicates)
    case .leClearFilterAcceptList:
      guard !isAcceptListInUse else { return .commandDisallowed }
      acceptList = []
    case .leAddDeviceToFilterAcceptList(let entry):
      guard !isAcceptListInUse else { return .commandDisallowed }
      guard !acceptList.contains(entry) else { return .success }
      guard acceptList.count < profile.filterAcceptListSize else { return .memoryCapacityExceeded }
      acceptList.append(entry)
    case .leRemoveDeviceFromFilterAcceptList(let entry):
      guard !isAcceptListInUse else { return .commandDisallowed }
      acceptList.removeAll { $0 == entry }
    default: return .unknownCommand
    }
    return .success
  }

  /// The list must not change under a state that looks into it (Core Specification Vol 4, Part E, 7.8.15).
  private var isAcceptListInUse: Bool {
    advertiser.map { $0.parameters.filterPolicy != 0 } == true
      || scanner.map { $0.parameters.filterPolicy & 1 != 0 } == true
      || initiator?.parameters.usesFilterAcceptList == true
  }

  /// Not while the address is in use (7.8.4).
  private func setRandomAddress(_ address: BluetoothAddress) -> ErrorCode {
    guard advertiser == nil, scanner == nil, initiator == nil else { return .commandDisallowed }
    randomAddress = address
    return .success
  }

  private func setAdvertisingParameters(_ parameters: LEAdvertisingParameters) -> ErrorCode {
    guard advertiser == nil else { return .commandDisallowed }
    let isTimed = parameters.kind != .connectableDirectedHighDuty
    let range: ClosedRange<UInt16> = 0x0020...0x4000
    guard
      !isTimed
        || range.contains(parameters.minimumIntervalUnits) && range.contains(parameters.maximumIntervalUnits)
          && parameters.minimumIntervalUnits <= parameters.maximumIntervalUnits,
      !parameters.channels.isDisjoint(with: .all), parameters.filterPolicy <= 3
    else { return .invalidHCICommandParameters }
    advertisingParameters = parameters
    advertisingParameters.channels.formIntersection(.all)
    return .success
  }

  private func startAdvertising() -> ErrorCode {
    guard advertiser == nil else { return .success }
    guard let address = ownAddress(advertisingParameters.ownAddressType) else { return .invalidHCICommandParameters }
    if advertisingParameters.kind.isConnectable, links.count >= profile.connectionLimit {
      return .connectionLimitExceeded
    }
    let advertiser = Advertiser(self, advertisingParameters, address)
    self.advertiser = advertiser
    advertiser.start()
    return .success
  }

  @discardableResult
  func stopAdvertising() -> ErrorCode {
    advertiser?.addUse(to: &medium.advertised)
    advertiser?.stop()
    advertiser = nil
    return .success
  }

  /// Directed advertising timed out (Vol 6, Part B, 4.4.2.4.3).
  func directedAdvertisingEnded() {
    stopAdvertising()
    emit(.leConnectionComplete(.failure(.advertisingTimeout, role: .peripheral)))
  }

  private func setScanParameters(_ parameters: LEScanParameters) -> ErrorCode {
    guard scanner == nil else { return .commandDisallowed }
    guard Self.isValidWindow(parameters.intervalUnits, parameters.windowUnits), parameters.filterPolicy <= 3 else {
      return .invalidHCICommandParameters
    }
    scanParameters = parameters
    return .success
  }

  static func isValidWindow(_ interval: UInt16, _ window: UInt16) -> Bool {
    (0x0004...0x4000).contains(interval) && (0x0004...0x4000).contains(window) && window <= interval
  }

  private func setScanning(_ isEnabled: Bool, _ filtersDuplicates: Bool) -> ErrorCode {
    guard isEnabled else {
      scanner = nil
      listeningChanged()
      return .success
    }
    guard !scanParameters.isActive || ownAddress(scanParameters.ownAddressType) != nil else {
      return .invalidHCICommandParameters
    }
    scanner = Scanner(scanParameters, filtersDuplicates: filtersDuplicates, begin: loop.now.nanoseconds)
    listeningChanged()
    return .success
  }
}

// What a scanning or initiating controller hears.
extension VirtualController {
  /// Whether it listens on channel 37 + `channel` for the whole of a packet.
  func listens(on channel: Int, _ first: UInt64, _ last: UInt64) -> Bool {
    scanner?.window.covers(channel: channel, from: first, to: last) == true
      || initiator?.window.covers(channel: channel, from: first, to: last) == true
  }

  /// The address in its scan requests.
  var scannerAddress: BluetoothAddress? { scanner.flatMap { ownAddress($0.parameters.ownAddressType) } }

  /// Takes an advertising PDU and says what it answers; a connection goes before a scan request.
  func hears(
    _ advertiser: Advertiser, of sender: any AdvertisingController, _ signalStrength: Int8, channel: Int,
    _ first: UInt64, _ last: UInt64
  ) -> ListenerAnswer {
    let answer = scanHears(advertiser, of: sender, signalStrength, channel: channel, first, last)
    guard let initiator, initiator.window.covers(channel: channel, from: first, to: last),
      advertiser.parameters.kind.isConnectable,
      !advertiser.parameters.kind.isDirected || advertiser.parameters.peerAddress == initiator.ownAddress,
      initiator.parameters.usesFilterAcceptList
        ? accepts(advertiser.address) : initiator.parameters.peerAddress == advertiser.address
    else { return answer }
    return .connect
  }

  private func scanHears(
    _ advertiser: Advertiser, of sender: any AdvertisingController, _ signalStrength: Int8, channel: Int,
    _ first: UInt64, _ last: UInt64
  ) -> ListenerAnswer {
    guard let scanner, scanner.window.covers(channel: channel, from: first, to: last) else { return .nothing }
    let kind = advertiser.parameters.kind
    if scanner.parameters.filterPolicy & 1 != 0, !accepts(advertiser.address) { return .nothing }
    if kind.isDirected, advertiser.parameters.peerAddress != ownAddress(scanner.parameters.ownAddressType) {
      return .nothing
    }
    if scanner.shouldReport(advertiser.address, isResponse: false) {
      let data = kind.isDirected ? [] : sender.advertisingData
      let report = LEAdvertisingReport(kind.reportKind, advertiser.address, data, signalStrength: signalStrength)
      emit(.leAdvertisingReport([report]))
    }
    return kind.isScannable && scanner.shouldAsk(advertiser.address) ? .scanRequest : .nothing
  }

  /// A scan request was sent; `nil` when nothing came back.
  func scanRequestEnded(answeredBy report: LEAdvertisingReport?) {
    guard let scanner else { return }
    scanner.requestEnded(success: report != nil, stream("scan-backoff"))
    guard let report, scanner.shouldReport(report.address, isResponse: true) else { return }
    emit(.leAdvertisingReport([report]))
  }

  /// The outcome of a scan request is known at `end`.
  func expectScanResponse(_ report: LEAdvertisingReport?, at end: UInt64) {
    loop.schedule(at: .init(nanoseconds: end)) { self.scanRequestEnded(answeredBy: report) }
  }
}
