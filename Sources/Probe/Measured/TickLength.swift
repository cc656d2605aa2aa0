import Recorder

extension MeasuredRecorder {
  /// Time-outs that must be off by one common factor before that is taken for the length of a tick.
  static let timeOutsForTick = 3

  /// Every time-out may be off by half a hundredth besides: no crystal is, but a busy host tells times late.
  private static let slackDivisor: Int64 = 200

  /// Takes the time awake without a record for no more than an upper bound where traffic would have kept the recorder awake
  /// for as long.
  package mutating func boundNoRecord() {
    guard var noRecord = figures[.noRecord], let keepAlive = figures[.keepAlive],
      noRecord.value - noRecord.spread <= keepAlive.value + keepAlive.spread * 3
    else { return }
    noRecord.spread = (noRecord.value + noRecord.spread) / 2
    noRecord.value = noRecord.spread
    noRecord.method += "; it may be anything up to keep-alive"
    figures[.noRecord] = noRecord
  }

  /// Finds out whether the recorder's ticks are longer or shorter than the twin's: then all its time-outs are off by the
  /// same factor.
  package mutating func findTick(_ twin: RecorderProfile) {
    let timers = ProbedConstant.allCases.filter { $0.tellsTicks && figures[$0] != nil }
    guard timers.count >= Self.timeOutsForTick else {
      return keep(.tick, missing: "needs \(Self.timeOutsForTick) time-outs to compare, but got \(timers.count)")
    }
    var measurement = Measurement(.rate, "the common factor of \(timers.count) time-outs")
    for timer in timers {
      guard let figure = figures[timer], figure.value / 2 > figure.spread else { continue }
      let slack = figure.spread + figure.value / Self.slackDivisor
      // A longer time-out is a slower tick.
      let ticks = Int128(ProbedConstant.tick.value(of: twin)) * Int128(timer.value(of: twin))
      measurement.add(
        .init(
          Int64(clamping: ticks / Int128(figure.value + slack)),
          Int64(clamping: ticks / Int128(figure.value - slack))))
    }
    guard let lower = measurement.samples.map(\.lower).max(), let upper = measurement.samples.map(\.upper).min(),
      lower <= upper
    else { return keep(.tick, missing: "its time-outs are not off by one common factor") }
    var figure = measurement.figure
    let least = ProbedConstant.tick.value(of: twin) / Self.slackDivisor
    if let spread = figure?.spread { figure?.spread = max(spread, least) }
    keep(.tick, figure, otherwise: "no time-out was measured")
  }
}
