import Charts

/// The step of the conversation with a bootloader: the last request, or what it waits for.
enum TransferStep: UInt8, ChartSymbol {
  case idle, selectingCommand
  /// Finding out whether the image was taken before the last link broke.
  case probing
  case switchingReceipts, creatingCommand, checkingCommand, executingCommand
  /// Executing an init packet that was there before this link and was not sent.
  case executingFoundCommand
  case selectingData, creatingObject
  /// Creating an object after a break, which hides where the bootloader will begin it.
  case creatingObjectAnew
  case checkingBase, pausing, awaitingReceipt, checkingObject, executingObject
  /// Executing an object that was there before this link.
  case executingFoundObject
}

/// What the conversation does next. The last answer and what was sent so far decide it.
enum TransferDecision: UInt8, ChartSymbol {
  case selectCommand, probe, switchReceipts, createCommand, checkCommand, executeCommand, executeFoundCommand
  case selectData, createObject, createObjectAnew, checkBase, pause, awaitReceipt, checkObject, executeObject
  case executeFoundObject, renewLink, end, linkLost
}

/// The chart of the conversation with a bootloader.
///
/// The requests are those of Nordic's Secure DFU (nRF5 SDK 17.1.0, `nrf_dfu_req_handler.c`): an object is selected,
/// created, written, checked and executed, first the init packet and then the image. Every step ends where the link is
/// lost, where the bootloader keeps silent, and where it is given up.
package enum Updater {
  /// The chart in words.
  package static let outline = chart.outline

  static let chart = StateChart<TransferStep, TransferDecision>(
    "updater", "The conversation of an updater with a bootloader about one image.", initial: .idle,
    command + data + interruptions)

  private typealias Arrow = (TransferStep, TransferDecision, TransferStep)

  private static let command: [Arrow] = [
    (.idle, .selectCommand, .selectingCommand),
    (.selectingCommand, .probe, .probing),
    (.selectingCommand, .executeFoundCommand, .executingFoundCommand),
    (.selectingCommand, .switchReceipts, .switchingReceipts),
    (.selectingCommand, .createCommand, .creatingCommand),
    (.probing, .switchReceipts, .switchingReceipts),
    (.probing, .createCommand, .creatingCommand),
    (.switchingReceipts, .createCommand, .creatingCommand),
    (.switchingReceipts, .checkCommand, .checkingCommand),
    (.switchingReceipts, .selectData, .selectingData),
    (.creatingCommand, .switchReceipts, .switchingReceipts),
    (.creatingCommand, .checkCommand, .checkingCommand),
    (.checkingCommand, .checkCommand, .checkingCommand),
    (.checkingCommand, .createCommand, .creatingCommand),
    (.checkingCommand, .executeCommand, .executingCommand),
    (.executingCommand, .switchReceipts, .switchingReceipts),
    (.executingCommand, .selectData, .selectingData),
    (.executingFoundCommand, .switchReceipts, .switchingReceipts),
    (.executingFoundCommand, .createCommand, .creatingCommand),
  ]

  private static let data: [Arrow] =
    [
      (.selectingData, .createObject, .creatingObject),
      (.selectingData, .createObjectAnew, .creatingObjectAnew),
      (.selectingData, .executeFoundObject, .executingFoundObject),
      (.creatingObject, .switchReceipts, .switchingReceipts),
      (.creatingObject, .createCommand, .creatingCommand),
      (.creatingObject, .pause, .pausing),
      (.creatingObjectAnew, .switchReceipts, .switchingReceipts),
      (.creatingObjectAnew, .createCommand, .creatingCommand),
      (.creatingObjectAnew, .checkBase, .checkingBase),
      (.checkingBase, .switchReceipts, .switchingReceipts),
      (.checkingBase, .createCommand, .creatingCommand),
      (.checkingBase, .createObject, .creatingObject),
      (.checkingBase, .pause, .pausing),
      (.switchingReceipts, .pause, .pausing),
      (.awaitingReceipt, .pause, .pausing),
      (.checkingObject, .switchReceipts, .switchingReceipts),
      (.checkingObject, .createObjectAnew, .creatingObjectAnew),
      (.executingObject, .createObject, .creatingObject),
      (.executingObject, .createObjectAnew, .creatingObjectAnew),
      (.executingFoundObject, .createObject, .creatingObject),
      (.executingFoundObject, .createObjectAnew, .creatingObjectAnew),
    ]
    + sending.flatMap { step -> [Arrow] in
      [
        (step, .awaitReceipt, .awaitingReceipt), (step, .checkObject, .checkingObject),
        (step, .executeObject, .executingObject),
      ]
    }

  /// The steps after which packets of the image are sent; it then waits for a receipt, or the object is complete.
  private static let sending: [TransferStep] = [
    .switchingReceipts, .selectingData, .creatingObject, .checkingBase, .pausing, .awaitingReceipt, .checkingObject,
  ]

  private static let interruptions: [Arrow] =
    [(.idle, .linkLost, .idle)]
    + TransferStep.allCases.filter { $0 != .idle }.flatMap { step -> [Arrow] in
      [(step, .renewLink, .idle), (step, .end, .idle), (step, .linkLost, .idle)]
    }
}
