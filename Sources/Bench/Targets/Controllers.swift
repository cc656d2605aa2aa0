import HCI
import Synchronization
import Timeline
import Transports
import World

/// Tells the person at the console what is to be known of the controllers of a run: where a server listens, who can reach
/// it, and what is special about a chip. Every scenario opens them anew, and each sentence is told once.
package final class OpeningNotes: Sendable {
  private let told = Mutex<[String]>([])
  private let tell: @Sendable (String) -> Void

  /// `tell` gets each new sentence, on whichever thread opens.
  package init(tell: @escaping @Sendable (String) -> Void) { self.tell = tell }

  /// Tells a sentence, unless it was told before.
  func add(_ sentence: String) {
    let isNew = told.withLock { told in
      if told.contains(sentence) { return false }
      told.append(sentence)
      return true
    }
    if isNew { tell(sentence) }
  }
}

extension ArraySlice<TransportSpecification> {
  /// Opens controllers, all or none.
  ///
  /// - Throws: ``ControlFailure/bench(_:)`` with what to do, when one cannot be opened.
  func open(
    on loop: EventLoop, _ options: OpeningOptions, _ notes: OpeningNotes?
  ) throws(ControlFailure) -> [any PacketPipe] {
    var pipes: [any PacketPipe] = []
    for controller in self {
      do throws(TransportFailure) {
        let pipe = try TransportOpening.open(
          controller, on: loop, options: options,
          whenListening: { opening in
            notes?.add("listening at \(opening.listeningAt?.description ?? "")")
            if let exposure = opening.exposure { notes?.add("WARNING: \(exposure)") }
          },
          whenOpened: { opening in for note in opening.notes { notes?.add(note) } })
        pipes.append(pipe)
      } catch {
        for pipe in pipes { pipe.close() }
        throw .bench("cannot open \(controller): \(error.problem)", advice: error.advice)
      }
    }
    return pipes
  }
}
