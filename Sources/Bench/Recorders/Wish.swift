import DictofunProtocol
import Phone

/// A state in which a scenario wants a recorder to begin.
public enum Wish: Hashable, Sendable {
  /// Booted just now, without a press; or off.
  case power(Bool)
  /// So many millivolts at the battery's terminals.
  case battery(millivolts: Int)
  /// Its clock shows this civil local time.
  case clock(LocalSeconds)
  /// A bootloader that takes packages of the public test key, and an application of version 1.
  case firmware

  /// What it takes.
  public var ability: Ability {
    switch self {
    case .power: .rail
    case .battery: .battery
    case .clock: .clock
    case .firmware: .firmware
    }
  }

  /// What the operator is asked for, at a recorder's place.
  func request(at place: RecorderPlace) -> String {
    switch self {
    case .power(true): "Switch the recorder's supply off and on, so that it is awake without a press."
    case .power(false): "Take the recorder's power away."
    case .battery(let millivolts): Self.request(battery: millivolts, at: place)
    case .clock(let seconds): "Set the recorder's clock to \(CivilTime(secondsSince2000: seconds))."
    case .firmware: Ability.firmware.meaning
    }
  }

  private static func request(battery millivolts: Int, at place: RecorderPlace) -> String {
    let reported = SCPINumber.volts(millivolts)
    let actual = max(0, place.calibration.actual(reported: millivolts))
    return place.isCalibrated
      ? "Set the battery's terminals to \(SCPINumber.volts(actual)) V, at which the recorder reports \(reported) V."
      : "Set the battery so that the recorder reports \(reported) V "
        + "(about \(SCPINumber.volts(actual).dropLast()) V at its terminals)."
  }

  /// Seconds since 1970 of a civil local time.
  static func secondsSince1970(_ seconds: LocalSeconds) -> Int64 { seconds + CivilTime.secondsTo2000 }
}
