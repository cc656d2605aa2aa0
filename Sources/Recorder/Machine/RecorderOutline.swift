import DictofunProtocol
import Timeline

/// What became of a record on the recorder.
package struct RecordFate: Hashable, Sendable {
  /// Its name.
  package var identifier: RecordIdentifier
  /// Its octets.
  package var content: [UInt8]
  /// Whether all of it was sent at least once.
  package var isDelivered: Bool
  /// Whether a phone said that it has everything, after this was sent.
  package var isConfirmed: Bool
}

extension ModelledRecorder {
  /// Its finished records, in the order they were made, and what became of each.
  package var fates: [RecordFate] {
    application.body.storage.finished.map {
      RecordFate(
        identifier: $0.identifier, content: $0.content, isDelivered: $0.isDelivered, isConfirmed: $0.isConfirmed)
    }
  }

  /// Whether a pass of its file transfer engine is due at some time.
  package var awaitsPass: Bool {
    application.isOn && application.isBluetoothRunning && application.fileTransfer.dueTick != nil
  }

  /// How many requests its file transfer serves or keeps: 0 to 2.
  package var requestCount: Int { application.fileTransfer.requestCount }

  /// What its file transfer will do, in words, with times counted from this instant.
  ///
  /// Two recorders of one configuration with the same words answer the same from then on, as long as nobody uses their
  /// button, their battery stays as it is and they do not switch themselves off.
  package func outline(at instant: Instant) -> String {
    let application = application
    let tick = application.oscillator.tick(at: instant)
    let waiting = application.waitingEvents.isEmpty ? "" : " late \(application.waitingEvents.count)"
    let faults = application.profile.faults
    // What only some faults remember.
    let isMet = application.body.hasBeenConnected && faults.storage.renamesDeliveredRecords
    let isParted =
      application.hasEndedConnection && (faults.advertising.endsWithFirstConnection || faults.clock.asksOnce)
    let past = "\(isMet ? " met" : "")\(isParted ? " parted" : "")"
    let records = application.body.storage.entries.map {
      "\($0.isDelivered ? "d" : "-")\($0.isConfirmed ? "c" : "-")"
    }
    return "\(application.state) \(records.joined(separator: " "))\(waiting)\(past), "
      + "\(application.softDevice.outline), \(application.fileTransfer.outline(at: tick))"
  }
}

extension ModelledSoftDevice {
  /// What it knows of its link, in words, without handles and numbers that only have to differ.
  var outline: String {
    guard let link else { return isAdvertising ? "advertising" : "silent" }
    return "link \(link.maximumTransmissionUnit) enabled \(enabledNotifications) sent \(notificationsOnTheirWay)"
  }
}
