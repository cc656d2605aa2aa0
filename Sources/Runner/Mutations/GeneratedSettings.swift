import Bytes
import Controllers
import HostStack
import Recorder
import SecureDFU
import World

extension GeneratedFault {
  private static func profile(
    _ name: String, _ requirement: String, _ change: @escaping @Sendable (inout RecorderProfile) -> Void
  ) -> GeneratedFault { GeneratedFault(name, "recorder settings", requirement, .profile(change)) }

  private static func recorder(
    _ name: String, _ requirement: String, _ change: @escaping @Sendable (inout RecorderConfiguration) -> Void
  ) -> GeneratedFault { GeneratedFault(name, "recorder settings", requirement, .recorder(change)) }

  /// What a recorder is made with.
  static let ofSettings: [GeneratedFault] = [
    profile("it answers another name", "DEV-12") { $0.deviceName = "dictofun_v1.5" },
    profile("two places for notifications", "DEV-12") { $0.notificationPlaces = 2 },
    profile("sixteen places for notifications", "DEV-12") { $0.notificationPlaces = 16 },
    profile("a microphone 2 % slow", "DEV-5") { $0.sampleRate = 15_680 },
    profile("a microphone 2 % fast", "DEV-5") { $0.sampleRate = 16_320 },
    profile("a microphone at half speed", "DEV-5") { $0.sampleRate = 8000 },
    profile("the time is read where it is", "APP-1.3.2") { $0.policies.timeCharacteristic = .currentTime },
    recorder("it keeps no bonds", "DEV-10") { $0.security.bonding = false },
    recorder("it pairs with Secure Connections only", "DEV-10") { $0.security.secureConnectionsOnly = true },
    recorder("it offers keys of 7 octets", "DEV-10") { $0.security.maximumKeySize = 7 },
    recorder("it demands keys of 16 octets", "DEV-10") { $0.security.minimumKeySize = 16 },
    recorder("its clock gains 200 ppm", "DEV-8") { $0.clockErrorPartsPerBillion += 200_000 },
    recorder("its clock loses 200 ppm", "DEV-8") { $0.clockErrorPartsPerBillion -= 200_000 },
    recorder("its crystal gains 10 %", "DEV-9") { $0.tickErrorPartsPerBillion += 100_000_000 },
    recorder("its crystal loses 10 %", "DEV-9") { $0.tickErrorPartsPerBillion -= 100_000_000 },
    recorder("its battery is empty", "DEV-7") { $0.batteryMillivolts = 2500 },
    recorder("it never sleeps", "DEV-9") { $0.staysAwake = true },
    recorder("it lost its records", "DEV-3") { $0.records = [] },
    recorder("it lost its newest record", "DEV-3") { $0.records = $0.records.dropLast() },
    recorder("it lost its bonds", "DEV-10") { $0.bonds = [] },
  ]

  private static func bootloader(
    _ name: String, _ requirement: String, _ change: @escaping @Sendable (inout BootloaderBuild) -> Void
  ) -> GeneratedFault {
    GeneratedFault(name, "bootloader", requirement, .recorder { change(&$0.firmware.build) })
  }

  private static func firmware(
    _ name: String, _ requirement: String, _ change: @escaping @Sendable (inout RecorderFirmware) -> Void
  ) -> GeneratedFault { GeneratedFault(name, "bootloader", requirement, .recorder { change(&$0.firmware) }) }

  /// How a bootloader was built, and its flash.
  static let ofBootloaders: [GeneratedFault] = [
    bootloader("built for other hardware", "DEV-11") { $0.hardwareVersion = 51 },
    bootloader("built for another SoftDevice", "DEV-11") { $0.softDeviceIdentifier = 0xB6 },
    bootloader("built without signatures", "DEV-11") { $0.requiresSignature = false },
    bootloader("built with downgrades", "DEV-11") { $0.preventsDowngrade = false },
    bootloader("built without the same version", "DEV-11") { $0.acceptsSameVersion = false },
    bootloader("built without checking images", "DEV-11") { $0.checksImage = false },
    bootloader("built to start what is not in place", "DEV-11") { $0.installsBeforeStarting = false },
    bootloader("built to keep its name", "DEV-12") { $0.forgetsName = false },
    bootloader("built to keep acceptance", "DEV-11") { $0.forgetsAcceptance = false },
    bootloader("built to save progress", "DEV-12") { $0.savesProgress.toggle() },
    bootloader("built with all requests", "DEV-12") { $0.isReduced.toggle() },
    bootloader("built as the other kind", "DEV-11") { $0.isDebug.toggle() },
    bootloader("built without assertions", "DEV-12") { $0.asserts.toggle() },
    bootloader("built without leaks", "DEV-12") { $0.leaksBuffers.toggle() },
    bootloader("built with another name", "DEV-12") { $0.advertisedName = "DfuTarg" },
    bootloader("built with half the patience", "DEV-11") { $0.inactivityTimeout /= 2 },
    bootloader("built with double patience", "DEV-11") { $0.inactivityTimeout *= 2 },
    bootloader("built with five places for the flash", "DEV-11") { $0.flashQueueLimit = 5 },
    bootloader("built for small images", "DEV-11") { $0.applicationDataSize = 0x48000 },
    firmware("a flash ten times as slow to erase", "DEV-11") { $0.timing.erase *= 10 },
    firmware("a flash ten times as slow to write", "DEV-11") { $0.timing.word *= 10 },
    firmware("a damaged page of settings", "DEV-11") { $0.damagedSettings = [.primary, .backup] },
    firmware("an older application", "APP-1.4.3") { $0.version = 0 },
    firmware("a newer application", "APP-1.4.3") { $0.version += 7 },
    firmware("no application", "DEV-11") { $0.image = nil },
  ]

  private static func controllers(
    _ side: MediumSide, _ name: String, _ requirement: String,
    _ change: @escaping @Sendable (inout ControllerProfile) -> Void
  ) -> GeneratedFault {
    let party = side == .phone ? "phone" : "recorder"
    return GeneratedFault("\(party)'s controller: \(name)", "controllers", requirement, .controllers(side, change))
  }

  /// What controllers are like.
  static let ofControllers: [GeneratedFault] = [MediumSide.phone, .recorder].flatMap { side in
    [
      controllers(side, "no longer packets", "APP-1.2") { $0.features.remove(.dataPacketLengthExtension) },
      controllers(side, "no 2M", "APP-1.2") { $0.features.remove(.phy2M) },
      controllers(side, "no encryption", "DEV-10") { $0.features.remove(.encryption) },
      controllers(side, "a clock 1,000 ppm slow", "DEV-13") { $0.clockErrorPartsPerMillion = 1000 },
      controllers(side, "a clock 1,000 ppm fast", "DEV-13") { $0.clockErrorPartsPerMillion = -1000 },
      controllers(side, "one packet in an event", "APP-1.2") { $0.receiveLimit = 1 },
      controllers(side, "100 ms to its host", "APP-1.2") { $0.controllerToHostLatency = .milliseconds(100) },
      controllers(side, "100 ms from its host", "APP-1.2") { $0.hostToControllerLatency = .milliseconds(100) },
      controllers(side, "events of 2 ms", "APP-1.2") { $0.timing.eventLength = .milliseconds(2) },
      controllers(side, "a weak transmitter", "APP-1.1") { $0.transmitPower = -60 },
      controllers(side, "small buffers", "APP-1.2") { $0.bufferOctets = 27 },
      controllers(side, "one buffer", "APP-1.2") { $0.bufferCount = 1 },
    ]
  }
}
