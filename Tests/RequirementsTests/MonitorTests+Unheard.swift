import DictofunProtocol
import Testing
import Timeline

@testable import Requirements

extension Monitors {
  /// What a phone cannot know yet, and what a recorder or its link keeps it from.
  static let unheard: [Case] = [
    Case("APP-1.3.1.1", "shown", "after a silence of the link") {
      meet(&$0)
      $0.wait(.seconds(8))
      $0.readBattery(84)
    },
    Case("APP-1.3.1.1", "shown", "soon after an answer that came late") {
      meet(&$0)
      $0.readBattery(84)
      $0.disconnect()
      $0.connect()
      $0.wait(.seconds(8))
      $0.encrypt()
      $0.wait(.seconds(4))
      $0.readBattery(84)
    },
    Case("APP-1.3.1.1", "shown", "after a recorder that recorded for long") {
      meet(&$0)
      $0.state(.recorderState(recorder: 0, name: "RECORDING"))
      $0.wait(.seconds(30))
      $0.state(.recorderState(recorder: 0, name: "BLE_OPERATION"))
      $0.wait(.seconds(3))
      $0.readBattery(84)
    },
    Case("APP-1.3.1.1", "violated", "never after a long record") {
      meet(&$0)
      $0.state(.recorderState(recorder: 0, name: "RECORDING"))
      $0.wait(.seconds(30))
      $0.state(.recorderState(recorder: 0, name: "BLE_OPERATION"))
      $0.wait(.seconds(20))
    },
    Case("APP-1.3.1.1", "shown", "after air that lost packets") {
      meet(&$0)
      $0.state(.air(isClear: false))
      $0.wait(.seconds(30))
      $0.state(.air(isClear: true))
      $0.wait(.seconds(3))
      $0.readBattery(84)
    },
    Case("APP-1.3.1.1", "violated", "never after air that lost packets") {
      meet(&$0)
      $0.state(.air(isClear: false))
      $0.wait(.seconds(30))
      $0.state(.air(isClear: true))
      $0.wait(.seconds(20))
    },
    Case("APP-1.3.1.1", "notExercised", "while the recorder does not go on with a pairing") {
      $0.connect()
      $0.discover()
      $0.send(.acl, PacketScript.data(6, [1, 3, 0, 1, 16, 3, 3], isFromHost: true))
      $0.wait(.seconds(34))
      $0.disconnect(reason: 0x16)
    },
    Case("APP-1.3.1.1", "violated", "never after a pairing that failed") {
      $0.connect()
      $0.discover()
      $0.send(.acl, PacketScript.data(6, [1, 3, 0, 1, 16, 3, 3], isFromHost: true))
      $0.wait(.seconds(8))
      $0.get(.acl, PacketScript.data(6, [5, 8], isFromHost: false))
      $0.wait(.seconds(20))
    },
    Case("APP-1.3.1.2", "notExercised", "low while the phone ends the link") {
      meet(&$0)
      $0.readBattery(84)
      $0.notify(0x29, [12])
      $0.disconnect(reason: 0x16)
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "notExercised", "low while the phone ends the link in air that loses packets") {
      meet(&$0)
      $0.readBattery(84)
      $0.state(.air(isClear: false))
      $0.notify(0x29, [12])
      $0.wait(.seconds(3))
      $0.disconnect(reason: 0x16)
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "violated", "low and never told when the air is clear again") {
      meet(&$0)
      $0.readBattery(84)
      $0.state(.air(isClear: false))
      $0.notify(0x29, [12])
      $0.wait(.seconds(3))
      $0.state(.air(isClear: true))
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "violated", "low and never told before bad air ended the link") {
      meet(&$0)
      $0.readBattery(84)
      $0.state(.air(isClear: false))
      $0.notify(0x29, [12])
      $0.disconnect(reason: 0x08)
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "notExercised", "low, and the phone ends a link whose recorder has lost its power") {
      meet(&$0)
      $0.readBattery(12)
      $0.state(.recorderPowered(recorder: 0, isOn: false))
      $0.wait(.seconds(4))
      $0.disconnect(reason: 0x16)
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "violated", "low and never told, and the recorder has lost its power") {
      meet(&$0)
      $0.readBattery(12)
      $0.state(.recorderPowered(recorder: 0, isOn: false))
      $0.wait(.seconds(4))
      $0.disconnect(reason: 0x08)
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "violated", "low and never told, where another recorder was off before the link began") {
      $0.state(.recorderPowered(recorder: 1, isOn: false))
      meet(&$0)
      $0.readBattery(12)
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "notExercised", "low right before the recorder ends the link in air that loses packets") {
      meet(&$0)
      $0.readBattery(84)
      $0.state(.air(isClear: false))
      $0.notify(0x29, [12])
      $0.disconnect(reason: 0x13)
      $0.state(.air(isClear: true))
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.2", "violated", "low right before the recorder ends the link") {
      meet(&$0)
      $0.readBattery(84)
      $0.notify(0x29, [12])
      $0.disconnect(reason: 0x13)
      $0.wait(.seconds(2))
    },
    Case("APP-1.3.1.3", "shown", "one request that waited for an answer when the level was notified") {
      meet(&$0)
      $0.readBattery(50)
      $0.notify(0x29, [12])
      $0.now = Instant(nanoseconds: $0.now.nanoseconds + 20_000_000)
      $0.ask([0x12, 0x10, 0x00, 0x01])
      $0.hear([0x13])
      $0.disconnect()
    },
    Case("APP-1.3.1.3", "violated", "a request long after the level was notified") {
      meet(&$0)
      $0.readBattery(50)
      $0.notify(0x29, [12])
      $0.wait(.milliseconds(100))
      $0.list([])
    },
    Case("APP-1.3.1.3", "notExercised", "low in a notification that the phone cannot know yet") {
      meet(&$0)
      $0.disconnect()
      $0.connect()
      $0.notify(0x29, [12])
      $0.ask([0x12, 0x10, 0x00, 0x01])
      $0.hear([0x13])
    },
    Case("APP-1.3.1.3", "violated", "files after a low notification on a link that asked for the battery") {
      meet(&$0)
      $0.readBattery(84)
      $0.notify(0x29, [12])
      $0.wait(.seconds(1))
      $0.list([])
    },
    Case("APP-1.3.1.3", "violated", "the time is given") {
      meet(&$0)
      $0.readBattery(12)
      $0.wait(.milliseconds(11))
      giveTime(&$0)
    },
    Case("APP-1.3.1.3", "shown", "the time before an application can have woken up") {
      meet(&$0)
      $0.readBattery(50)
      $0.notify(0x29, [12])
      $0.wait(.milliseconds(100))
      giveTime(&$0)
      $0.disconnect()
    },
    Case("APP-1.3.1.3", "violated", "the time when an application must have woken up") {
      meet(&$0)
      $0.readBattery(50)
      $0.notify(0x29, [12])
      $0.wait(.milliseconds(101))
      giveTime(&$0)
    },
    Case("APP-1.3.1", "notExercised", "a link that ends within its first minute") {
      meet(&$0)
      $0.readBattery(84)
      $0.wait(.seconds(30))
      $0.readBattery(84)
      $0.disconnect()
    },
    Case("DEV-6", "shown", "a list that waits for the end of a long record") {
      serve(&$0)
      $0.request(.listFiles)
      $0.state(.recorderState(recorder: 0, name: "RECORDING"))
      $0.wait(.seconds(30))
      $0.state(.recorderState(recorder: 0, name: "BLE_OPERATION"))
      $0.wait(.seconds(3))
      for part in FilesList.parts([identifier(1)]) { $0.notify(0x13, part) }
    },
    Case("DEV-6", "violated", "a list that is forgotten in a long record") {
      serve(&$0)
      $0.request(.listFiles)
      $0.state(.recorderState(recorder: 0, name: "RECORDING"))
      $0.wait(.seconds(30))
      $0.state(.recorderState(recorder: 0, name: "BLE_OPERATION"))
      $0.wait(.seconds(30))
    },
  ]

  private static func giveTime(_ script: inout PacketScript) {
    script.events.append(ProductEvent(at: script.now, from: .phone(), link: 1, .timeServed(nil)))
  }
}
