import DictofunProtocol
import Foundation
import Recorder
import Runner
import Synchronization
import World

/// The sounds that scenarios name: WAV files in the folder of scenarios. Each file is read once.
final class SoundFiles: SoundLibrary {
  private let folder: String
  private let known = Mutex<[String: [Int16]]>([:])

  init(folder: String = "scenarios") { self.folder = folder }

  func samples(_ name: String) throws(ControlFailure) -> [Int16] {
    if let samples = known.withLock({ $0[name] }) { return samples }
    let path = "\(folder)/\(name)"
    // A link must not lead out of the folder either.
    let found = ProgramData.place(path)
    let place = Self.absolute(found)
    guard place.hasPrefix(Self.absolute(String(found.dropLast(name.count + 1))) + "/") else {
      throw .impossible("\(path) leads out of \(folder)")
    }
    guard let data = FileManager.default.contents(atPath: place) else { throw .impossible("cannot read \(path)") }
    let samples: [Int16]
    do {
      let file = try WaveFile(decoding: Array(data))
      samples = Resampler.convert(file.samples, from: file.sampleRate, to: RecordAudio.sampleRate)
    } catch {
      throw .impossible("\(path): \(error)")
    }
    known.withLock { $0[name] = samples }
    return samples
  }

  private static func absolute(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }
}
