import Bytes
import DictofunProtocol

/// What only a simulated world can know; it stands in no packet and in no capture.
///
/// Recorders and phones are named by their index in the scenario.
public enum OracleEvent: Sendable {
  /// How far the recorder's clock is ahead of the local time of its phone. To be stated so long after every time read
  /// as ``settling`` says, and whenever a scenario asks.
  case recorderClock(recorder: UInt16, phone: UInt16, aheadBy: Duration)
  /// Somebody set a recorder's clock by hand.
  case clockSetByHand(recorder: UInt16)
  /// A record was begun: its identifier, what the recorder's clock showed then, and the finished records that it had, whose
  /// names were taken. Not for records that were placed in storage before time 0, whose identifiers are not checked.
  indirect case recordBegun(recorder: UInt16, RecordIdentifier, clock: CivilTime, held: [RecordIdentifier] = [])
  /// A record was finished with this number of octets, or placed in storage.
  case recordFinished(recorder: UInt16, RecordIdentifier, octets: UInt32)
  /// The user of a phone removed a record of this size from the library.
  case recordDeleted(phone: UInt16, RecordIdentifier, octets: UInt32)
  /// The button went down.
  case buttonPressed(recorder: UInt16)
  /// The button came up.
  case buttonReleased(recorder: UInt16)
  /// The recorder was switched on or off, by itself or from outside.
  case recorderPowered(recorder: UInt16, isOn: Bool)
  /// The recorder will not serve for a reason its documents give: flat battery, full or corrupt memory.
  case recorderCannotServe(recorder: UInt16, reason: String)
  /// A phone showed its user how much of a record has arrived, in octets.
  case progressShown(phone: UInt16, RecordIdentifier, received: UInt32, total: UInt32)
  /// A phone told its user that the recorder's battery is low, in percent.
  case lowBatteryShown(phone: UInt16, percent: UInt8)
  /// A phone forgot its bond.
  case bondForgotten(phone: UInt16)
  /// A recorder made a bond with a phone of this address, when it had this number of bonds with others.
  case bondMade(recorder: UInt16, BluetoothAddress, others: Int)
  /// A recorder did not pair with a phone, because it has this number of owners.
  case pairingRefused(recorder: UInt16, owners: Int)
  /// A phone of this address told a recorder to unpair.
  case unpairTold(recorder: UInt16, BluetoothAddress)
  /// A recorder deleted its bonds with these addresses because it was told to unpair.
  case bondsRemoved(recorder: UInt16, [BluetoothAddress])
  /// A phone has a record whole in its library.
  case recordStored(phone: UInt16, RecordIdentifier, octets: UInt32)
  /// A phone shows its user this number of new records.
  case newRecordsShown(phone: UInt16, count: UInt32)
  /// What a phone shows about its connection changed.
  case statusShown(phone: UInt16, ShownStatus)
  /// A recorder's state machine moved to a state, in the firmware's words.
  case recorderState(recorder: UInt16, name: String)
  /// The scenario keeps a recorder from switching itself off, from its start on.
  case keptAwake(recorder: UInt16)
  /// The voltage of a recorder's battery, in millivolts: stated when it is switched on, and with every change.
  case batteryVoltage(recorder: UInt16, millivolts: Int)
  /// Somebody deleted a recorder's bonds by hand.
  case bondsForgottenByHand(recorder: UInt16)
  /// Somebody erased all of a recorder's records by hand, as at its console.
  case recordsErasedByHand(recorder: UInt16)
  /// Finished records that a recorder had are not in its memory any more, and nobody erased them by hand.
  case recordsGone(recorder: UInt16, [RecordIdentifier])
  /// Whether the air loses nothing: stated at the beginning, and when that ends.
  case air(isClear: Bool)
  /// What somebody learnt who only listens to the air.
  case overheard(Overheard)
  /// Something about firmware and its update.
  case update(UpdateOracle)
  /// Something about the firmware image that a recorder's chip executes.
  case execution(ExecutionOracle)

  /// What a listener learnt.
  public enum Overheard: Hashable, Sendable {
    /// A pairing, and whether it gave its key away.
    case pairing(isReadable: Bool)
    /// A whole record of this size; `nil` where its request was not heard.
    case record(RecordIdentifier?, octets: UInt32)
  }

  /// What a phone shows about its connection.
  public enum ShownStatus: String, Hashable, Sendable {
    /// No recorder is connected, and none is sought.
    case disconnected
    /// The phone listens for its recorder.
    case searching
    /// The connection is being made.
    case connecting
    /// The link is there, in clear.
    case connected
    /// The link is encrypted.
    case secured
  }

  /// Who took part, by number.
  public enum Party: Hashable, Sendable {
    /// A phone.
    case phone(UInt16)
    /// A recorder.
    case recorder(UInt16)
    /// What is between them.
    case air
  }

  /// Whose event it is.
  public var party: Party {
    switch self {
    case .recorderClock(let recorder, _, _), .recordBegun(let recorder, _, _, _), .recordFinished(let recorder, _, _),
      .buttonPressed(let recorder), .buttonReleased(let recorder), .recorderPowered(let recorder, _),
      .recorderCannotServe(let recorder, _), .recorderState(let recorder, _), .clockSetByHand(let recorder),
      .bondMade(let recorder, _, _),
      .pairingRefused(let recorder, _), .unpairTold(let recorder, _), .bondsRemoved(let recorder, _),
      .keptAwake(let recorder), .batteryVoltage(let recorder, _), .bondsForgottenByHand(let recorder),
      .recordsErasedByHand(let recorder), .recordsGone(let recorder, _):
      .recorder(recorder)
    case .air, .overheard: .air
    case .recordDeleted(let phone, _, _), .progressShown(let phone, _, _, _), .lowBatteryShown(let phone, _),
      .bondForgotten(let phone), .recordStored(let phone, _, _), .statusShown(let phone, _),
      .newRecordsShown(let phone, _):
      .phone(phone)
    case .update(let update): update.party
    case .execution(let execution): execution.party
    }
  }

  /// How long after a time read the world states the recorder's clock: time for the recorder to set it.
  public static let settling: Duration = .seconds(1)
}
