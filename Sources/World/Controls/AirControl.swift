/// What a step can do with the medium between a phone and a recorder.
public protocol AirControl: AnyObject {
  /// Loses packets at random: this many per million, in the directions named.
  func lose(partsPerMillion: UInt32, _ direction: AirDirection) throws(ControlFailure)
  /// Lets nothing through until ``mend()``.
  func interrupt() throws(ControlFailure)
  /// Undoes every loss and interruption.
  func mend() throws(ControlFailure)
  /// Puts phone and recorder so far apart, in millimetres.
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
