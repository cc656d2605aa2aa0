import Recorder
import Testing
import Timeline

@testable import Bench

@Suite struct DefaultAddresses {
  @Test func theyAreStaticAndBelongToSeedNumberAndTable() {
    let plan = RecorderPlan()
    let first = plan.address(number: 0, ChoiceSource(seed: 1))
    #expect(first.value >> 46 == 3)
    #expect(plan.address(number: 0, ChoiceSource(seed: 1)) == first)
    #expect(plan.address(number: 1, ChoiceSource(seed: 1)) != first)
    #expect(plan.address(number: 0, ChoiceSource(seed: 2)) != first)
    #expect(RecorderPlan.address(number: 0, table: [1, 2, 3], ChoiceSource(seed: 1)) != first)
  }
}
