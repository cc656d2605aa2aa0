import SecureDFU
import Verdicts

/// What only a simulated world knows about the firmware of a recorder, and what a phone showed its user about it.
public enum UpdateOracle: Hashable, Sendable {
  /// A phone offered its user a newer firmware.
  case offered(phone: UInt16, version: UInt32)
  /// The user answered the offer.
  case answered(phone: UInt16, version: UInt32, accepted: Bool)
  /// A phone began an update: of an offer, or, where `isAsked`, because the user chose a package.
  case begun(phone: UInt16, version: UInt32?, isAsked: Bool)
  /// A phone showed the state of an update.
  case shown(phone: UInt16, UpdateState)
  /// An update ended; what the phone told its user is installed now, and whether the user ended it: by the end of the
  /// application or of the connection.
  case ended(phone: UInt16, InstalledAfterUpdate, byUser: Bool = false)
  /// A phone showed the version of the recorder's application; `nil` where it said that it cannot know.
  case versionShown(phone: UInt16, application: UInt32?)
  /// A recorder started an application: its version, and whether the image is whole.
  case firmwareStarted(recorder: UInt16, version: UInt32, isWhole: Bool)
  /// A recorder's bootloader waits for an update.
  case bootloaderStarted(recorder: UInt16)
  /// The application that a recorder has when it is switched on and when its bootloader starts to wait for an update,
  /// as the bootloader's settings say.
  case firmwareInstalled(recorder: UInt16, version: UInt32)
  /// The scenario lets a recorder's bootloader break its protocol, which says nothing against the recorder. To be
  /// stated before the bootloader talks.
  case bootloaderDisturbed(recorder: UInt16)
  /// The scenario keeps a recorder's bootloader from being found at once, which says nothing against the recorder.
  case bootloaderHindered(recorder: UInt16)
  /// What a recorder owns, stated when its bootloader or its application starts: records, a digest of all of them, and
  /// bonds.
  case possessions(recorder: UInt16, records: Int, digest: UInt64, bonds: Int)
  /// A phone begins to write octets of a step's choice: its next request is not its own, nor is what it does about an update
  /// on its links from now on.
  case improvised(phone: UInt16)

  /// Whose event it is.
  var party: OracleEvent.Party {
    switch self {
    case .offered(let phone, _), .answered(let phone, _, _), .begun(let phone, _, _), .shown(let phone, _),
      .ended(let phone, _, _), .versionShown(let phone, _), .improvised(let phone):
      .phone(phone)
    case .firmwareStarted(let recorder, _, _), .bootloaderStarted(let recorder), .bootloaderDisturbed(let recorder),
      .bootloaderHindered(let recorder), .firmwareInstalled(let recorder, _),
      .possessions(let recorder, _, _, _):
      .recorder(recorder)
    }
  }

  /// The name by which reports call it.
  var name: String {
    switch self {
    case .offered: "update.offered"
    case .answered: "update.answered"
    case .begun: "update.begun"
    case .shown: "update.shown"
    case .ended: "update.ended"
    case .versionShown: "update.version"
    case .firmwareStarted: "firmware.started"
    case .bootloaderStarted: "bootloader.started"
    case .firmwareInstalled: "firmware.installed"
    case .bootloaderDisturbed: "bootloader.disturbed"
    case .bootloaderHindered: "bootloader.hindered"
    case .possessions: "recorder.possessions"
    case .improvised: "phone.improvised"
    }
  }

  /// What the event holds, in a fixed order.
  var details: [EventDetail] {
    switch self {
    case .offered(let phone, let version): [.init("phone", Int64(phone)), .init("version", Int64(version))]
    case .answered(let phone, let version, let accepted):
      [.init("phone", Int64(phone)), .init("version", Int64(version)), .init("accepted", accepted)]
    case .begun(let phone, let version, let isAsked):
      [
        .init("phone", Int64(phone)), .init("version", version.map { "\($0)" } ?? "none"), .init("asked", isAsked),
      ]
    case .shown(let phone, let state):
      [
        .init("phone", Int64(phone)), .init("place", state.place.rawValue), .init("phase", state.phase.rawValue),
        .init("octets", Int64(state.octets)), .init("total", Int64(state.total)),
      ]
    case .ended(let phone, let installed, _):
      [.init("phone", Int64(phone)), .init("installed", installed.rawValue)]
    case .versionShown(let phone, let version):
      [.init("phone", Int64(phone)), .init("application", version.map { "\($0)" } ?? "unknown")]
    case .firmwareStarted(let recorder, let version, let isWhole):
      [.init("recorder", Int64(recorder)), .init("version", Int64(version)), .init("whole", isWhole)]
    case .firmwareInstalled(let recorder, let version):
      [.init("recorder", Int64(recorder)), .init("version", Int64(version))]
    case .bootloaderStarted(let recorder), .bootloaderDisturbed(let recorder), .bootloaderHindered(let recorder):
      [.init("recorder", Int64(recorder))]
    case .improvised(let phone): [.init("phone", Int64(phone))]
    case .possessions(let recorder, let records, let digest, let bonds):
      [
        .init("recorder", Int64(recorder)), .init("records", Int64(records)),
        .init("digest", Int64(bitPattern: digest)), .init("bonds", Int64(bonds)),
      ]
    }
  }
}
