import HostStack

/// The progress of a version report.
struct VersionInquiry {
  /// The steps in their order.
  enum Step {
    case controller
    case deviceName
    case discoveringInformation
    case firmwareRevision
    case hardwareRevision
  }

  var step = Step.controller
  /// The client procedure on its way.
  var procedure: ClientToken?
  var report = VersionReport()
  /// The handle of the hardware revision.
  var hardwareRevision: AttributeHandle?
}
