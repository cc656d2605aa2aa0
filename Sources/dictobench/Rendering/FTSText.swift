import Text
import Bytes
import DictofunProtocol
import ScenarioLanguage
import Session

/// A dialogue with the File Transfer Service in words.
enum FTSText {
  static func document(_ request: ControlPointRequest) -> JSONValue {
    .object([("request", .string(Hexadecimal.string(request.encoded))), ("means", .string(words(request)))])
  }

  static func line(_ request: ControlPointRequest) -> String {
    "request  \(Hexadecimal.string(request.encoded))  \(words(request))"
  }

  static func document(_ notification: FTSDialogue.Notification) -> JSONValue {
    .object([
      ("seconds", .seconds(notification.time)), ("characteristic", .string(name(notification))),
      ("value", .string(Hexadecimal.string(notification.value))), ("means", .string(words(notification.meaning))),
    ])
  }

  static func line(_ notification: FTSDialogue.Notification) -> String {
    "\(DecimalSeconds.text(notification.time)) s  \(name(notification))  \(GATTText.value(notification.value))  "
      + PlainText.escaped(words(notification.meaning))
  }

  static func document(_ result: FTSResult) -> JSONValue {
    .object([
      ("end", .string(words(result.end))), ("seconds", .seconds(result.elapsed)),
      ("notifications", .integer(result.count)), ("octets", .integer(result.octets)),
      ("isAnswered", .boolean(result.isAnswered)),
    ])
  }

  static func line(_ result: FTSResult) -> String {
    "end after \(DecimalSeconds.text(result.elapsed)) s: \(words(result.end)); "
      + "\(Wording.count(result.count, "notification")), \(Wording.count(result.octets, "octet"))"
  }

  private static func name(_ notification: FTSDialogue.Notification) -> String {
    GATTText.name(notification.characteristic) ?? "\(notification.characteristic)"
  }

  private static func words(_ request: ControlPointRequest) -> String {
    switch request {
    case .listFiles: "list files"
    case .fileInformation(let identifier): "file info of \(identifier)"
    case .fileData(let identifier): "file data of \(identifier)"
    case .fileSystemStatus: "FS status"
    case .receiveComplete: "receive complete"
    case .unaccepted: "not a request that the firmware accepts"
    }
  }

  private static func words(_ meaning: FTSDialogue.Meaning) -> String {
    switch meaning {
    case .listPart: "part of the list"
    case .list(let identifiers):
      Wording.count(identifiers.count, "record")
        + (identifiers.isEmpty ? "" : ": ") + identifiers.map(\.description).joined(separator: " ")
    case .size(let size): Wording.count(size, "octet")
    case .data(let octets, let total): "\(Wording.count(octets, "octet")), \(total) so far"
    case .fileSystem(let status):
      "\(Wording.count(status.freeBytes, "octet")) free, \(status.occupiedBytes) occupied, "
        + Wording.count(status.fileCount, "file")
    case .status(let status): words(status)
    case .unexpected: "not expected here"
    case .malformed(let failure): "cannot be understood: \(failure)"
    }
  }

  private static func words(_ status: GeneralStatus) -> String {
    switch status {
    case .ok: "OK"
    case .fileNotFound(let identifier): "file \(identifier) not found"
    case .fileSystemCorrupt: "file system corrupt"
    case .aborted(let reason): "aborted, reason 0x" + Hexadecimal.digits(reason)
    case .genericFailure: "generic failure"
    }
  }

  private static func words(_ end: FTSDialogue.End) -> String {
    switch end {
    case .failed(let status): words(status)
    case .complete: "the answer is complete"
    case .disconnected: "the recorder disconnected"
    case .silence(let span): "no notification came for \(DecimalSeconds.text(span)) s"
    }
  }
}
