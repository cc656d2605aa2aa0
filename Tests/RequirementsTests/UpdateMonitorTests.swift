import Bytes
import SecureDFU
import Testing
import Timeline
import Trace

@testable import Requirements

/// What monitors say about firmware updates.
extension Monitors {
  static let update: [Case] = besideUpdates

  /// Monitors that are about something else.
  static let besideUpdates: [Case] = [
    Case("APP-1.3.1.1", "shown", "a bootloader has no battery") {
      meet(&$0)
      $0.readBattery(84)
      $0.disconnect()
      $0.meetBootloader()
      $0.wait(.seconds(6))
      $0.askBootloader([0x06, 0x01])
    },
    Case("APP-1.3.1.3", "violated", "an update while the battery is low") {
      meet(&$0)
      $0.discoverButtonless()
      $0.readBattery(12)
      $0.writeButtonless([0x01])
    },
    Case("APP-1.3.1.3", "shown", "an update after the battery was good again") {
      meet(&$0)
      $0.discoverButtonless()
      $0.readBattery(12)
      $0.readBattery(24)
      $0.writeButtonless([0x01])
    },
    Case("DEV-2", "shown", "a bootloader advertises otherwise") {
      $0.state(.buttonReleased(recorder: 0))
      advertise(&$0, slots: 200)
      $0.state(.update(.bootloaderStarted(recorder: 0)))
      advertise(&$0, slots: 40)
      $0.state(.buttonReleased(recorder: 0))
      $0.wait(.seconds(60))
    },
    Case("DEV-2", "violated", "the application advertises as a bootloader does") {
      $0.state(.update(.bootloaderStarted(recorder: 0)))
      advertise(&$0, slots: 40)
      $0.state(.update(.firmwareStarted(recorder: 0, version: 2, isWhole: true)))
      advertise(&$0, slots: 40)
    },
    Case("DEV-12", "shown", "a bootloader's answers") {
      var update = UpdateScript()
      update.run()
      $0 = update.script
    },
    Case("DEV-12", "violated", "an answer that repeats another request") {
      $0.meetBootloader()
      $0.askBootloader([0x06, 0x01])
      $0.hearBootloader([0x60, 0x01, 0x01])
    },
    Case("DEV-12", "violated", "a receipt before it is due") {
      $0.meetBootloader()
      $0.askBootloader([0x02, 2, 0])
      $0.hearBootloader([0x60, 0x02, 0x01])
      $0.sendFirmware([1])
      $0.hearBootloader(stateReply(3, [1]))
    },
    Case("DEV-12", "violated", "a selection without its state") {
      $0.meetBootloader()
      $0.askBootloader([0x06, 0x01])
      $0.hearBootloader([0x60, 0x06, 0x01])
    },
    Case("DEV-12", "violated", "an answer of the application to what was not asked") {
      meet(&$0)
      $0.discoverButtonless()
      $0.indicateButtonless([0x20, 0x01, 0x01])
    },
  ]
}
