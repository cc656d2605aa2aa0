import Bytes
import DictofunProtocol
import HCI
import HostStack
import SecureDFU

extension PhoneApplication {
  mutating func beginVersionReport(_ effects: inout ApplicationEffects) {
    do throws(PhoneFailure) {
      let link = try readyLink()
      running?.stage = .reportingVersions(VersionInquiry())
      effects.append(.host(.readRemoteVersion(link.handle)))
      allow(configuration.timeouts.attribute, &effects)
    } catch { fail(error, &effects) }
  }

  mutating func remoteVersionReported(
    _ version: RemoteVersion?, _ inquiry: VersionInquiry, _ effects: inout ApplicationEffects
  ) {
    guard inquiry.step == .controller else { return }
    var inquiry = inquiry
    if let identifier = version?.softDeviceIdentifier {
      inquiry.report.softDevice = .init(text: SoftDeviceName.of(identifier), source: .controller)
    }
    inquiry.step = .deviceName
    inquire(.readByType(DictofunUUID.deviceName, .first, .last), inquiry, &effects)
  }

  private mutating func inquire(
    _ procedure: ClientProcedure, _ inquiry: VersionInquiry, _ effects: inout ApplicationEffects
  ) {
    guard let link else { return fail(.notConnected, &effects) }
    var inquiry = inquiry
    inquiry.procedure = run(procedure, on: link, &effects)
    running?.stage = .reportingVersions(inquiry)
    allow(configuration.timeouts.attribute, &effects)
  }

  /// A client procedure ended; a version that cannot be read stays unknown.
  mutating func inquiryProcedureEnded(
    _ inquiry: VersionInquiry, _ outcome: Result<ClientResult, PhoneFailure>, _ effects: inout ApplicationEffects
  ) {
    var inquiry = inquiry
    switch (inquiry.step, outcome) {
    case (.deviceName, _):
      if case .success(.values(let values)) = outcome, let name = values.first?.value {
        inquiry.report.board = Self.board(String(decoding: name, as: UTF8.self))
      }
      inquiry.step = .discoveringInformation
      inquire(.discoverService(DictofunUUID.deviceInformationService), inquiry, &effects)
    case (.discoveringInformation, .success(.services(let services))):
      let service = services.first { $0.uuid == DictofunUUID.deviceInformationService }
      func handle(_ uuid: BluetoothUUID) -> AttributeHandle? {
        service?.characteristics.first { $0.uuid == uuid }?.valueHandle
      }
      inquiry.hardwareRevision = handle(DictofunUUID.hardwareRevision)
      guard let firmware = handle(DictofunUUID.firmwareRevision) else { return readHardware(inquiry, &effects) }
      inquiry.step = .firmwareRevision
      inquire(.read(firmware), inquiry, &effects)
    case (.firmwareRevision, .success(.value(let value))):
      inquiry.report.application = .init(text: String(decoding: value, as: UTF8.self), source: .deviceInformation)
      readHardware(inquiry, &effects)
    case (.hardwareRevision, .success(.value(let value))):
      inquiry.report.board = .init(text: String(decoding: value, as: UTF8.self), source: .deviceInformation)
      versionsKnown(inquiry.report, &effects)
    case (.firmwareRevision, _): readHardware(inquiry, &effects)
    default: versionsKnown(inquiry.report, &effects)
    }
  }

  private mutating func readHardware(_ inquiry: VersionInquiry, _ effects: inout ApplicationEffects) {
    guard let handle = inquiry.hardwareRevision else { return versionsKnown(inquiry.report, &effects) }
    var inquiry = inquiry
    inquiry.step = .hardwareRevision
    inquire(.read(handle), inquiry, &effects)
  }

  private mutating func versionsKnown(_ report: VersionReport, _ effects: inout ApplicationEffects) {
    var report = report
    if let link {
      let installed = consult(&effects) { library throws(LibraryFailure) in
        try library.installedRelease(on: link.identity)
      }
      if let installed = installed ?? nil {
        report.applicationVersion = installed.version
        if report.application == nil {
          report.application = .init(text: installed.name, source: .installedByThisPhone)
        }
      }
    }
    if has(.claimsNewestVersion) { report.applicationVersion = releaseFeed.newestVersion ?? Self.claimedVersion }
    effects.append(.event(.versionsShown(report)))
    finish(.success(.versions(report)), &effects)
  }

  /// The version that the fault of claiming the newest one shows where the feed is empty.
  private static let claimedVersion: UInt32 = 99

  /// The firmware calls itself `dictofun_v` and the board's revision.
  private static func board(_ name: String) -> VersionReport.Fact? {
    let prefix = DictofunAdvertisement.deviceNamePrefix
    guard name.hasPrefix(prefix), name.count > prefix.count else { return nil }
    return .init(text: String(name.dropFirst(prefix.count)), source: .deviceName)
  }
}

/// The names of the SoftDevices.
enum SoftDeviceName {
  static func of(_ identifier: UInt32) -> String {
    switch identifier {
    case BootloaderBuild.s132Debug.softDeviceIdentifier: "S132 7.2.0"
    case BootloaderBuild.s140Debug.softDeviceIdentifier: "S140 7.2.0"
    default: "SoftDevice 0x" + Hexadecimal.digits(UInt16(truncatingIfNeeded: identifier))
    }
  }
}
