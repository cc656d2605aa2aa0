import Board
import FirmwareImages
import Foundation
import Processor
import SoftDevice
import Testing

@testable import ImageRecorder

/// A guest that breaks one thing, and what is to be found.
struct BrokenGuest: CustomTestStringConvertible, Sendable {
  var name: String
  /// What the finding says: the name of its case, and of the fault or the call's result where there is one.
  var finding: String
  /// The function that did it, where the finding holds its address.
  var function: String?
  /// Milliseconds of its life after which it must be found.
  var time: UInt64

  init(_ name: String, _ finding: String, in function: String? = nil, after time: UInt64 = 2) {
    self.name = name
    self.finding = finding
    self.function = function
    self.time = time
  }

  var testDescription: String { name }

  static let all = [
    BrokenGuest("write-to-null", "writeReadOnly", in: "main"),
    BrokenGuest("read-nowhere", "readUnmapped", in: "main"),
    BrokenGuest("execute-data", "executedData"),
    BrokenGuest("overrun-main-stack", "writeUnmapped", in: "deeper"),
    BrokenGuest("overrun-main-stack", "stack(ImageRecorder.StackOverrun(task: nil"),
    BrokenGuest("overrun-task-stack", "stacking", in: "main"),
    BrokenGuest("undefined-instruction", "undefined", in: "main"),
    BrokenGuest("unaligned-double", "unaligned", in: "main"),
    BrokenGuest("unaligned-multiple", "unaligned", in: "main"),
    BrokenGuest("jump-to-arm", "invalidState"),
    BrokenGuest("read-unwritten", "unwrittenRead(address: 536895492"),
    BrokenGuest("divide-by-zero", "divideByZero", in: "main"),
    BrokenGuest("fault-in-fault", "lockup"),
    BrokenGuest("fault-in-fault", "resetsForEver"),
    BrokenGuest("reset-for-ever", "resetsForEver"),
    BrokenGuest("breakpoint", "breakpoint"),
    BrokenGuest("call-with-interrupts-off", "supervisorCallEscalated", in: "main"),
    BrokenGuest("never-enables", "refused(call: 75, SoftDevice.ErrorNumber(rawValue: 2))"),
    BrokenGuest("unknown-call", "unknownCall(254)"),
    BrokenGuest("bad-pointers", "badPointer(call: 114, address: 1879048192, count: 1)"),
    BrokenGuest("bad-pointers", "badPointer(call: 124, address: 4294967280, count: 31)"),
    BrokenGuest("bad-pointers", "badPointer(call: 98, address: 159744, count: 1)"),
    BrokenGuest("too-many-attributes", "refused(call: 168, SoftDevice.ErrorNumber(rawValue: 4))"),
    BrokenGuest("foreign-flash", "refused(call: 40, SoftDevice.ErrorNumber(rawValue: 15))"),
    BrokenGuest("foreign-flash", "refused(call: 41, SoftDevice.ErrorNumber(rawValue: 16))"),
    BrokenGuest("unfed-watchdog", "watchdog", after: 600),
    BrokenGuest("notification-storm", "notificationStorm(handle: 16)"),
    BrokenGuest("busy-storage", "storage(command: 2, Board.NORFlash.Refusal.busy)"),
    BrokenGuest("unknown-register", "register(address: 1073774592, isWrite: true)"),
  ]

  /// Guests that show nothing within the time that a test has. What they do not do shows from outside.
  static let silent = ["count-for-ever", "spin"]
}

@Suite struct BrokenGuestTests {
  /// What was found within so many milliseconds; the storm needs a phone.
  private static func findings(_ name: String, after time: UInt64 = 2) throws -> [ImageFinding] {
    var recorder = try Guests.recorder("\(name).elf")
    recorder.start()
    _ = recorder.wait(until: 1)
    if name == "notification-storm" { recorder.connectPhone(at: 1) }
    _ = recorder.wait(until: time)
    return recorder.findings
  }

  @Test(arguments: BrokenGuest.all) func isFound(_ guest: BrokenGuest) throws {
    let findings = try Self.findings(guest.name, after: guest.time)
    guard let finding = findings.first(where: { String(describing: $0).contains(guest.finding) }) else {
      Issue.record("\(findings)")
      return
    }
    guard let function = guest.function, case .fault(let fault) = finding else { return }
    #expect(try Guests.image("\(guest.name).elf").symbols.function(at: fault.programCounter)?.name == function)
  }

  /// What the machine does not model is told apart from what a guest did wrong.
  @Test(arguments: ["unknown-call", "unknown-register"]) func whatIsNotModelledIsNoFault(_ name: String) throws {
    let findings = try Self.findings(name)
    #expect(findings.count == 1, "\(findings)")
    #expect(findings.allSatisfy { $0.isLimitation }, "\(findings)")
  }

  /// A command that the chip has and the model has not says nothing about the image.
  @Test(arguments: [(.notModelled, true), (.unknown, false), (.busy, false)] as [(NORFlash.Refusal, Bool)])
  func aCommandThatIsNotModelledIsALimitation(_ reason: NORFlash.Refusal, _ isLimitation: Bool) {
    #expect(ImageFinding.storage(command: 0x5A, reason).isLimitation == isLimitation)
  }

  /// They come to an end, ask for nothing, and leave the machine as it can be used.
  @Test(arguments: BrokenGuest.silent) func aSilentGuestEndsWithTheTimeItIsGiven(_ name: String) throws {
    var recorder = try Guests.recorder("\(name).elf")
    recorder.start()
    let output = recorder.wait(until: 3)
    #expect(output.requests.isEmpty)
    #expect(recorder.isOn)
    recorder.take(.releaseRail, at: .init(nanoseconds: 4_000_000))
    #expect(!recorder.isOn)
  }

  /// Every file of the folder is in one of the tables above.
  @Test func everyGuestIsExpected() throws {
    let sources = try FileManager.default.contentsOfDirectory(
      at: Guests.folder.appending(path: "broken"), includingPropertiesForKeys: nil)
    let names = sources.filter { $0.pathExtension == "c" }.map { $0.deletingPathExtension().lastPathComponent }
    #expect(Set(names) == Set(BrokenGuest.all.map(\.name) + BrokenGuest.silent))
  }
}
