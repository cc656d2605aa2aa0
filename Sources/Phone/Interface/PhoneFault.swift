/// A deliberate fault of the phone, so that the suite can show that it notices.
public enum PhoneFault: Hashable, Sendable {
  /// Never reads the battery by itself.
  case skipsBatteryRead
  /// Ignores that the battery is low.
  case keepsTransferringWhileBatteryLow
  /// Fetches records that the user removed.
  case requestsRemovedRecords
  /// Fetches records that it holds already.
  case redownloadsEverything
  /// Stores a record as complete when its transfer was interrupted.
  case storesTruncatedRecords
  /// Fetches the oldest record first.
  case sortsOldestFirst
  /// Serves the time with this error.
  case servesWrongTime(seconds: Int64)
  /// Never answers when the recorder reads the time.
  case ignoresTimeReads
  /// Lists Local Time Information before Current Time, which makes Nordic's client read the wrong one.
  case listsLocalTimeFirst
  /// Connects to the first recorder it hears, as the published application does, even if another one is meant.
  case takesFirstRecorder
  /// Pairs with a second recorder while one is paired.
  case pairsTwice
  /// Does not enable the continuation of the files list.
  case skipsContinuationSubscription
  /// Writes the next request without giving the recorder time to close the file.
  case skipsSettling
  /// Writes requests while the recorder serves another one.
  case stormsRequests
  /// Does not tell its user that the battery is low.
  case hidesLowBattery
  /// Shows more of a record as arrived than has arrived.
  case overstatesProgress
  /// Forgets its keys without telling the recorder.
  case unpairsSilently
  /// Reads the battery by itself only in the foreground.
  case neglectsBatteryInBackground
  /// Comes back to a recorder with a low battery as soon as to any other.
  case returnsWhileBatteryLow
  /// Takes what the user removed from one recorder as removed from all.
  case removesFromAllRecorders
  /// Takes a record for a removed one although its name was free in between.
  case neverFreesNames
  /// Takes a record for a removed one as soon as they have the same name.
  case takesNamesakesForRemoved
  /// Takes a record for one that it keeps as soon as they have the same name.
  case takesNamesakesForKept
  /// Gives a download up when the battery becomes low, and lets it run on.
  case staysInLowBatteryTransfer
  /// Removes the oldest record when the newest is to go.
  case removesOldest
  /// Pairs with the bootloader.
  case pairsWithBootloaders
  /// Shows the application while it is connected to the bootloader.
  case hidesTheBootloader
  /// Takes whatever advertises one address above its recorder for that recorder's bootloader.
  case takesNeighboursForBootloader
  /// Installs what the release feed offers, even if the user refuses it.
  case updatesWithoutConsent
  /// Offers a refused firmware again.
  case forgetsRefusals
  /// Takes what the user refused on one recorder as refused on all.
  case refusesForAllRecorders
  /// Claims that the recorder has the newest firmware there is.
  case claimsNewestVersion
  /// Shows octets of an update as arrived that were only sent.
  case showsSentAsArrived
  /// Executes objects of an update without having checked their checksums.
  case skipsChecksums
  /// Says that an update succeeded as soon as the last octet is sent.
  case trustsTheLastAnswer
  /// Gives an update up when its link breaks.
  case neverResumesUpdates
  /// Sends packages that cannot be for the recorder.
  case skipsPackageChecks
  /// Forgets at a restart how far its user has listened.
  case forgetsPositions
  /// Keeps positions behind the ends of records.
  case listensBeyondEnds
  /// Begins a record where an earlier one of the same name was left.
  case keepsPositionsByName
  /// Gives a transcript to the newest record, whichever it is of.
  case mixesTranscripts
  /// Shows when a record arrived instead of when it was spoken.
  case datesByArrival
  /// Counts records as new to which its user has listened.
  case countsHeardAsNew
}

extension PhoneFault: CustomStringConvertible {
  /// Every fault once; the wrong time is two hours ahead.
  public static let all: [PhoneFault] = [
    .skipsBatteryRead, .keepsTransferringWhileBatteryLow, .requestsRemovedRecords, .redownloadsEverything,
    .storesTruncatedRecords, .sortsOldestFirst, .servesWrongTime(seconds: 7200), .ignoresTimeReads,
    .listsLocalTimeFirst, .takesFirstRecorder, .pairsTwice, .skipsContinuationSubscription, .skipsSettling,
    .stormsRequests, .hidesLowBattery, .overstatesProgress, .unpairsSilently,
    .neglectsBatteryInBackground, .returnsWhileBatteryLow, .removesFromAllRecorders, .neverFreesNames,
    .takesNamesakesForRemoved, .takesNamesakesForKept, .staysInLowBatteryTransfer, .removesOldest,
    .pairsWithBootloaders, .hidesTheBootloader, .takesNeighboursForBootloader, .updatesWithoutConsent,
    .forgetsRefusals, .refusesForAllRecorders, .claimsNewestVersion, .showsSentAsArrived, .skipsChecksums,
    .trustsTheLastAnswer, .neverResumesUpdates, .skipsPackageChecks,
    .forgetsPositions, .listensBeyondEnds, .keepsPositionsByName, .mixesTranscripts, .datesByArrival, .countsHeardAsNew,
  ]

  /// Whether it shows in firmware updates and nowhere else.
  public var isAboutUpdates: Bool {
    switch self {
    case .pairsWithBootloaders, .hidesTheBootloader, .takesNeighboursForBootloader, .updatesWithoutConsent,
      .forgetsRefusals, .refusesForAllRecorders,
      .claimsNewestVersion, .showsSentAsArrived,
      .skipsChecksums,
      .trustsTheLastAnswer, .neverResumesUpdates, .skipsPackageChecks:
      true
    default: false
    }
  }

  /// The fault that the fault table calls `name`; `nil` for an unknown name.
  public init?(_ name: String) {
    guard let fault = Self.all.first(where: { $0.description == name }) else { return nil }
    self = fault
  }

  /// The fault as the fault table calls it, such as `pairs-twice`.
  public var description: String {
    switch self {
    case .skipsBatteryRead: "skips-battery-read"
    case .keepsTransferringWhileBatteryLow: "keeps-transferring-while-battery-low"
    case .requestsRemovedRecords: "requests-removed-records"
    case .redownloadsEverything: "redownloads-everything"
    case .storesTruncatedRecords: "stores-truncated-records"
    case .sortsOldestFirst: "sorts-oldest-first"
    case .servesWrongTime: "serves-wrong-time"
    case .ignoresTimeReads: "ignores-time-reads"
    case .listsLocalTimeFirst: "lists-local-time-first"
    case .takesFirstRecorder: "takes-first-recorder"
    case .pairsTwice: "pairs-twice"
    case .skipsContinuationSubscription: "skips-continuation-subscription"
    case .skipsSettling: "skips-settling"
    case .stormsRequests: "storms-requests"
    case .hidesLowBattery: "hides-low-battery"
    case .overstatesProgress: "overstates-progress"
    case .refusesForAllRecorders: "refuses-for-all-recorders"
    case .unpairsSilently: "unpairs-silently"
    case .neglectsBatteryInBackground: "neglects-battery-in-background"
    case .returnsWhileBatteryLow: "returns-while-battery-low"
    case .removesFromAllRecorders: "removes-from-all-recorders"
    case .neverFreesNames: "never-frees-names"
    case .takesNamesakesForRemoved: "takes-namesakes-for-removed"
    case .takesNamesakesForKept: "takes-namesakes-for-kept"
    case .staysInLowBatteryTransfer: "stays-in-low-battery-transfer"
    case .removesOldest: "removes-oldest"
    case .pairsWithBootloaders: "pairs-with-bootloaders"
    case .hidesTheBootloader: "hides-the-bootloader"
    case .takesNeighboursForBootloader: "takes-neighbours-for-bootloader"
    case .updatesWithoutConsent: "updates-without-consent"
    case .forgetsRefusals: "forgets-refusals"
    case .claimsNewestVersion: "claims-newest-version"
    case .showsSentAsArrived: "shows-sent-as-arrived"
    case .skipsChecksums: "skips-checksums"
    case .trustsTheLastAnswer: "trusts-the-last-answer"
    case .neverResumesUpdates: "never-resumes-updates"
    case .skipsPackageChecks: "skips-package-checks"
    case .forgetsPositions: "forgets-positions"
    case .listensBeyondEnds: "listens-beyond-ends"
    case .keepsPositionsByName: "keeps-positions-by-name"
    case .mixesTranscripts: "mixes-transcripts"
    case .datesByArrival: "dates-by-arrival"
    case .countsHeardAsNew: "counts-heard-as-new"
    }
  }
}
