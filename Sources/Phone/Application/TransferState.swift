import Charts

/// How far a request to the File Transfer Service has come.
enum TransferState: UInt8, ChartSymbol {
  /// There is none.
  case idle
  /// The client configurations are written, which every connection needs anew.
  case subscribing
  /// The recorder still closes the file of the request before.
  case settling
  /// The request is on its way; its answer may come before its acknowledgement.
  case asking
  /// The answer is here, and the acknowledgement is not.
  case answeredEarly
  /// The request is acknowledged, and its answer is awaited.
  case awaitingAnswer
}

/// What moves a request.
enum TransferEvent: UInt8, ChartSymbol {
  case requested, configurationWritten, recorderBusy, requestSent, acknowledged, answered, completed, failed, abandoned
}

/// The chart of a request to the File Transfer Service.
///
/// Control point, notified answers and the second request that the recorder drops are those of the firmware's `fts.c`;
/// that a notification may overtake the write's response follows from Core Specification Vol 3, Part F, 3.3.2. A request
/// is completed by its answer, or by the acknowledgement where it has none.
package enum FileTransfer {
  /// The chart in words.
  package static let outline = chart.outline

  static let chart = StateChart<TransferState, TransferEvent>(
    "transfer", "A request of the phone to the File Transfer Service.", initial: .idle,
    [
      (.idle, .requested, .subscribing),
      (.subscribing, .configurationWritten, .subscribing),
      (.subscribing, .recorderBusy, .settling),
      (.subscribing, .requestSent, .asking),
      (.subscribing, .failed, .idle),
      (.subscribing, .abandoned, .idle),
      (.settling, .recorderBusy, .settling),
      (.settling, .requestSent, .asking),
      (.settling, .abandoned, .idle),
      (.asking, .acknowledged, .awaitingAnswer),
      (.asking, .answered, .answeredEarly),
      (.asking, .completed, .idle),
      (.asking, .failed, .idle),
      (.asking, .abandoned, .idle),
      (.answeredEarly, .completed, .idle),
      (.answeredEarly, .failed, .idle),
      (.answeredEarly, .abandoned, .idle),
      (.awaitingAnswer, .completed, .idle),
      (.awaitingAnswer, .failed, .idle),
      (.awaitingAnswer, .abandoned, .idle),
    ])
}
