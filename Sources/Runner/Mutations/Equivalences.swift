/// Generated faults that no scenario can notice, and why.
enum Equivalences {
  /// The reason for a fault of this name; `nil` where a scenario should notice it.
  static func reason(for name: String) -> String? { reasons.first { $0.names.contains(name) }?.reason }

  /// The names of all of them.
  static var names: [String] { reasons.flatMap { $0.names.sorted() } }

  private struct Reason {
    let reason: String
    let names: Set<String>

    init(_ reason: String, _ names: Set<String>) {
      self.reason = reason
      self.names = names
    }
  }

  /// Time-outs of the phone that only limit its patience.
  private static let patience = [
    "connect", "attribute", "security", "list", "information", "fileSystem", "firstData", "nextData", "finish",
    "disconnect", "updateAnswer", "updateLinkEnd", "bootloaderSearch", "applicationReturn",
  ]

  private static let reasons: [Reason] = [
    Reason(
      "the sum of the times before a record begins stays within the 0.4 s that are allowed",
      [
        "halved mount", "doubled mount", "ten times mount", "ten times createRecord", "halved ownershipSwitch",
        "doubled ownershipSwitch", "halved createRecord",
        "doubled createRecord",
      ]),
    Reason(
      "the stack is ready long before Bluetooth is offered", ["halved bootToSoftDevice", "doubled bootToSoftDevice"]),
    Reason(
      "the model never enters that state",
      ["halved memoryCorrupt", "doubled memoryCorrupt", "ten times memoryCorrupt"]),
    Reason(
      "only a recorder that drops second requests asks for that time",
      ["halved closeFile", "doubled closeFile", "ten times closeFile"]),
    Reason(
      "a length within one percent, looked at every ten milliseconds, does not tell them apart",
      ["halved closeRecord", "halved statePoll", "doubled statePoll"]),
    Reason(
      "a battery that becomes low is told at once unless the radio is dead, and then nobody hears it",
      ["halved lowBatteryFarewell", "doubled lowBatteryFarewell"]),
    Reason(
      "a transfer may be quicker than documented, and one that takes a tick or two more is as quick as promised",
      ["halved enginePass", "doubled enginePass", "halved flashRead", "doubled flashRead"]),
    Reason(
      "that value can never be read",
      ["Service Changed begins with another value", "buttonless DFU begins with another value"]),
    Reason(
      "the recorder replaces that value before anybody can connect", ["Battery Level begins with another value"]),
    Reason(
      "nothing promises how soon a phone gives up, and a recorder that answers is not kept waiting",
      Set(patience.flatMap { ["twice the phone's \($0)", "ten times the phone's \($0)"] })),
    Reason("every phone offers keys of 16 octets", ["it demands keys of 16 octets"]),
    Reason("every phone lists Current Time first", ["the time is read where it is"]),
  ]
}
