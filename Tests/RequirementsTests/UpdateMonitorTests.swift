import Bytes
import SecureDFU
import Testing
import Timeline
import Trace

@testable import Requirements

/// What monitors say about firmware updates.
extension Monitors {
  static let update: [Case] = besideUpdates + protocolOfUpdates + consent + progress + states + recorderUpdates

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
    Case("DEV-12", "violated", "a notification that does not fit the ATT_MTU") {
      serve(&$0)
      $0.ask([0x02, 0x17, 0x00])
      $0.hear([0x03, 0x17, 0x00])
      $0.list([identifier(1), identifier(2)])
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
    Case("DEV-12", "notExercised", "an answer that repeats another request, as the scenario wants it") {
      $0.state(.update(.bootloaderDisturbed(recorder: 0)))
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

  // MARK: APP-1.4.1

  static func create(_ object: UInt8, _ size: UInt8, _ script: inout PacketScript) {
    script.askBootloader([0x01, object, size, 0, 0, 0])
    script.hearBootloader([0x60, 1, 1])
  }

  static func check(_ sent: [UInt8], _ script: inout PacketScript) {
    script.askBootloader([0x03])
    script.hearBootloader(stateReply(3, sent))
  }

  static func execute(_ script: inout PacketScript) {
    script.askBootloader([0x04])
    script.hearBootloader([0x60, 4, 1])
  }

  /// Sends an init packet of four octets that is accepted, and begins with the image.
  static func announce(_ script: inout PacketScript) {
    script.meetBootloader()
    create(1, 4, &script)
    script.sendFirmware([1, 2, 3, 4])
    check([1, 2, 3, 4], &script)
    execute(&script)
    script.askBootloader([0x06, 0x02])
    script.hearBootloader(stateReply(6, limit: 4096, []))
  }

  static func transferred(_ change: (inout UpdateScript) -> Void = { _ in }) -> PacketScript {
    var options = UpdateOptions()
    options.firstObjectPause = 0
    var update = UpdateScript(options)
    change(&update)
    update.run(packetSize: 100)
    while update.outcome == nil { update.run(packetSize: 60) }
    #expect(update.outcome == .accepted)
    return update.script
  }

  static let protocolOfUpdates: [Case] = [
    Case("APP-1.4.1", "shown", "a transfer without trouble") { $0 = transferred() },
    Case("APP-1.4.1", "shown", "packets are lost at the end and in the middle of objects") {
      $0 = transferred { $0.lostPackets = [42, 60, 90, 130, 131] }
    },
    Case("APP-1.4.1", "shown", "the link breaks in the init packet") { $0 = transferred { $0.requestsLeft = 4 } },
    Case("APP-1.4.1", "shown", "the link breaks in the second object") { $0 = transferred { $0.requestsLeft = 12 } },
    Case("APP-1.4.1", "violated", "the image without an init packet") {
      $0.meetBootloader()
      create(2, 4, &$0)
    },
    Case("APP-1.4.1", "violated", "the image after an init packet that was replaced") {
      announce(&$0)
      create(1, 4, &$0)
      create(2, 4, &$0)
    },
    Case("APP-1.4.1", "violated", "the image after an init packet that was refused") {
      $0.meetBootloader()
      create(1, 1, &$0)
      $0.sendFirmware([1])
      check([1], &$0)
      $0.askBootloader([0x04])
      $0.hearBootloader([0x60, 4, 5])
      create(2, 4, &$0)
    },
    Case("APP-1.4.1", "shown", "the image on a later link") {
      announce(&$0)
      $0.disconnect()
      $0.meetBootloader()
      $0.askBootloader([0x06, 0x01])
      $0.hearBootloader(stateReply(6, limit: 512, [1, 2, 3, 4]))
      create(2, 4, &$0)
    },
    Case("APP-1.4.1", "violated", "more octets than the object has") {
      announce(&$0)
      create(2, 4, &$0)
      $0.sendFirmware([1, 2, 3])
      $0.sendFirmware([4, 5])
    },
    Case("APP-1.4.1", "violated", "packets for an object that was refused") {
      announce(&$0)
      $0.askBootloader([0x01, 0x02, 4, 0, 0, 0])
      $0.hearBootloader([0x60, 1, 3])
      $0.sendFirmware([1, 2, 3])
    },
    Case("APP-1.4.1", "violated", "executed unconfirmed") {
      announce(&$0)
      create(2, 4, &$0)
      $0.sendFirmware([1, 2, 3, 4])
      execute(&$0)
    },
    Case("APP-1.4.1", "violated", "executed with another checksum") {
      announce(&$0)
      create(2, 4, &$0)
      $0.sendFirmware([1, 2, 3, 4])
      check([1, 2, 3, 5], &$0)
      execute(&$0)
    },
    Case("APP-1.4.1", "violated", "executed where the end was lost, though it was asked for twice") {
      announce(&$0)
      create(2, 4, &$0)
      $0.sendFirmware([1, 2])
      $0.sendFirmware([3, 4])
      check([1, 2], &$0)
      check([1, 2], &$0)
      execute(&$0)
    },
    Case("APP-1.4.1", "shown", "executed after the end was sent again") {
      announce(&$0)
      create(2, 4, &$0)
      $0.sendFirmware([1, 2])
      $0.sendFirmware([3, 4])
      check([1, 2], &$0)
      $0.sendFirmware([3, 4])
      check([1, 2, 3, 4], &$0)
      execute(&$0)
    },
    Case("APP-1.4.1", "shown", "a wrong checksum, then the right one") {
      announce(&$0)
      create(2, 4, &$0)
      $0.sendFirmware([1, 2, 3, 4])
      check([9, 9, 9, 9], &$0)
      check([1, 2, 3, 4], &$0)
      execute(&$0)
    },
    Case("APP-1.4.1", "shown", "a receipt that comes after its packets were asked for") {
      announce(&$0)
      $0.askBootloader([0x02, 1, 0])
      $0.hearBootloader([0x60, 2, 1])
      create(2, 4, &$0)
      $0.sendFirmware([1, 2])
      check([1, 2], &$0)
      $0.sendFirmware([3, 4])
      $0.hearBootloader(stateReply(3, [1, 2]))
      check([1, 2, 3, 4], &$0)
      execute(&$0)
    },
    Case("APP-1.4.1", "violated", "asked before notifications were on") {
      $0.connect(to: PacketScript.bootloaderAddress)
      $0.discoverBootloader()
      $0.askBootloader([0x06, 0x01])
    },
    Case("APP-1.4.1", "violated", "the application was asked before indications were on") {
      meet(&$0)
      $0.discoverButtonless()
      $0.ask([0x12, 0x2D, 0x00, 0x01])
      $0.hear([0x01, 0x12, 0x2D, 0x00, 0xFD])
    },
    Case("APP-1.4.1", "violated", "paired with the bootloader") {
      $0.meetBootloader()
      $0.send(.acl, PacketScript.data(6, [0x01, 3, 0, 1, 16, 1, 1], isFromHost: true))
    },
    Case("APP-1.4.1", "violated", "paired with the bootloader before it was known to be one") {
      $0.connect(to: PacketScript.bootloaderAddress)
      $0.send(.acl, PacketScript.data(6, [0x01, 3, 0, 1, 16, 1, 1], isFromHost: true))
      $0.discoverBootloader()
    },
    Case("APP-1.4.1", "notExercised", "paired with the application") {
      meet(&$0)
      $0.send(.acl, PacketScript.data(6, [0x01, 3, 0, 1, 16, 1, 1], isFromHost: true))
    },
  ]
}
