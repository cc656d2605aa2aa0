/// What a bench file states about the firmware on a recorder.
extension RecorderPlace {
  /// The file that a probe writes into its flash, or compares it with, before a run; `nil` without a probe.
  package var flashImage: String? { (plan() as FlashPlan?)?.image }

  /// What its boot banner must name, or it is not used; `nil` where that does not matter.
  package var bannerImage: String? { (plan() as ConsolePlan?)?.image }
}
