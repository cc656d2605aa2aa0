import Bytes
import DictofunProtocol
import FirmwareImages
import Foundation
import ImageRecorder
import Recorder
import Runner
import Timeline

/// How much faster than real time an executed firmware image is.
struct ImageSpeed {
  private let program: ImageProgram

  /// The image in a file, on the board that it is made for.
  init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Measurement.Spoilt(description: "cannot read \(path)")
    }
    let image = try FirmwareImage(Array(data), name: path)
    guard let board = ImageProgram.board(for: image) else {
      throw Measurement.Spoilt(description: "\(path) is made for no known board")
    }
    program = try ImageProgram(image, on: board)
  }

  /// How many times faster than real time it is in a meeting, while it advertises and while it records, and what copying a
  /// booted recorder takes.
  func measured(repetitions: Int) throws -> JSONValue {
    let program = program
    var measurement = Measurement()
    measurement.settings.program = program.recorderProgram(named: "image")
    // An image in which something is found does not pass, and what it takes until then says nothing.
    let meeting = try? measurement.timesRealTime(of: Workloads.imageMeeting, repetitions: repetitions)
    var idle = LoneRecorder(program)
    idle.take(.holdRail)
    idle.pass(.seconds(2))
    let advertising = try Measurement.median(of: repetitions) { idle.pass(.seconds(10)) }
    let recording = try Measurement.median(of: repetitions) {
      var recorder = LoneRecorder(program)
      recorder.take(.pressButton)
      recorder.pass(.seconds(10))
    }
    let fork = try Measurement.median(of: repetitions) {
      var copy = idle
      copy.pass(.milliseconds(1))
    }
    return .object([
      ("meetingTimesRealTime", meeting.map { .millionths(Int($0 * 1e6)) } ?? .null),
      ("advertisingTimesRealTime", .millionths(Int(1e16 / Double(advertising)))),
      ("recordingTimesRealTime", .millionths(Int(1e16 / Double(recording)))),
      ("forkNanoseconds", .integer(fork)),
    ])
  }
}

/// An executed recorder that nobody answers: only its timers pass.
private struct LoneRecorder {
  private var recorder: ExecutedRecorder
  private var now = Instant.zero
  private var due: Instant?

  init(_ program: ImageProgram) {
    recorder = ExecutedRecorder(
      program, RecorderConfiguration(address: BluetoothAddress(0xD1C7_0F00_0001, .random)))
  }

  mutating func take(_ control: RecorderControl) {
    recorder.take(control, at: now)
    settle()
  }

  mutating func pass(_ duration: Duration) {
    let end = now.advanced(by: duration)
    while let next = due, next <= end {
      now = next
      due = nil
      recorder.timerFired(0, at: now)
      settle()
    }
    now = end
  }

  private mutating func settle() {
    var output = RecorderOutput()
    recorder.drain(&output)
    var timers: [RecorderTimer] = []
    recorder.arm(&timers, at: now)
    for timer in timers { due = timer.due }
  }
}
