import Foundation
import Reports
import Timeline

/// Whether and where a command captures what passes between its host and its controller.
struct CaptureRequest: Sendable {
  static let options: [OptionDeclaration] = [
    OptionDeclaration(
      "--capture",
      "Write what passes between host and controller as btsnoop, or live to standard output as pcap, for Wireshark.",
      value: "FILE|-"),
    OptionDeclaration(
      "--capture-content", "Whether keys and recordings are covered in the capture; covered unless stated.",
      choices: ["covered", "full"]),
  ]

  /// Where to; `nil` for no capture.
  private let path: String?
  /// Whether keys and recordings stand in it.
  let isUncovered: Bool

  /// Whether it is streamed to standard output.
  private var isLive: Bool { path == "-" }

  init(_ arguments: ParsedArguments, isJSON: Bool) throws(UsageFailure) {
    path = arguments.value("--capture")
    isUncovered = arguments.value("--capture-content") == "full"
    guard isLive else { return }
    if isJSON {
      throw UsageFailure("--capture - and --format json both want standard output: write the capture to a file")
    }
    if isatty(STDOUT_FILENO) == 1 {
      throw UsageFailure("--capture - is not for a terminal; send it to a reader, such as | wireshark -k -i -")
    }
  }

  /// Where the command speaks: beside the capture.
  func console(_ console: Console) -> Console {
    var console = console
    console.isOutputTaken = isLive
    return console
  }

  /// Begins the capture; `nil` where none is wanted.
  func open(note: String, on loop: EventLoop, _ console: Console) throws(ReportFailure) -> CaptureSink? {
    guard let path else { return nil }
    if isUncovered { console.note("WARNING: the capture holds keys and recordings") }
    guard isLive else { return try CaptureSink(path, note: note, isPrivate: isUncovered) }
    let output = LiveOutput(STDOUT_FILENO, on: loop) { console.note("dictobench: \($0)") }
    return try CaptureSink(to: output, .pcap, note: note, isPrivate: isUncovered)
  }
}
