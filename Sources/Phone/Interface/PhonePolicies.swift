/// What a phone does where the published application and the repaired reference differ: one decision, one value.
///
/// The initial values are the reference's. What no published application does, and a suite must notice, is not a policy
/// but a ``PhoneFault``.
package struct PhonePolicies: Hashable, Sendable {
  /// When it writes the next request after an answer.
  package var settling = SettlingPolicy.waits
  /// When it writes client configurations of the File Transfer Service.
  package var enabling = EnablingPolicy.onceForAll
  /// How long it waits for an answer of the File Transfer Service.
  package var patience = PatiencePolicy.isLimited
  /// When it reads the battery first.
  package var batteryOrder = BatteryOrderPolicy.beforeFiles
  /// How many times it learns the battery level of one connection.
  package var batteryPeriod = BatteryPeriodPolicy.everyMinute
  /// What a low battery does to its requests.
  package var lowBattery = LowBatteryPolicy.stopsRequests
  /// What it does after a list without new records.
  package var nothingNew = NothingNewPolicy.endsMeeting

  /// The policies of the reference.
  package init() {}
}

/// When a phone writes the next request after an answer.
package enum SettlingPolicy: Hashable, Sendable {
  /// After the time in which the recorder closes the file (``PhoneTimeouts/settle``).
  case waits
  /// At once, from the handler of the last notification, as the published application does.
  case doesNotWait
}

/// When a phone writes client configurations of the File Transfer Service.
package enum EnablingPolicy: Hashable, Sendable {
  /// Before its first request, all of them; they stay as long as the link.
  case onceForAll
  /// Before each request, those of its answer. Before the file system status it disables lists, info and data, as the
  /// published application does.
  case asNeeded
}

/// How long a phone waits for an answer of the File Transfer Service.
package enum PatiencePolicy: Hashable, Sendable {
  /// As ``PhoneTimeouts`` says; then it gives the request up.
  case isLimited
  /// Until the link ends, as the published application does. A GATT procedure still ends after the thirty seconds of the
  /// stack.
  case isUnlimited
}

/// When a phone reads the battery first.
package enum BatteryOrderPolicy: Hashable, Sendable {
  /// Before any other service is used (requirement APP-1.3.1.1).
  case beforeFiles
  /// After the first request for files was written, as the published application does.
  case afterFirstRequest
}

/// How many times a phone learns the battery level of one connection.
package enum BatteryPeriodPolicy: Hashable, Sendable {
  /// At least every minute, by notifications and reads (requirement APP-1.3.1).
  case everyMinute
  /// Once, as the published application does.
  case onlyOnce
}

/// What a low battery does to a phone's requests.
package enum LowBatteryPolicy: Hashable, Sendable {
  /// Nothing but the battery is asked for (requirement APP-1.3.1.3).
  case stopsRequests
  /// Nothing, as with the published application.
  case isIgnored
}

/// What a phone does after a list without new records.
package enum NothingNewPolicy: Hashable, Sendable {
  /// It compares the sizes of records that it knows, and ends the meeting as any other.
  case endsMeeting
  /// It says nothing more and keeps the link, as the published application does.
  case saysNothing
}
