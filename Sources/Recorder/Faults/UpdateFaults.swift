/// What can be wrong with the way into the bootloader, and with what an update leaves alone.
package struct UpdateFaults: Hashable, Sendable {
  /// Whether an update erases all records.
  package var erasesRecords = false
  /// Whether an update deletes all bonds.
  package var forgetsBonds = false
  /// Whether an update sets the clock back to 2000.
  package var losesTime = false
  /// Whether the chip resets into the bootloader before the phone confirmed the answer.
  package var resetsWithoutConfirmation = false
  /// Whether a phone that has not enabled indications can send the chip into its bootloader.
  package var acceptsWithoutIndications = false

  /// Whether the answer to a request of the buttonless service names another request.
  package var answersAnotherRequest = false

  /// No fault.
  package init() {}
}

extension RecorderFault {
  static let ofUpdates = [
    RecorderFault("update-erases-records", "An update erases all records.") { $0.update.erasesRecords = true },
    RecorderFault("update-forgets-bonds", "An update deletes all bonds.") { $0.update.forgetsBonds = true },
    RecorderFault("update-loses-time", "An update sets its clock back to 2000.") { $0.update.losesTime = true },
    RecorderFault("buttonless-without-confirmation", "It resets into its bootloader without waiting to be confirmed.") {
      $0.update.resetsWithoutConfirmation = true
    },
    RecorderFault("buttonless-answers-another", "The answer on its way into the bootloader names another request.") {
      $0.update.answersAnotherRequest = true
    },
    RecorderFault(
      "buttonless-without-indications", "It resets into its bootloader for a client that has not enabled indications."
    ) { $0.update.acceptsWithoutIndications = true },
  ]
}
