import Recorder

extension GeneratedFault {
  /// One number of a recorder's faults, and other values for it.
  private static func values<Number: BinaryInteger & Sendable>(
    _ subject: String, _ requirement: String, _ name: String, _ values: [Number],
    _ set: @escaping @Sendable (inout RecorderFaults, Number) -> Void
  ) -> [GeneratedFault] {
    values.map { value in
      GeneratedFault("\(name): \(value)", subject, requirement, .profile { set(&$0.faults, value) })
    }
  }

  /// Every number in a fault of the recorder with several values.
  static let ofValues: [GeneratedFault] =
    ofAnswers + ofRecords + ofSound + ofBattery + ofClock + ofPower + ofLinks + ofLights

  private static let ofAnswers: [GeneratedFault] =
    values("answers", "APP-1.2.1", "records too many in the list", [-2, -1, 1, 2, 250]) { $0.list.countOffset = $1 }
    + values("answers", "DEV-12", "octets too many in a stated size", [-64, -1, 1, 63, 4096]) {
      $0.transfer.sizeExcess = $1
    }
    + values("answers", "DEV-12", "octets too many in the free space", [1, 64, 4096, 65_536]) {
      $0.transfer.freeSpaceExcess = $1
    }
    + values("answers", "DEV-6", "a packet left out at octet", [256, 512, 2048, 4096]) {
      $0.transfer.skippedOffset = $1
    }
    + values("answers", "DEV-6", "silence from octet", [0, 200, 256, 4096, 7680]) { $0.transfer.silenceOffset = $1 }
    + values("answers", "DEV-13", "a link ended at octet", [0, 200, 256, 4096, 7680]) {
      $0.transfer.disconnectionOffset = $1
    }
    + values("answers", "DEV-12", "octets of a packet", [20, 100, 128, 199, 201, 244]) { $0.transfer.packetLength = $1 }

  private static let ofRecords: [GeneratedFault] =
    values("sound", "DEV-5", "an inverted bit at octet", [0, 1, 63, 64, 255, 256, 1023, 4095, 7935]) {
      $0.transfer.flippedOffset = $1
    }

  private static let ofSound: [GeneratedFault] =
    values("sound", "DEV-5", "frames missing at the end", [3, 4, 8, 16, 125]) { $0.recording.missingLastFrames = $1 }
    + values("sound", "DEV-1", "ticks missing at the beginning", [50, 410, 512, 2048]) {
      $0.recording.lostFirstTicks = $1
    }
    + values("sound", "DEV-5", "stale frames", [1, 2, 8, 32]) { $0.recording.staleFrames = $1 }
    + values("sound", "DEV-5", "frames between two that are left out", [1, 16, 125, 2500, 3500]) {
      $0.recording.skippedFramePeriod = $1
    }
    + values("sound", "DEV-1", "frames at most", [16, 125, 1250, 2500, 30_000]) { $0.recording.maximumFrames = $1 }

  private static let ofBattery: [GeneratedFault] =
    values("battery", "DEV-7", "percent too many", [1, 6, 24, 100]) { $0.battery.levelExcessPercent = $1 }
    + values("battery", "DEV-7", "millivolts that count as low", [0, 2900, 3000, 3050, 3080, 3110, 3150, 3200, 3400]) {
      $0.battery.lowMillivolts = $1
    }

  private static let ofClock: [GeneratedFault] =
    values("clock", "APP-1.3.2.1", "seconds fast", [-86_400, -3600, -60, -6, 60, 86_400, 31_536_000]) {
      $0.clock.secondsFast = $1
    } + values("clock", "DEV-8", "last year that is taken", [2000, 2023, 2024, 2078, 2098]) { $0.clock.lastYear = $1 }

  private static let ofPower: [GeneratedFault] =
    values("power", "DEV-2", "ticks until Bluetooth is offered too late", [1536, 2048, 4096, 10_240]) {
      $0.power.bluetoothDelay = $1
    }
    + values("power", "DEV-1", "ticks until a record begins too late", [350, 410, 2048, 10_240]) {
      $0.power.recordDelay = $1
    }

  private static let ofLinks: [GeneratedFault] =
    values("links", "DEV-12", "longest interval that is asked for", [6, 10, 24, 40, 80]) { $0.link.intervalUnits = $1 }
    + values("links", "DEV-12", "supervision that is asked for", [10, 50, 100, 199, 201, 400, 3200]) {
      $0.link.supervisionUnits = $1
    } + values("links", "DEV-12", "events left out", [1, 4, 30]) { $0.link.latency = $1 }
    + values("links", "DEV-12", "largest ATT_MTU", [24, 64, 100, 185, 246]) {
      $0.security.maximumTransmissionUnit = $1
    }

  private static let shownStates: [SystemState] = [
    .initialisation, .batteryLow, .recordPrepare, .recording, .bluetoothOperation, .outOfMemory, .shutdown,
  ]

  private static let ofLights: [GeneratedFault] = shownStates.map { state in
    GeneratedFault(
      "the light in \(state.firmwareName)", "lights", "DEV-12", .profile { $0.faults.light.confusedState = state })
  }
}
