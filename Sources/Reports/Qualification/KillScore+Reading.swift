import Foundation
import Verdicts

extension KillScore {
  /// Octets of a result that are read at most.
  private static let limit = 1 << 24
  /// Faults that a result can tell of at most.
  private static let countLimit = 1_000_000

  /// The members of `mutate --format json` that are needed.
  private struct Document: Decodable {
    struct Count: Decodable {
      let noticed: Int
      let total: Int
    }

    let noticed: Int
    let total: Int
    let bySubject: [String: Count]

    private enum Key: String, CodingKey { case noticed, total, subjects }

    init(from decoder: any Decoder) throws {
      let object = try decoder.container(keyedBy: Key.self)
      noticed = try object.decode(Int.self, forKey: .noticed)
      total = try object.decode(Int.self, forKey: .total)
      bySubject = try object.decode([String: Count].self, forKey: .subjects)
    }
  }

  /// Reads a file that `mutate --format json` wrote.
  ///
  /// - Throws: why that is impossible.
  package init(file path: String) throws(SummaryFailure) {
    let document: Document
    do {
      document = try JSONDecoder().decode(Document.self, from: Data(try ReportFile.contents(path, limit: Self.limit)))
    } catch let error as DecodingError {
      throw SummaryFailure("\(path) is not a result of `mutate --format json`: \(SummaryFailure.sentence(error))")
    } catch {
      throw SummaryFailure("\(error)")
    }
    let subjects = document.bySubject.sorted { $0.key < $1.key }
      .map { Subject(name: $0.key, noticed: $0.value.noticed, total: $0.value.total) }
    self.init(noticed: document.noticed, total: document.total, subjects: subjects)
    let counts = [(noticed, total)] + subjects.map { ($0.noticed, $0.total) }
    guard counts.allSatisfy({ 0...Self.countLimit ~= $1 && 0...$1 ~= $0 }) else {
      throw SummaryFailure("\(path): expected numbers of faults from 0 to \(Self.countLimit), none noticed twice")
    }
  }
}
