import Recorder
import Testing

@testable import Proof

@Suite struct Certificates {
  private static func certificate(_ plan: MeetingPlan) throws -> String {
    let space = try StateSpace(plan)
    #expect(Counterexample(space, Ranks(space)) == nil)
    return Certificate.text(of: space, Ranks(space).ranks.compactMap(\.self))
  }

  /// A certificate with its lines changed: the first two are its head.
  private static func changed(_ text: String, _ change: (inout [String]) -> Void) -> String {
    var lines = text.split(separator: "\n").map(String.init)
    change(&lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func refusal(_ text: String, _ plan: MeetingPlan) throws -> String? {
    do { _ = try CertificateChecker.check(text, about: plan) } catch let refusal as CertificateChecker.Refusal {
      return "\(refusal)"
    }
    return nil
  }

  @Test func theCheckerAgrees() throws {
    let plan = try plan(disturbances: 2)
    let space = try StateSpace(plan)
    let report = try CertificateChecker.check(try Self.certificate(plan), about: plan)
    #expect(report.states == space.nodes.count)
    #expect(report.moves == space.nodes.reduce(0) { $0 + $1.edges.count })
    #expect(report.highestRank == Ranks(space).ranks.compactMap(\.self).max())
    #expect(try Self.certificate(plan) == Self.certificate(plan))
  }

  @Test func theCheckerRefusesWhatIsChanged() throws {
    let plan = try plan()
    let text = try Self.certificate(plan)
    let changes: [(name: String, reason: String, change: (inout [String]) -> Void)] = [
      ("a move leads elsewhere", "does not lead to state", { $0[2] = $0[2].replacing("sync>1", with: "sync>2") }),
      ("a move leads nowhere", "does not lead to state", { $0[2] = $0[2].replacing("sync>1", with: "sync>999999") }),
      (
        "a move is left out", "possible are",
        {
          $0[2] = $0[2].replacing(" power-cut", with: " #").split(separator: " ").filter { !$0.hasPrefix("#") }.joined(
            separator: " ")
        }
      ),
      ("a rank is too low", "not below", { $0[2] = Self.ranked($0[2], 1) }),
      ("a rank is too high", "not below", { $0[3] = Self.ranked($0[3], 1_000) }),
      (
        "all ranks are too high", "is not one above",
        { $0 = $0.prefix(2) + $0.dropFirst(2).map { Self.ranked($0, (Int($0.split(separator: " ")[1]) ?? 0) + 1_000) } }
      ), ("a rank is as high as can be", "is not one above", { $0[2] = Self.ranked($0[2], .max) }),
      ("the last state is missing", "does not lead to state", { $0.removeLast() }),
      ("a state comes twice", "no earlier state leads here", { $0.append($0[2]) }),
      ("the beginning is missing", "the first state is not the beginning", { $0.remove(at: 2) }),
      ("a line is no state", "expected a digest, a rank and moves", { $0[4] = "nothing" }),
      ("it is about something else", "expected a certificate about", { $0[1] += " more" }),
      ("it is no certificate", "expected dictobench-certificate 1", { $0[0] = "{}" }),
      ("there are no states", "the first state is not the beginning", { $0.removeLast($0.count - 2) }),
    ]
    #expect(try Self.refusal(text, plan) == nil)
    for (name, reason, change) in changes {
      let refusal = try Self.refusal(Self.changed(text, change), plan)
      #expect(refusal?.contains(reason) == true, "\(name): \(refusal ?? "accepted")")
    }
    #expect(try Self.refusal(String(text.dropLast(9)), plan)?.contains("breaks off") == true)
    #expect(try Self.refusal("", plan) != nil)
  }

  private static func ranked(_ line: String, _ rank: Int) -> String {
    var words = line.split(separator: " ").map(String.init)
    words[1] = "\(rank)"
    return words.joined(separator: " ")
  }

  /// One transition of the engine is broken, and nobody says so: the good engine's certificate does not hold for it.
  @Test(arguments: ["deaf-after-break", "deaf-after-second-request", "keeps-waiting-request", "list-omits-newest"])
  func theCheckerRefusesABrokenEngine(_ fault: String) throws {
    let text = try Self.certificate(plan(disturbances: 2))
    let broken = try plan(disturbances: 2) {
      $0.profile = $0.profile.with(try #require(RecorderFault(fault)))
      $0.profile.name = "reference"
    }
    let refusal = try #require(try Self.refusal(text, broken))
    #expect(refusal.hasPrefix("line "))
  }
}
