import DictofunProtocol
import Foundation
import Recorder
import Runner
import Synchronization
import World

/// The sounds that scenarios name: WAV files in the folder of scenarios. Each file is read once.
final class SoundFiles: SoundLibrary {
  private let folder: String
  private let source: NamedFiles
  private let known = Mutex<[String: [Int16]]>([:])

  init(folder: String = "scenarios", from source: NamedFiles = .onDisk) {
    self.folder = folder
    self.source = source
  }

  func samples(_ name: String) throws(ControlFailure) -> [Int16] {
    if let samples = known.withLock({ $0[name] }) { return samples }
    let path = "\(folder)/\(name)"
    guard let octets = try source.octets(name, folder) else { throw .impossible("cannot read \(path)") }
    let samples: [Int16]
    do {
      let file = try WaveFile(decoding: octets)
      samples = Resampler.convert(file.samples, from: file.sampleRate, to: RecordAudio.sampleRate)
    } catch {
      throw .impossible("\(path): \(error)")
    }
    known.withLock { $0[name] = samples }
    return samples
  }
}
