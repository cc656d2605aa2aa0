import DictofunProtocol

/// A recorder that is wrong on purpose, in one way: the suite must notice each.
public enum RecorderMutant: String, CaseIterable, Hashable, Sendable {
  /// It is never heard.
  case neverAdvertises = "never-advertises"
  /// It advertises once a second instead of eight times.
  case wrongAdvertisingInterval = "wrong-advertising-interval"
  /// Its advertisement does not name the File Transfer Service.
  case hidesItsService = "hides-its-service"
  /// After the first connection of a power session it is not heard again.
  case silentAfterDisconnect = "silent-after-disconnect"
  /// It answers strangers without encryption.
  case acceptsUnencrypted = "accepts-unencrypted"
  /// It does not unpair.
  case keepsBondsAfterUnpair = "keeps-bonds-after-unpair"
  /// It forgets its bonds with its power.
  case forgetsBonds = "forgets-bonds"
  /// It forgets its bonds when a link ends.
  case forgetsBondsAtDisconnect = "forgets-bonds-at-disconnect"
  /// It does not ask a bonded phone for encryption.
  case neverRequestsSecurity = "never-requests-security"
  /// Its battery level never changes.
  case batteryLevelStuck = "battery-level-stuck"
  /// It does not tell that its battery level changed.
  case batteryNeverNotifies = "battery-never-notifies"
  /// Its battery level is one step too high.
  case batteryLevelTooHigh = "battery-level-too-high"
  /// It serves on until its battery is flat.
  case batteryThresholdTooLow = "battery-threshold-too-low"
  /// It does not set its clock.
  case ignoresTime = "ignores-time"
  /// It sets its clock six seconds fast.
  case timeOffBySixSeconds = "time-off-by-six-seconds"
  /// It sets its clock at the first meeting only.
  case takesTimeOnce = "takes-time-once"
  /// Its clock stands still while it is off.
  case clockStandsStillWhileOff = "clock-stands-still-while-off"
  /// Two records have the same name.
  case identifierDuplicated = "identifier-duplicated"
  /// Records of December and of the 31st have no date.
  case identifierFolded = "identifier-folded"
  /// The list announces one record too many.
  case listCountOffByOne = "list-count-off-by-one"
  /// The newest record is not listed.
  case listOmitsNewest = "list-omits-newest"
  /// The list is in the wrong order.
  case listReversed = "list-reversed"
  /// The list goes on on the wrong characteristic.
  case listContinuationMisdirected = "list-continuation-misdirected"
  /// A record that was never finished is offered.
  case listsUnfinishedRecords = "lists-unfinished-records"
  /// A record is said to be longer than it is.
  case sizeOverstated = "size-overstated"
  /// One bit of a record is wrong.
  case dataByteFlipped = "data-byte-flipped"
  /// A packet in the middle of a record is never sent.
  case skipsPacket = "skips-packet"
  /// A transfer stops without a word.
  case stopsMidTransfer = "stops-mid-transfer"
  /// The link is ended in the middle of a transfer.
  case disconnectsMidTransfer = "disconnects-mid-transfer"
  /// The last fifth of a second of what was spoken is missing.
  case dropsLastFrames = "drops-last-frames"
  /// A record begins with what was not spoken.
  case sendsStaleFrames = "sends-stale-frames"
  /// A record has a lasting offset.
  case codecForgetsLabel = "codec-forgets-label"
  /// After a break in a transfer no request is answered.
  case deafAfterBreak = "deaf-after-break"
  /// After a second request no request is answered.
  case deafAfterSecondRequest = "deaf-after-second-request"
  /// After a request it cannot understand no request is answered.
  case deafAfterBadRequest = "deaf-after-bad-request"
  /// A request for a record it does not have is not answered.
  case silentAboutUnknownRecords = "silent-about-unknown-records"
  /// The room that is left is overstated.
  case freeSpaceOverstated = "free-space-overstated"
  /// It does not end the session.
  case ignoresReceiveComplete = "ignores-receive-complete"
  /// Records that the phone has come back under other names.
  case resurrectsAfterReconnect = "resurrects-after-reconnect"
  /// A power cut costs all records.
  case losesRecordsAtPowerCut = "loses-records-at-power-cut"
  /// It erases what the phone never confirmed.
  case erasesUnconfirmed = "erases-unconfirmed"
  /// It switches itself off in the middle of a transfer.
  case sleepsMidTransfer = "sleeps-mid-transfer"
  /// It never switches itself off.
  case neverSleeps = "never-sleeps"
  /// It is heard five seconds too late.
  case wakesLate = "wakes-late"
  /// It begins to record a second after the button was pressed.
  case recordsLate = "records-late"
  /// It refuses to send longer packets.
  case smallTransmissionUnit = "small-transmission-unit"
  /// An update costs all records.
  case updateErasesRecords = "update-erases-records"
  /// An update costs all bonds.
  case updateForgetsBonds = "update-forgets-bonds"
  /// An update sets its clock back to 2000.
  case updateLosesTime = "update-loses-time"
  /// Its bootloader takes older versions than the installed one.
  case bootloaderAcceptsDowngrade = "bootloader-accepts-downgrade"
  /// Its bootloader looks at no signature.
  case bootloaderSkipsSignature = "bootloader-skips-signature"
  /// Its bootloader does not compare an image with the digest in its init packet.
  case bootloaderSkipsHash = "bootloader-skips-hash"
  /// Its bootloader advertises from the application's address.
  case bootloaderKeepsAddress = "bootloader-keeps-address"
  /// Its bootloader is never heard.
  case bootloaderNeverAdvertises = "bootloader-never-advertises"
  /// The checksums that its bootloader states are wrong.
  case bootloaderLiesAboutChecksum = "bootloader-lies-about-checksum"
  /// Its bootloader waits for a client for ever.
  case bootloaderNeverTimesOut = "bootloader-never-times-out"
  /// It resets into its bootloader without waiting for the confirmation.
  case buttonlessWithoutConfirmation = "buttonless-without-confirmation"
  /// It resets into its bootloader for a client that has not enabled indications.
  case buttonlessWithoutIndications = "buttonless-without-indications"
  /// Its bootloader starts an image that is not whole.
  case bootloaderStartsBrokenImage = "bootloader-starts-broken-image"

  /// Puts the fault into a profile.
  public func apply(_ profile: inout RecorderProfile) {
    switch self {
    case .neverAdvertises: profile.policies.advertising = .never
    case .wrongAdvertisingInterval: profile.advertisingIntervalSlots = 1600
    case .hidesItsService: profile.advertisingData = [0x02, 0x01, 0x06, 0x05, 0x08] + Array("dict".utf8)
    case .silentAfterDisconnect: profile.policies.advertising = .untilFirstDisconnection
    case .acceptsUnencrypted: profile.policies.access = .open
    case .keepsBondsAfterUnpair: profile.policies.unpairing = .keepsBonds
    case .forgetsBonds: profile.policies.bondMemory = .untilPowerOff
    case .forgetsBondsAtDisconnect: profile.policies.bondMemory = .untilDisconnection
    case .neverRequestsSecurity: profile.policies.securityRequest = .never
    case .batteryLevelStuck: profile.policies.batteryReport = .stuck
    case .batteryNeverNotifies: profile.policies.batteryReport = .neverNotifies
    case .batteryLevelTooHigh: profile.policies.batteryReport = .oneStepHigh
    case .batteryThresholdTooLow: profile.lowBatteryMillivolts = 2000
    case .ignoresTime: profile.policies.time = .ignores
    case .timeOffBySixSeconds: profile.policies.time = .shifted(seconds: 6)
    case .takesTimeOnce: profile.policies.time = .takesOnce
    case .clockStandsStillWhileOff: profile.policies.clockBackup = .standsStill
    case .identifierDuplicated: profile.policies.identifier = .repeatsPrevious
    case .identifierFolded: profile.policies.identifier = .foldedDate
    case .listCountOffByOne: profile.policies.list = .countOff(by: 1)
    case .listOmitsNewest: profile.policies.list = .omitsNewest
    case .listReversed: profile.policies.list = .reversed
    case .listContinuationMisdirected: profile.policies.list = .continuationOnFilesList
    case .listsUnfinishedRecords: profile.policies.list = .includesUnfinished
    case .sizeOverstated: profile.policies.fileInformation = .overstates(by: RecordAudio.octetsPerFrame)
    default: applyToTransferAndPower(&profile)
    }
  }

  /// The second half of the table.
  private func applyToTransferAndPower(_ profile: inout RecorderProfile) {
    switch self {
    case .dataByteFlipped: profile.policies.fileData = .flipsBit(at: 300)
    case .skipsPacket: profile.policies.fileData = .skipsPacket(at: FileDataLayout.blockLength)
    case .stopsMidTransfer: profile.policies.fileData = .fallsSilent(after: 1024)
    case .disconnectsMidTransfer: profile.policies.fileData = .disconnects(after: 1024)
    case .dropsLastFrames: profile.policies.recording = .dropsLastFrames(25)
    case .sendsStaleFrames: profile.policies.recording = .startsWithStaleFrames(4)
    case .codecForgetsLabel: profile.policies.recording = .forgetsLabel
    case .deafAfterBreak: profile.policies.linkLoss = .deafens
    case .deafAfterSecondRequest: profile.policies.secondRequest = .deafens
    case .deafAfterBadRequest: profile.policies.badRequest = .deafens
    case .silentAboutUnknownRecords: profile.policies.unknownRecord = .isSilent
    case .freeSpaceOverstated: profile.policies.fileSystemStatus = .overstatesFree(by: FileSystemGeometry.pageBytes)
    case .ignoresReceiveComplete: profile.policies.receiveComplete = .isIgnored
    case .resurrectsAfterReconnect: profile.policies.reconnection = .renamesDeliveredRecords
    case .losesRecordsAtPowerCut: profile.policies.powerCut = .losesEverything
    case .erasesUnconfirmed: profile.policies.format = .unconfirmed
    case .sleepsMidTransfer: profile.policies.powerOff = .ignoresTraffic
    case .neverSleeps: profile.policies.powerOff = .neverSwitchesOff
    case .wakesLate:
      profile.timing.bootToBluetooth += 5 * 1024
      profile.timing.closeRecord += 5 * 1024
    case .recordsLate: profile.timing.createRecord += 1024
    case .smallTransmissionUnit: profile.maximumTransmissionUnit = 23
    default: applyToUpdates(&profile.policies)
    }
  }

  /// The faults of updates.
  private func applyToUpdates(_ policies: inout RecorderPolicies) {
    switch self {
    case .updateErasesRecords: policies.update = .erasesRecords
    case .updateForgetsBonds: policies.update = .forgetsBonds
    case .updateLosesTime: policies.update = .losesTime
    case .bootloaderAcceptsDowngrade: policies.bootloader = .acceptsDowngrade
    case .bootloaderSkipsSignature: policies.bootloader = .skipsSignature
    case .bootloaderSkipsHash: policies.bootloader = .skipsDigest
    case .bootloaderKeepsAddress: policies.bootloader = .keepsAddress
    case .bootloaderNeverAdvertises: policies.bootloader = .neverAdvertises
    case .bootloaderLiesAboutChecksum: policies.bootloader = .liesAboutChecksum
    case .bootloaderNeverTimesOut: policies.bootloader = .neverTimesOut
    case .buttonlessWithoutConfirmation: policies.buttonless = .resetsWithoutConfirmation
    case .buttonlessWithoutIndications: policies.buttonless = .acceptsWithoutIndications
    case .bootloaderStartsBrokenImage: policies.bootloader = .startsBrokenImage
    default: preconditionFailure("\(rawValue) is in another part of the table")
    }
  }
}
