import Bytes
import DictofunProtocol
import Phone
import Testing

/// Random lives of a phone and its recorders, held against a model of a few lines.
struct LibraryModelTests {
  private struct Model {
    enum State { case announced, complete, removed }
    struct Entry {
      var size: UInt32
      var state: State
      var number: RecordNumber
    }
    struct Key: Hashable {
      var recorder: BluetoothAddress
      var identifier: RecordIdentifier
    }
    /// What is known of files that were never absent.
    var known: [Key: Entry] = [:]
    /// How many records the phone shows.
    var shown = 0
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func theLibraryDoesWhatTheModelDoes(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    var library = try PhoneLibrary(.file(folder.file("library")))
    var model = Model()
    let names = (0..<4).map { identifier("000024010112000\($0)") }
    for _ in 0..<200 {
      let recorder = Bool.random(using: &generator) ? recorderA : recorderB
      let key = Model.Key(recorder: recorder, identifier: names[Int.random(in: 0..<names.count, using: &generator)])
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...2:
        let list = names.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator))
        for name in names where !list.contains(name) {
          model.known[Model.Key(recorder: recorder, identifier: name)] = nil
        }
        let plan = try library.take(completeList: Array(list), from: recorder)
        let unfinished = list.filter {
          let entry = model.known[Model.Key(recorder: recorder, identifier: $0)]
          return entry == nil || entry?.state == .announced
        }
        #expect(plan.unfinished == unfinished)
        #expect(plan.settled.count == list.count - unfinished.count)
      case 3...6:
        try takeSize(UInt32.random(in: 0...2, using: &generator), key, &model, library)
      case 7, 8:
        guard let entry = model.known[key], entry.state == .complete else { continue }
        try library.remove(entry.number, at: second(1))
        model.known[key]?.state = .removed
        model.shown -= 1
      default:
        // The old connection must be gone before the file is opened again.
        library = try PhoneLibrary()
        library = try PhoneLibrary(.file(folder.file("library")))
      }
      #expect(try library.records().count == model.shown)
    }
  }

  /// Takes a size and, where the library wants the content, stores it three times out of four.
  private func takeSize(_ size: UInt32, _ key: Model.Key, _ model: inout Model, _ library: PhoneLibrary) throws {
    let known = model.known[key]
    let decision = try library.take(size: size, of: key.identifier, from: key.recorder)
    guard case .download(let number) = decision else {
      #expect(known?.size == size)
      #expect(decision == (known?.state == .removed ? .removed : .present(known?.number ?? RecordNumber(rawValue: 0))))
      return
    }
    if known?.state == .announced {
      #expect(number == known?.number)
    } else {
      #expect(known?.size != size)
      model.shown += 1
    }
    model.known[key] = Model.Entry(size: size, state: .announced, number: number)
    if number.rawValue % 4 != 0 {
      try library.store([UInt8](repeating: 5, count: Int(size)), in: number, at: second(2))
      model.known[key]?.state = .complete
    }
  }
}
