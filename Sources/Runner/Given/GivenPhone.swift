import HostStack
import Phone
import ScenarioLanguage

/// `given: {phone: {bonded: true, mtu: 185 B}}`
enum GivenPhone {
  /// The radio's modulation.
  enum Radio: String, FieldChoice {
    case le1M = "1M"
    case le2M = "2M"
  }

  /// When it encrypts a link to a recorder that it knows.
  enum Securing: String, FieldChoice {
    case atOnce = "at-once"
    case whenAsked = "when-asked"

    var meaning: String {
      switch self {
      case .atOnce: "As soon as it has discovered the recorder's services."
      case .whenAsked: "When the recorder asks for it; after four seconds it goes on without."
      }
    }
  }

  /// Which address it uses on the air.
  enum AddressKind: String, FieldChoice {
    case identity
    case resolvable = "private"

    var meaning: String {
      switch self {
      case .identity: "Its identity address, which never changes."
      case .resolvable: "A resolvable private address, a new one whenever it is switched on or restarted."
      }
    }
  }

  /// How it answers a recorder that asks for other connection parameters.
  enum ParameterAnswer: String, FieldChoice {
    case accepts, refuses, ignores

    var meaning: String {
      switch self {
      case .accepts: "It takes them."
      case .refuses: "It says no, and keeps its own."
      case .ignores: "It does not answer, and keeps its own."
      }
    }

    var policy: ParameterUpdatePolicy {
      switch self {
      case .accepts: .accept
      case .refuses: .reject
      case .ignores: .ignore
      }
    }
  }

  /// Who turns records into text.
  enum TranscriberChoice: String, FieldChoice {
    case nobody = "none"
    case measuring, failing

    var meaning: String {
      switch self {
      case .nobody: "Nobody; records have no transcript."
      case .measuring: "A stand-in that hears how long and how loud a record is, such as `speech, 2.0 s`."
      case .failing: "One that never finds any words."
      }
    }
  }

  static let bonded = Field<Bool>(
    "bonded", "Whether it is already paired with the first recorder.", default: false, needs: Capabilities.bonds)
  static let mtu = Field<ByteCount>("mtu", "Largest ATT_MTU it requests.", default: ByteCount(bytes: 247))
    .limited(to: ByteCount(bytes: 23)...ByteCount(bytes: 517))
  static let interval = Field<Duration>("interval", "Connection interval it uses.", default: .milliseconds(15))
    .limited(to: Duration.microseconds(7_500)...Duration.seconds(4)).counted(in: Duration.microseconds(1_250))
  static let radio = Field<Radio>("radio", "PHY it requests.", default: .le1M)
  static let secures = Field<Securing>("secures", "When it encrypts a link to its paired recorder.", default: .atOnce)
  static let parameters = Field<ParameterAnswer>(
    "parameters", "How it answers a recorder that asks for other connection parameters.", default: .accepts)
  static let address = Field<AddressKind>(
    "address", "Kind of address that it uses on the air.", default: .identity)
  static let clock = Field<CivilDateTime?>(
    "clock", "Its local time at the beginning; 2024-01-01 12:00:00 unless stated.")
  static let background = Field<Bool>("background", "Whether its application starts in the background.", default: false)
  static let automatic = Field<Bool>(
    "automatic", "Whether it connects and downloads automatically when the paired recorder appears.", default: false)

  static let keepsKeys = Field<Bool>(
    "keeps-keys", "Whether it keeps the keys of a pairing for later connections.", default: true)
  static let feed = Field<[ReleaseName]>(
    "feed", "Releases that the release feed offers for its recorder.", default: [])

  static let transcriber = Field<TranscriberChoice>(
    "transcriber", "Who turns its records into text.", default: .nobody)

  static let published = Field<[PublishedPhoneBehaviour]>(
    "published", "What it does as the published application does, and not as the reference.", default: [])

  static let declaration = GivenDeclaration(
    "phone", plural: "phones", actor: .phone, "A phone.",
    fields: [
      bonded, mtu, interval, radio, secures, parameters, address, clock, background, automatic, keepsKeys, feed,
      transcriber, published,
    ],
    example: "phone: {bonded: true, mtu: 185 B}")
}

extension PublishedPhoneBehaviour: FieldChoice {
  /// The behaviour in one sentence.
  package var meaning: String { summary }

  /// The requirement that a phone with it cannot meet; `nil` where it can meet all.
  var broken: String? {
    switch self {
    case .batteryOrder: "APP-1.3.1.1"
    case .batteryPeriod: "APP-1.3.1"
    case .lowBattery: "APP-1.3.1.3"
    case .settling, .enabling, .patience, .nothingNew: nil
    }
  }
}
