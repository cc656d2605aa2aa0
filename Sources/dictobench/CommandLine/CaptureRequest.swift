import Foundation
import Reports
import Timeline
import Trace

/// Whether and where a command captures the traffic between its host and its controller.
struct CaptureRequest: Sendable {
  static let options: [OptionDeclaration] = [
    OptionDeclaration(
      "--capture",
      "Write the traffic between host and controller to a btsnoop file, or live as pcap to standard output, for "
        + "Wireshark.",
      value: "FILE|-"),
    OptionDeclaration(
      "--capture-content", "Whether keys and recordings are covered in the capture (default: covered).",
      choices: ["covered", "full"]),
  ]

  /// Where to; `nil` for no capture.
  private let path: String?
  /// Whether the capture shows keys and recordings.
  let isUncovered: Bool

  /// Whether it is streamed to standard output.
  var isLive: Bool { path == "-" }

  init(_ arguments: ParsedArguments, isJSON: Bool) throws(UsageFailure) {
    path = arguments.value("--capture")
    isUncovered = arguments.value("--capture-content") == "full"
    guard isLive else { return }
    if isJSON {
      throw UsageFailure("--capture - and --format json both need standard output: write the capture to a file")
    }
    if isatty(STDOUT_FILENO) == 1 {
      throw UsageFailure("--capture - cannot write to a terminal; pipe it into a reader, such as | wireshark -k -i -")
    }
  }

  /// The console of the command, which leaves standard output to a live capture.
  func console(_ console: Console) -> Console {
    var console = console
    console.isOutputTaken = isLive
    return console
  }

  /// Begins the capture; `nil` where none is wanted. Its first packet record says `note`.
  ///
  /// - Throws: ``ReportFailure`` when it cannot be written.
  func open(note: String, on loop: EventLoop, _ console: Console) throws -> sending (any TraceSink)? {
    guard let path else { return nil }
    if isUncovered { console.note("WARNING: the capture contains keys and recordings") }
    guard isLive else { return KeptCapture(try CaptureSink(path, note: note, isPrivate: isUncovered), console) }
    let output = LiveOutput(STDOUT_FILENO, on: loop) { console.complain($0) }
    return KeptCapture(try CaptureSink(to: output, .pcap, note: note, isPrivate: isUncovered), console)
  }
}

/// A capture that is kept however the session ends.
private final class KeptCapture: TraceSink {
  private let sink: CaptureSink
  private let console: Console

  init(_ sink: CaptureSink, _ console: Console) {
    self.sink = sink
    self.console = console
  }

  func receive(_ record: TraceRecord) { sink.receive(record) }

  func receive(
    packet: RawSpan, _ kind: TraceKind, from source: TraceSource, at instant: Instant, sequence: UInt64
  ) {
    sink.receive(packet: packet, kind, from: source, at: instant, sequence: sequence)
  }

  func finish() {
    do throws(ReportFailure) { try sink.close(keeping: true) } catch { console.complain("\(error)") }
  }
}
