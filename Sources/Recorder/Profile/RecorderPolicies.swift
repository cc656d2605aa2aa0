import DictofunProtocol

/// What a recorder does where recorders may differ: one decision, one place, one value.
///
/// The initial values are those of the `reference` profile. A firmware's defect or a deliberate fault is another
/// value of one of them.
public struct RecorderPolicies: Hashable, Sendable {
  /// When it advertises.
  public var advertising = AdvertisingPolicy.whileServing
  /// What its File Transfer Service needs of a link.
  public var access = AccessPolicy.encrypted
  /// What it does when told to unpair.
  public var unpairing = UnpairingPolicy.removesAllBonds
  /// Where its bonds live.
  public var bondMemory = BondMemoryPolicy.flash
  /// Whether it asks a bonded phone for encryption.
  public var securityRequest = SecurityRequestPolicy.afterDelay
  /// What it says of its battery.
  public var batteryReport = BatteryReportPolicy.truthful
  /// What it does with the phone's time.
  public var time = TimePolicy.takesEveryTime
  /// Which characteristic of the phone's Current Time Service it reads.
  public var timeCharacteristic = TimeCharacteristicPolicy.firstOfService
  /// What its clock does while it is off.
  public var clockBackup = ClockBackupPolicy.keepsRunning
  /// How it names records.
  public var identifier = IdentifierPolicy.trueDateUnique
  /// How it takes sound.
  public var recording = RecordingPolicy.faithful
  /// How it lists records.
  public var list = ListPolicy.faithful
  /// What it says of a record's size.
  public var fileInformation = FileInformationPolicy.exact
  /// How it sends a record.
  public var fileData = FileDataPolicy.faithful
  /// What it says of its file system.
  public var fileSystemStatus = FileSystemStatusPolicy.exact
  /// What it does about a record it does not have.
  public var unknownRecord = UnknownRecordPolicy.answersNotFound
  /// What a second request does while one is being served.
  public var secondRequest = SecondRequestPolicy.waits
  /// What a request that makes no sense does.
  public var badRequest = BadRequestPolicy.isIgnored
  /// What the end of a link does to a request that is being served.
  public var linkLoss = LinkLossPolicy.endsRequest
  /// What it does when the phone says that it has everything.
  public var receiveComplete = ReceiveCompletePolicy.confirmsAndDisconnects
  /// What a power cut does to its records.
  public var powerCut = PowerCutPolicy.keepsFinishedRecords
  /// Which records it may erase to make room.
  public var format = FormatPolicy.confirmedOnly
  /// What keeps it from switching itself off.
  public var powerOff = PowerOffPolicy.trafficKeepsAwake
  /// What happens to its records when a phone comes back.
  public var reconnection = ReconnectionPolicy.sameRecords

  /// What the buttonless DFU characteristic does.
  public var buttonless = ButtonlessPolicy.waitsForConfirmation
  /// What the bootloader gets wrong; decided when the recorder is made, since no update of the application changes it.
  public var bootloader = BootloaderPolicy.faithful
  /// What an update does to what the recorder owns; decided when the recorder is made.
  public var update = UpdatePolicy.keepsEverything

  /// The policies of the `reference` profile.
  public init() {}
}

/// When a recorder advertises.
public enum AdvertisingPolicy: Hashable, Sendable {
  /// From the start of Bluetooth until power-off, but for the time of a connection.
  case whileServing
  /// Never.
  case never
  /// Until the first connection of a power session ends.
  case untilFirstDisconnection
}

/// What the File Transfer Service needs of a link.
public enum AccessPolicy: Hashable, Sendable {
  /// An encrypted link.
  case encrypted
  /// Nothing.
  case open
}

/// What a recorder does when 0xAD is written to 0x10FE.
public enum UnpairingPolicy: Hashable, Sendable {
  /// Deletes all bonds; the link stays.
  case removesAllBonds
  /// Says so and keeps them.
  case keepsBonds
}

/// Where bonds live.
public enum BondMemoryPolicy: Hashable, Sendable {
  /// In flash: they outlive power cuts.
  case flash
  /// In memory: they are gone when power is.
  case untilPowerOff
  /// Nowhere for long: they are gone when the link is.
  case untilDisconnection
}

/// Whether a bonded phone is asked for encryption.
public enum SecurityRequestPolicy: Hashable, Sendable {
  /// A second after it connected, unless the link is encrypted by then.
  case afterDelay
  /// Never.
  case never
}

/// What a recorder says of its battery.
public enum BatteryReportPolicy: Hashable, Sendable {
  /// The level as measured; a change is notified.
  case truthful
  /// The level of the first measurement, for ever.
  case stuck
  /// The level as measured to who asks; a change is not notified.
  case neverNotifies
  /// One step more than measured.
  case oneStepHigh
}

/// What a recorder does with the phone's time.
public enum TimePolicy: Hashable, Sendable {
  /// Reads it and sets its clock, every time a link is secured.
  case takesEveryTime
  /// Reads it and does not set its clock.
  case ignores
  /// Reads it and sets its clock wrong by so many seconds.
  case shifted(seconds: Int64)
  /// Sets its clock the first time since it was made, and never again.
  case takesOnce
}

/// Which characteristic of the phone's Current Time Service is read.
public enum TimeCharacteristicPolicy: Hashable, Sendable {
  /// The first of the service, provided the service has Current Time: the loop of Nordic's SDK keeps that handle.
  case firstOfService
  /// Current Time itself.
  case currentTime
}

/// What the clock does while the recorder is off.
public enum ClockBackupPolicy: Hashable, Sendable {
  /// Runs on.
  case keepsRunning
  /// Stands still.
  case standsStill
}

/// How records are named.
public enum IdentifierPolicy: Hashable, Sendable {
  /// By the clock, a second later where the name is taken.
  case trueDateUnique
  /// As the record before.
  case repeatsPrevious
  /// By the clock with month modulo 12 and day modulo 31, as the published firmware does, taken or not.
  case foldedDate
}

/// How sound becomes a record.
public enum RecordingPolicy: Hashable, Sendable {
  /// Every frame once, from the first; the codec starts from silence and allows for its label.
  case faithful
  /// Without the last frames.
  case dropsLastFrames(Int)
  /// So many frames of silence before the first, as when a queue was not emptied.
  case startsWithStaleFrames(Int)
  /// The codec does not know that its label took the place of the first samples.
  case forgetsLabel
}

/// How records are listed.
public enum ListPolicy: Hashable, Sendable {
  /// All finished records in the order they were made.
  case faithful
  /// The announced number is wrong by so many.
  case countOff(by: Int)
  /// Without the newest record.
  case omitsNewest
  /// In reverse order.
  case reversed
  /// Parts after the first come on the characteristic of the first.
  case continuationOnFilesList
  /// With records that were never finished.
  case includesUnfinished
}

/// What is said of a record's size.
public enum FileInformationPolicy: Hashable, Sendable {
  /// The size.
  case exact
  /// So many octets more.
  case overstates(by: Int)
}

/// How a record is sent.
public enum FileDataPolicy: Hashable, Sendable {
  /// Every octet as stored.
  case faithful
  /// The lowest bit of the octet at this offset is turned.
  case flipsBit(at: Int)
  /// Nothing more after so many octets.
  case fallsSilent(after: Int)
  /// The link is ended after so many octets.
  case disconnects(after: Int)
  /// The packet that begins at this offset is left out.
  case skipsPacket(at: Int)
}

/// What is said of the file system.
public enum FileSystemStatusPolicy: Hashable, Sendable {
  /// The truth.
  case exact
  /// The room left is overstated by so many octets.
  case overstatesFree(by: Int)
}

/// What is done about a record that is not there.
public enum UnknownRecordPolicy: Hashable, Sendable {
  /// The phone gets general status 02.
  case answersNotFound
  /// The phone gets nothing.
  case isSilent
}

/// What a second request does while one is being served.
public enum SecondRequestPolicy: Hashable, Sendable {
  /// It waits its turn; only one can.
  case waits
  /// The service never answers again before power-off.
  case deafens
}

/// What a write to the control point does that is no request: an unknown opcode, a wrong length.
public enum BadRequestPolicy: Hashable, Sendable {
  /// Nothing.
  case isIgnored
  /// The service never answers again before power-off.
  case deafens
}

/// What the end of a link does to a request that is being served.
public enum LinkLossPolicy: Hashable, Sendable {
  /// It ends with the link.
  case endsRequest
  /// It is kept, and every later request is dropped.
  case deafens
}

/// What opcode 06 does.
public enum ReceiveCompletePolicy: Hashable, Sendable {
  /// Records that were sent whole are confirmed; the recorder disconnects.
  case confirmsAndDisconnects
  /// Nothing.
  case isIgnored
}

/// What a power cut does to records.
public enum PowerCutPolicy: Hashable, Sendable {
  /// Finished records stay; the unfinished one is skipped from then on.
  case keepsFinishedRecords
  /// All are gone at the next boot.
  case losesEverything
}

/// Which records may be erased to make room when the recorder switches itself off.
public enum FormatPolicy: Hashable, Sendable {
  /// All of them, once the phone confirmed all of them and the flash is nearly full.
  case confirmedOnly
  /// All of them, whenever something was sent and nothing confirmed.
  case unconfirmed
}

/// What keeps the recorder from switching itself off.
public enum PowerOffPolicy: Hashable, Sendable {
  /// A request that is being served, and what happened on the link lately.
  case trafficKeepsAwake
  /// Nothing: times count from boot, as without traffic.
  case ignoresTraffic
  /// It never does.
  case neverSwitchesOff
}

/// What happens to records when a phone comes back.
public enum ReconnectionPolicy: Hashable, Sendable {
  /// Nothing.
  case sameRecords
  /// Records that were sent before come back under other names.
  case renamesDeliveredRecords
}
