import Controllers

/// What a step can do with the medium between a phone and a recorder.
public protocol AirControl: AnyObject {
  /// Loses packets at random: this many per million, in the directions named.
  func lose(partsPerMillion: UInt32, _ direction: AirDirection) throws(ControlFailure)
  /// Packets per million that are lost at random, in each direction.
  var loss: (toRecorder: UInt32, toPhone: UInt32) { get }
  /// Loses packets in bursts, in the directions named; `nil` ends it.
  func loseInBursts(_ burst: BurstLoss?, _ direction: AirDirection) throws(ControlFailure)
  /// Spoils packets of everybody at a steady pace, as a microwave oven does; `nil` ends it.
  func interfere(_ interference: Interference?) throws(ControlFailure)
  /// Lets nothing through for `duration`, beginning after `delay`.
  func blackOut(after delay: Duration, for duration: Duration) throws(ControlFailure)
  /// Lets nothing through until ``resume()`` or ``mend()``.
  func interrupt() throws(ControlFailure)
  /// Ends an interruption, and nothing else that costs packets.
  func resume() throws(ControlFailure)
  /// Whether an interruption lasts.
  var isInterrupted: Bool { get }
  /// Undoes every loss, interference, blackout and interruption; the distance stays.
  func mend() throws(ControlFailure)
  /// Lets somebody listen to every connection that begins from now on, who hears everything and sends nothing. What he
  /// learns the world states.
  func eavesdrop() throws(ControlFailure)
  /// Sets the distance between phone and recorder, in millimetres.
  func setDistance(millimetres: Int) throws(ControlFailure)
}

/// Which way packets travel.
public enum AirDirection: Hashable, Sendable {
  /// From phones to recorders.
  case toRecorder
  /// From recorders to phones.
  case toPhone
  /// Both ways.
  case both
}
