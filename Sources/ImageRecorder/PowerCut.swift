import DictofunProtocol
import Timeline

/// What a power cut at any instruction of a stretch does.
package struct PowerCut: Equatable, Sendable {
  /// The instant of the first instruction of the stretch.
  package var instant: Instant
  /// The first instruction: function and offset where the image names them.
  package var place: String
  /// Finished records before the cut that are not there any more after the next start, or have another content.
  package var lost: [RecordIdentifier]
  /// Whether there was an application, or one that waited to be put in place, and the bootloader does not start it any more.
  package var losesApplication = false
  /// What was found inside the chip after the cut that was not found before.
  package var findings: [ImageFinding]

  /// Whether nothing is lost and nothing is wrong.
  package var isHarmless: Bool { lost.isEmpty && !losesApplication && findings.allSatisfy(\.isLimitation) }
}
