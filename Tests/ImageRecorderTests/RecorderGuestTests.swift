import Board
import DictofunProtocol
import FirmwareImages
import Foundation
import HostStack
import Recorder
import Testing

@testable import ImageRecorder

@Suite struct RecorderGuestTests {
  @Test(arguments: [("recorder-s140.elf", BoardDescription.s140), ("recorder-s132.elf", BoardDescription.s132)])
  func advertisesOnItsBoardWithoutAFinding(_ file: String, _ board: BoardDescription) throws {
    #expect(ImageProgram.board(for: try Guests.image(file)) == board)
    var recorder = try Guests.recorder(file, on: board)
    recorder.start()
    let output = recorder.wait(until: 200)
    #expect(recorder.findings.isEmpty, "\(recorder.findings)")
    let advertisements = output.requests.compactMap { request -> Advertisement? in
      if case .setAdvertising(let advertisement) = request { advertisement } else { nil }
    }
    #expect(advertisements.map(\.intervalUnits) == [200])
    #expect(advertisements.first?.data.count == 31)
  }

  @Test func onTheWrongBoardItIsRefused() throws {
    #expect(throws: ImageFailure.self) { try Guests.recorder("recorder-s132.elf", on: .s140) }
    // It begins behind the other SoftDevice's end, but its stack lies outside the smaller RAM.
    #expect(throws: ImageFailure.self) { try Guests.recorder("recorder-s140.elf", on: .s132) }
  }

  /// The SoftDevice writes to the same flash as firmware without it.
  @Test func theSoftDeviceWritesAsFastAsTheChip() throws {
    let settings = try Guests.recorder("recorder-s132.elf", on: .s132).softDevice.settings
    #expect(settings.wordCycles == 21_632)
    #expect(settings.eraseCycles == 5_740_800)
  }

  @Test func bothFormatsAreOneImage() throws {
    let (elf, hex) = (try Guests.image("recorder-s140.elf"), try Guests.image("recorder-s140.hex"))
    #expect(elf.digest == hex.digest)
    #expect(elf.symbols.functions.contains { $0.name == "main" })
  }

  /// A press of the button is a record on the flash, of the length of the press.
  @Test func recordsWhileTheButtonIsDown() throws {
    var recorder = try Guests.recorder("recorder-s140.elf")
    recorder.take(.pressButton, at: .zero)
    _ = recorder.wait(until: 1000)
    recorder.take(.releaseButton, at: .init(nanoseconds: 1_000_000_000))
    let output = recorder.wait(until: 1200)
    let records = recorder.inspect(at: .zero).records ?? []
    #expect(records.count == 1)
    #expect(records.first.map { abs($0.content.count - 8000) < 200 } == true)
    #expect(records.first?.content.prefix(14) == ArraySlice(Array("adpcm;16000;2".utf8) + [0]))
    #expect(output.requests.contains { if case .setAdvertising = $0 { true } else { false } })
    #expect(recorder.findings.isEmpty, "\(recorder.findings)")
  }

  /// A table holds 253 records, and the flash 65,520 pages, of which the table takes 32 and a new record two. A press for which
  /// there is no room tells so.
  @Test(arguments: [(252, 64, true), (253, 64, false), (2, 256 * 32_743 - 1, true), (2, 256 * 32_743, false)])
  func tellsThatItsMemoryIsFull(_ count: Int, _ size: Int, _ hasRoom: Bool) throws {
    var recorder = try Guests.recorder("recorder-s140.elf")
    for number in 0..<count {
      let identifier = try #require(RecordIdentifier(String(format: "202401011200%04d", number)))
      let record = PlacedRecord(identifier: identifier, content: [UInt8](repeating: 0, count: size))
      recorder.take(.placeRecord(record), at: .zero)
    }
    recorder.take(.pressButton, at: .zero)
    let events = recorder.wait(until: 1000).events
    #expect(events.contains { if case .memoryFull = $0 { true } else { false } } != hasRoom)
    #expect(events.contains { if case .recordBegan = $0 { true } else { false } } == hasRoom)
  }

  /// What is kept as built is what the sources make. Another compiler makes something else; then the script says so.
  @Test func whatIsKeptIsWhatTheSourcesMake() throws {
    let script = Process()
    script.executableURL = Guests.folder.appending(path: "build")
    script.arguments = ["--check"]
    let output = Pipe()
    script.standardOutput = output
    script.standardError = output
    try script.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    script.waitUntilExit()
    // 3: there is no compiler at all.
    #expect(script.terminationStatus == 0 || script.terminationStatus == 3, "\(text)")
    #expect(["compared", "not compared", "no arm-none-eabi-gcc"].contains { text.contains($0) }, "\(text)")
  }
}
