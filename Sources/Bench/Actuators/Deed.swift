import DictofunProtocol
import Phone
import ScenarioLanguage

/// Something that is done to a recorder.
package enum Deed: Hashable, Sendable {
  /// Press the button and keep it pressed.
  case press
  /// Let the button go.
  case release
  /// Give the supply.
  case powerOn
  /// Take the supply away.
  case cutPower
  /// Let the recorder report this battery, in millivolts.
  case setBattery(millivolts: Int)
  /// Set its clock to this civil local time.
  case setClock(LocalSeconds)
  /// Erase all records; the recorder is awake afterwards.
  case eraseRecords
  /// Make it forget its bonds.
  case forgetBonds
  /// Write the bootloader with the public test key, and an application of version 1.
  case installFirmware

  /// What kind of deed it is.
  var purpose: Purpose {
    switch self {
    case .press: .press
    case .release: .release
    case .powerOn: .powerOn
    case .cutPower: .cutPower
    case .setBattery: .setBattery
    case .setClock: .setClock
    case .eraseRecords: .eraseRecords
    case .forgetBonds: .forgetBonds
    case .installFirmware: .installFirmware
    }
  }
}

/// A kind of deed, as the bench file names it.
package enum Purpose: String, FieldChoice, Hashable, CaseIterable {
  case press
  case release
  case powerOn = "power-on"
  case cutPower = "cut-power"
  case setBattery = "set-battery"
  case setClock = "set-clock"
  case eraseRecords = "erase-records"
  case forgetBonds = "forget-bonds"
  case installFirmware = "install-firmware"

  package var meaning: String {
    switch self {
    case .press: "Press the button and keep it pressed."
    case .release: "Release the button."
    case .powerOn: "Switch the supply on."
    case .cutPower: "Switch the supply off."
    case .setBattery:
      "Set the voltage; in an argument `%millivolts` stands for the voltage at the terminals, `%reported` for the one that "
        + "the recorder is to report."
    case .setClock: "Set the clock; in an argument `%seconds` stands for seconds since 1970 of local time."
    case .eraseRecords: "Erase all records, and let the recorder boot with none."
    case .forgetBonds: "Make the recorder forget its bonds."
    case .installFirmware: Ability.firmware.meaning
    }
  }

  /// The ability to which this kind of deed belongs.
  package var ability: Ability {
    switch self {
    case .press, .release: .button
    case .powerOn, .cutPower: .rail
    case .setBattery: .battery
    case .setClock: .clock
    case .eraseRecords: .storage
    case .forgetBonds: .bonds
    case .installFirmware: .firmware
    }
  }
}

/// Something a bench can do to a recorder. The raw value is the capability's name in scenarios.
package enum Ability: String, FieldChoice, Hashable, Sendable, CaseIterable {
  case button
  case rail
  case battery
  case clock
  case storage
  case bonds
  case firmware

  package var meaning: String {
    switch self {
    case .button: "Press and release the button."
    case .rail: "Switch the supply on and off."
    case .battery: "Set the voltage of the battery."
    case .clock: "Set the clock."
    case .storage: "Erase the records; new ones are made with the button."
    case .bonds: "Make the recorder forget its bonds."
    case .firmware: "Write the bootloader with the public test key, and an application of version 1."
    }
  }

  /// As reports name it: `actuators: button`.
  package var capability: String { "actuators: \(rawValue)" }

  /// The deeds that somebody must do who has this ability.
  var purposes: [Purpose] { Purpose.allCases.filter { $0.ability == self } }
}
