import Testing

@testable import Requirements

/// What the monitors make of an image that a recorder's chip executes.
extension Monitors {
  /// Each kind of defect with the requirement that forbids it.
  private static let defects: [(ExecutionDefect, String)] = [
    (.access, "IMG-1"), (.wildExecution, "IMG-2"), (.stackOverrun, "IMG-3"), (.reset, "IMG-4"), (.stuck, "IMG-5"),
    (.unwrittenRead, "IMG-6"), (.badCall, "IMG-7"),
  ]

  static let execution: [Case] = defects.flatMap { defect, requirement in
    [
      Case(requirement, "notExercised", "a recorder that is a model") {
        $0.state(.recorderPowered(recorder: 0, isOn: true))
      },
      Case(requirement, "shown", "an image without a defect") { $0.state(.execution(.began(recorder: 0))) },
      Case(requirement, "shown", "an image with what is not modelled, and another defect") {
        $0.state(.execution(.began(recorder: 0)))
        $0.state(.execution(.notModelled(recorder: 0, "a register")))
        $0.state(.execution(.defect(recorder: 0, defect == .access ? .stuck : .access, "elsewhere")))
      },
      Case(requirement, "violated", "\(defect)") {
        $0.state(.execution(.began(recorder: 0)))
        $0.state(.execution(.defect(recorder: 0, defect, "at a place")))
      },
    ]
  }

  @Test func everyDefectHasItsRequirement() {
    #expect(Self.defects.map(\.0) == ExecutionDefect.allCases)
  }
}
