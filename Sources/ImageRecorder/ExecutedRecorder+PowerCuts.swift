import Recorder
import Timeline

/// Power cuts in copies.
extension ExecutedRecorder {
  /// The next cycle at which a copy's power may have to be cut although the processor would run on: where the span begins
  /// and ends, and where the chip's flash has written a further word.
  @inline(always) var nextCut: UInt64? {
    guard let sweep else { return nil }
    let now = processor.cycles
    let begin = clock.cycle(at: sweep.span.lowerBound)
    guard now >= begin else { return begin }
    let end = clock.cycle(at: sweep.span.upperBound)
    guard now < end else { return nil }
    return min(end, softDevice.flashProgress(at: now)?.next ?? .max)
  }

  /// Cuts the power of a copy where a flash has changed since that was done last.
  mutating func cutCopies() {
    guard var sweep, processor.cycles >= clock.cycle(at: sweep.span.lowerBound) else { return }
    guard processor.cycles < clock.cycle(at: sweep.span.upperBound) else {
      sweep.note(executed: processor.executedInstructions)
      self.sweep = nil
      return
    }
    sweep.note(executed: processor.executedInstructions)
    let isNew = sweep.isNew(flashMark)
    // Between two pages of settings there may be none; what stood in them last still holds.
    if isNew, let settings = bootloaderSettings {
      sweep.hasApplication = settings.hasApplication || settings.waitingSize > 0
    }
    self.sweep = sweep
    if isNew { sweep.tell(cutInCopy(of: sweep)) }
  }

  /// Runs until the application has had its time, or for as long as that may take.
  private mutating func settle(from start: Instant, within longest: Duration) {
    var instant = start
    var end = start.advanced(by: longest)
    var isStarted = false
    while instant < end {
      instant = min(instant.advanced(by: PowerCutSweep.pause), end)
      timerFired(0, at: instant)
      if stage.isBootloader {
        (isStarted, end) = (false, start.advanced(by: longest))
      } else if !isStarted {
        (isStarted, end) = (true, min(end, instant.advanced(by: PowerCutSweep.settling)))
      }
    }
  }

  private var flashMark: PowerCutSweep.FlashMark {
    PowerCutSweep.FlashMark(
      storage: board.storage.operationCount, chip: processor.memory.readOnlyVersion,
      progress: softDevice.flashProgress(at: processor.cycles)?.steps)
  }

  /// What a power cut right now does, found out with a copy that runs for the sweep's `future` after its power came back.
  private func cutInCopy(of sweep: PowerCutSweep) -> PowerCut {
    let now = clock.instant(of: processor.cycles)
    let before = RecordFileSystem.records(board.storage)
    var copy = self
    copy.sweep = nil
    copy.output = RecorderOutput()
    copy.switchOff(.cut)
    let start = now.advanced(by: PowerCutSweep.pause)
    copy.take(.cutPower, at: start)
    copy.take(.releaseButton, at: start)
    copy.take(.holdRail, at: start)
    copy.settle(from: start, within: sweep.future)
    let after = RecordFileSystem.records(copy.board.storage)
    return PowerCut(
      instant: now, place: program.symbols.place(processor.programCounter),
      lost: before.filter { record in !after.contains(record) }.map(\.identifier),
      losesApplication: sweep.hasApplication && copy.stage.isBootloader,
      findings: Array(copy.findings.dropFirst(findings.count)))
  }
}
