extension Event {
  /// The event's code; that of every LE event is ``EventCode/leMeta``.
  public var code: EventCode {
    switch self {
    case .disconnectionComplete: .disconnectionComplete
    case .encryptionChange: .encryptionChange
    case .encryptionChangeV2: .encryptionChangeV2
    case .encryptionKeyRefreshComplete: .encryptionKeyRefreshComplete
    case .readRemoteVersionInformationComplete: .readRemoteVersionInformationComplete
    case .commandComplete: .commandComplete
    case .commandStatus: .commandStatus
    case .hardwareError: .hardwareError
    case .numberOfCompletedPackets: .numberOfCompletedPackets
    case .dataBufferOverflow: .dataBufferOverflow
    case .unknown(let code, _): code
    default: .leMeta
    }
  }

  /// The subevent code of an LE event; `nil` for others.
  public var subeventCode: LESubeventCode? {
    switch self {
    case .leConnectionComplete: .connectionComplete
    case .leAdvertisingReport: .advertisingReport
    case .leConnectionUpdateComplete: .connectionUpdateComplete
    case .leReadRemoteFeaturesComplete: .readRemoteFeaturesComplete
    case .leLongTermKeyRequest: .longTermKeyRequest
    case .leRemoteConnectionParameterRequest: .remoteConnectionParameterRequest
    case .leDataLengthChange: .dataLengthChange
    case .leEnhancedConnectionComplete: .enhancedConnectionComplete
    case .lePHYUpdateComplete: .phyUpdateComplete
    case .leExtendedAdvertisingReport: .extendedAdvertisingReport
    case .leUnknown(let code, _): code
    default: nil
    }
  }
}
