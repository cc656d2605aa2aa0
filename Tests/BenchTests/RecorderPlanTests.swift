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

  /// Phones remember the table of an address they know: whatever shows them another needs another address, and whatever
  /// shows the same may keep its own.
  @Test func theyDifferExactlyWhereWhatPhonesDiscoverDiffers() {
    let profiles = [RecorderProfile.reference] + RecorderFault.all.map { RecorderProfile.reference.with($0) }
    for profile in profiles {
      var plan = RecorderPlan()
      plan.profile = profile
      let isSame = profile.attributes.discovered == RecorderProfile.reference.attributes.discovered
      let address = plan.address(number: 0, ChoiceSource(seed: 1))
      #expect((address == RecorderPlan().address(number: 0, ChoiceSource(seed: 1))) == isSame, "\(profile.name)")
    }
  }
}
