import Testing
import Verdicts

@testable import Runner

/// Scenarios in which recorders and phones do what they should, although it looks otherwise from afar.
@Suite struct FairVerdicts {
  private static let press = "{device: {press: 1 s}}, {wait: 2 s}"
  private static let lastSecond = "{device: {set-clock: \"2099-12-31 23:59:59\"}}, \(press)"
  private static let owners =
    "given: {device: {}, phones: [{name: owner, bonded: true}, {name: other, interval: 400 ms}]}"

  /// Pairs the other phone this long after it connected, which was this long after the button was used.
  private static func slowPairing(after release: String, _ wait: String) -> String {
    """
    \(owners)
    steps: [{device: {press: 1 s}}, {wait: \(release)}, {phone: connect, as: other, within: 5 min}, {wait: \(wait)}, \
    {phone: pair, as: other, within: 5 min}, {wait: 3 s}]
    """
  }

  static let bodies: [(what: String, body: String)] = [
    (
      "the second phone lives in another zone",
      """
      given:
        device: {records: 1}
        phones: [{name: hers}, {name: his, clock: 2024-01-01 18:00:00}]
      steps: [{phone: connect, as: hers}, {phone: pair, as: hers}, {wait: 6 s}, {phone: disconnect, as: hers}, \
      {phone: connect, as: his}, {phone: pair, as: his}, {wait: 6 s}]
      """
    ),
    (
      "the phone's clock is set back when it has just given the time",
      """
      given: {phone: {bonded: true}}
      steps: [{phone: connect}, {eventually: time, within: 5 s}, {phone: {set-clock: {back: 1 h}}}, {wait: 3 s}]
      """
    ),
    (
      "the next seconds belong to records that were there",
      """
      given: {device: {records: {count: 5, seconds: 1 s, apart: 1 s}, clock: 2024-01-01 12:00:00}}
      steps: [{device: {set-clock: "2024-01-01 11:59:55"}}, {device: {press: 1 s}}, {wait: 1 s}]
      """
    ),
    (
      "a century ends",
      """
      given:
        device: {clock: 2099-12-31 23:59:40}
        phone: {bonded: true, clock: 2099-12-31 23:59:40}
      steps: [{phone: connect}, {wait: 6 s}, {phone: disconnect}, {wait: 20 s}, \(press), \(lastSecond), \(lastSecond), \
      \(lastSecond)]
      """
    ),
    ("a pairing ends after the window", slowPairing(after: "8 s", "4 s")),
    ("a pairing ends after strangers had to leave", slowPairing(after: "100 ms", "11500 ms")),
  ]

  @Test(arguments: bodies) func nobodyIsBlamed(_ what: String, _ body: String) throws {
    #expect(try Playing.run(body).verdict == .passed, "\(what)")
  }
}
