import HostStack
import Phone

extension GeneratedFault {
  private struct Timeout: Sendable {
    let name: String
    let requirement: String
    let path: WritableKeyPath<PhoneTimeouts, Duration> & Sendable

    init(_ name: String, _ requirement: String, _ path: WritableKeyPath<PhoneTimeouts, Duration> & Sendable) {
      self.name = name
      self.requirement = requirement
      self.path = path
    }
  }

  private static let timeouts: [Timeout] = [
    Timeout("search", "APP-1.1", \.search),
    Timeout("choice", "APP-1.1.1", \.choice),
    Timeout("connect", "APP-1.1", \.connect),
    Timeout("attribute", "APP-1.2", \.attribute),
    Timeout("security", "APP-1.1", \.security),
    Timeout("securityRequest", "APP-1.2", \.securityRequest),
    Timeout("list", "APP-1.2.1", \.list),
    Timeout("information", "APP-1.2", \.information),
    Timeout("fileSystem", "APP-1.2", \.fileSystem),
    Timeout("firstData", "APP-1.2", \.firstData),
    Timeout("nextData", "APP-1.2", \.nextData),
    Timeout("finish", "APP-1.2", \.finish),
    Timeout("disconnect", "APP-1.1", \.disconnect),
    Timeout("settle", "APP-1.2", \.settle),
    Timeout("batteryPeriod", "APP-1.3.1", \.batteryPeriod),
    Timeout("autoSyncPause", "APP-1.2.2.1", \.autoSyncPause),
    Timeout("autoSyncPauseWhileLow", "APP-1.3.1.3", \.autoSyncPauseWhileLow),
    Timeout("feedPeriod", "APP-1.4.2", \.feedPeriod),
    Timeout("updateAnswer", "APP-1.4.1", \.updateAnswer),
    Timeout("updateLinkEnd", "APP-1.4.1", \.updateLinkEnd),
    Timeout("bootloaderSearch", "APP-1.4.1", \.bootloaderSearch),
    Timeout("applicationReturn", "APP-1.4.1", \.applicationReturn),
  ]

  private static func phone(
    _ name: String, _ requirement: String, _ change: @escaping @Sendable (inout PhoneConfiguration) -> Void
  ) -> GeneratedFault { GeneratedFault(name, "phone settings", requirement, .phone(change)) }

  private static let ofTimeouts: [GeneratedFault] = timeouts.flatMap { timeout in
    [(10, 1, "a tenth of"), (2, 1, "half of"), (1, 2, "twice"), (1, 10, "ten times")].map { divisor, factor, word in
      GeneratedFault(
        "\(word) the phone's \(timeout.name)", "phone times", timeout.requirement,
        .phone { $0.timeouts[keyPath: timeout.path] = $0.timeouts[keyPath: timeout.path] * factor / divisor })
    }
  }

  private static let wrongSeconds: [Int64] = [
    -31_536_000, -86_400, -3600, -60, -6, -2, -1, 1, 2, 6, 60, 3600, 86_400, 31_536_000,
  ]

  private static let ofServedTime: [GeneratedFault] = wrongSeconds.map { seconds in
    GeneratedFault(
      "the phone's time is off by \(seconds) s", "phone settings", "APP-1.3.2.1",
      .phone { $0.faults.append(.servesWrongTime(seconds: seconds)) })
  }

  /// What a phone is made with, each of its time-outs, and each error of the time that it serves.
  static let ofPhones: [GeneratedFault] =
    ofTimeouts + ofServedTime + [
      phone("the phone refuses other parameters", "APP-1.2") { $0.parameterUpdatePolicy = .reject },
      phone("the phone ignores wishes for parameters", "APP-1.2") { $0.parameterUpdatePolicy = .ignore },
      phone("the phone takes no battery notifications", "APP-1.3.1") { $0.subscribesToBattery = false },
      phone("the phone asks for no ATT_MTU", "APP-1.2") { $0.maximumTransmissionUnit = 23 },
      phone("the phone always waits to be asked for encryption", "APP-1.1") { $0.waitsForSecurityRequest = true },
      phone("the phone keeps no bonds", "APP-1.1") { $0.security.bonding = false },
      phone("the phone offers no Secure Connections", "APP-1.1") { $0.security.secureConnections = false },
      phone("the phone demands Secure Connections", "APP-1.1") { $0.security.secureConnectionsOnly = true },
      phone("the phone takes 2 s for each event in the background", "APP-1.2.2") { $0.backgroundDelay = .seconds(2) },
      phone("the phone is always in the background", "APP-1.2.2") { $0.isForeground = false },
      phone("the phone is never in the background", "APP-1.2.2") { $0.isForeground = true },
      phone("the phone never fetches by itself", "APP-1.2.2.1") { $0.autoSync = false },
      phone("the phone always fetches by itself", "APP-1.2.2.1") { $0.autoSync = true },
      phone("the phone listens a tenth of the time", "APP-1.1") { $0.scanParameters.windowUnits /= 10 },
      phone("the phone asks for no scan response", "APP-1.1") { $0.scanParameters.isActive = false },
      phone("the phone has no releases", "APP-1.4.2") { $0.feed = [] },
      phone("the phone uses links of 1 s", "APP-1.2") {
        $0.connectionParameters.minimumIntervalUnits = 800
        $0.connectionParameters.maximumIntervalUnits = 800
      },
    ]
}
