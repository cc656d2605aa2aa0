import DictofunProtocol
import Phone

/// A state in which a scenario wants a recorder to begin.
package enum Wish: Hashable, Sendable {
  /// Booted just now, without a press; or off.
  case power(Bool)
  /// The battery that the recorder reports, in millivolts.
  case battery(millivolts: Int)
  /// Its clock shows this civil local time.
  case clock(LocalSeconds)
  /// A bootloader that takes packages of the public test key, and an application of version 1.
  case firmware

  /// The ability that it takes.
  package var ability: Ability { deed.purpose.ability }

  /// The deed that brings the recorder into this state.
  var deed: Deed {
    switch self {
    case .power(true): .powerOn
    case .power(false): .cutPower
    case .battery(let millivolts): .setBattery(millivolts: millivolts)
    case .clock(let seconds): .setClock(seconds)
    case .firmware: .installFirmware
    }
  }

  /// Seconds since 1970 of a civil local time.
  static func secondsSince1970(_ seconds: LocalSeconds) -> Int64 { seconds + CivilTime.secondsTo2000 }
}
