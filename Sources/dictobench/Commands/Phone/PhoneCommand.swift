import Bench
import Bytes
import Foundation
import Phone
import Reports
import Text
import Timeline
import Trace
import Transports
import Verdicts
import World

/// What the phone-side commands have in common: a controller, a state folder, a recorder, a format.
struct PhoneCommand {
  static let options: [OptionDeclaration] =
    [
      OptionDeclaration(
        "--controller", "The phone's controller, such as usb:0; that of the set-up unless stated.", value: "SPEC"),
      AdapterOptions.take,
      OptionDeclaration("--device", "Address of the recorder; the only one in sight unless stated.", value: "ADDRESS"),
      OptionDeclaration(
        "--state", "Folder of the phone's library and bonds; in the user's state folder unless stated.", value: "FOLDER"
      ),
      OptionDeclaration("--format", "How to print; human unless stated.", choices: ["human", "json"]),
    ] + CaptureRequest.options

  let specification: TransportSpecification
  /// How the controller is opened.
  let opening: OpeningOptions
  let choice: RecorderChoice
  let state: String
  let isJSON: Bool
  private let capture: CaptureRequest
  let console: Console
  private let loss = ControllerLoss()

  init(_ arguments: ParsedArguments, _ console: Console) throws(UsageFailure) {
    if let text = arguments.value("--controller") {
      do { specification = try TransportSpecification(parsing: text) } catch { throw UsageFailure("\(error)") }
    } else if let remembered = try BenchFiles.meant(arguments)?.adapters.first {
      specification = remembered
    } else {
      throw UsageFailure(
        "--controller is needed, such as tcp-client:127.0.0.1:9001; `dictobench setup` remembers one")
    }
    if let text = arguments.value("--device") {
      guard let address = BluetoothAddress(text) else { throw UsageFailure("--device is an address, not \"\(text)\"") }
      choice = .address(address)
    } else {
      choice = .paired
    }
    opening = AdapterOptions.opening(arguments)
    state = arguments.value("--state") ?? UserFolders.state
    isJSON = arguments.value("--format") == "json"
    capture = try CaptureRequest(arguments, isJSON: isJSON)
    self.console = capture.console(console)
  }

  /// Opens the controller, runs `session` against it, and says what to tell the shell.
  func run(_ session: @escaping @Sendable (PhoneDesk) async throws -> ExitCode) throws -> ExitCode {
    let loop = EventLoop(driver: .wall)
    do {
      try FileManager.default.createDirectory(
        atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let pipe = try TransportOpening.open(
        specification, on: loop, options: opening,
        whenListening: { opening in
          console.note("listening at \(opening.listeningAt?.description ?? "")")
          if let exposure = opening.exposure { console.note(exposure) }
        },
        whenOpened: { opening in
          for note in opening.notes { console.note(note) }
        })
      let desk = try PhoneDesk(
        on: WatchedPipe(pipe, noting: loss), loop: loop, library: .file(state + "/phone.sqlite"),
        isUncovered: capture.isUncovered, sinks: try KeptCapture(capture, console, on: loop).map { [$0] } ?? [])
      return try loop.run { [self] in
        Interruption.listen { loop.post { desk.assumeIsolated { $0.interrupt() } } }
        await desk.onEvent { if case .failed(let failure) = $0 { loss.note("failed: \(failure)") } }
        let status: ExitCode
        do { status = try await session(desk) } catch let failure as PhoneFailure {
          status = report(failure)
        } catch {
          await desk.close()
          throw error
        }
        if loss.reason == nil, !Interruption.isRequested {
          _ = try await desk.perform(.disconnect, within: Self.connecting)
        }
        await desk.close()
        return Interruption.isRequested ? .interrupted : status
      }
    } catch let failure as TransportFailure {
      return complain("\(failure)")
    } catch ControlFailure.ended(.interrupted) {
      return .interrupted
    } catch ControlFailure.ended(.deadline) {
      return complain("the phone's controller did not answer in time")
    } catch let failure as ControlFailure {
      return complain("the phone's controller failed: \(failure)")
    } catch let failure as ReportFailure {
      return complain("\(failure)")
    } catch let failure as LibraryFailure {
      return complain("\(state): \(failure)")
    }
  }

  /// Says in one sentence why the bench failed.
  func complain(_ sentence: String) -> ExitCode {
    say(failure: sentence)
    return .benchFailed
  }

  private func say(failure sentence: String) {
    if isJSON {
      console.out(JSONValue.object([("failure", .string(sentence))]).text)
    } else {
      console.note("dictobench: \(sentence)")
    }
  }

  /// Whether the phone's controller was lost, so that nothing can be tried again.
  var hasLostController: Bool { loss.reason != nil }

  /// How long a connection may take: the search, the link, and what is read first on it.
  static let connecting = Duration.seconds(90)

  /// Connects with the recorder that is meant.
  func connect(_ desk: PhoneDesk) async throws {
    _ = try await desk.perform(.connect(choice), within: Self.connecting).get()
  }

  /// Prints a result: a document, or lines of text.
  func show(_ document: @autoclosure () -> JSONValue, _ lines: @autoclosure () -> [String]) {
    if isJSON { return console.out(document().text) }
    for line in lines() { console.out(line) }
  }

  /// Prints why an operation failed: for want of a controller, or else as the phone saw it. That no recorder answers may
  /// be the bench's fault or the device's; a scenario can tell, a single command cannot, so it says so and fails as the
  /// device.
  func report(_ failure: PhoneFailure) -> ExitCode {
    let lost = loss.reason.map { "the phone's controller \($0)" }
    let sentence = lost ?? PlainText.escaped(failure.sentence)
    say(failure: sentence)
    if lost != nil { return .benchFailed }
    switch failure {
    case .severalInSight, .alreadyPaired, .notPaired, .noSuchRecord: return .usage
    case .library, .abandoned: return .benchFailed
    default: return .deviceFailed
    }
  }
}

/// A capture that is kept whatever the session came to.
private final class KeptCapture: TraceSink {
  private let sink: CaptureSink
  private let console: Console

  /// `nil` where none is wanted.
  init?(_ request: CaptureRequest, _ console: Console, on loop: EventLoop) throws(ReportFailure) {
    guard let sink = try request.open(note: Tool.description, on: loop, console) else { return nil }
    self.sink = sink
    self.console = console
  }

  func receive(_ record: TraceRecord) { sink.receive(record) }

  func finish() {
    do throws(ReportFailure) { try sink.close(keeping: true) } catch { console.note("dictobench: \(error)") }
  }
}
