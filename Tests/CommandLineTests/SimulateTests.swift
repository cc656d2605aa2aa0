import Testing

@Suite struct Simulations {
  @Test func aControllerThatCannotBeReachedEndsWithThreeAndOneSentence() throws {
    let outcome = try Tool.run(["simulate", "--controller", "unix:/nowhere/controller"])
    #expect(outcome.status == 3 && outcome.output.isEmpty)
    #expect(outcome.trouble.hasPrefix("dictobench: unix:/nowhere/controller: "), "\(outcome.trouble)")
    #expect(outcome.trouble.split(separator: "\n").count == 1)
  }
}
