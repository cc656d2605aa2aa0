/// The three advertising channels of an air: who listens there, and which PDUs overlap.
final class AdvertisingChannels {
  /// When PDUs are sent, and whether overlapping ones spoil each other.
  let schedule: AdvertisementSchedule
  /// Controllers that scan or initiate, in the order in which they began.
  private(set) var listeners: [any AdvertisingController] = []

  init(on medium: Medium) { schedule = AdvertisementSchedule(on: medium) }

  /// Notes whether a controller listens. Returns whether it began to.
  func setListening(_ controller: any AdvertisingController, _ isListening: Bool) -> Bool {
    let index = listeners.firstIndex { $0 === controller }
    if isListening, index == nil {
      listeners.append(controller)
      return true
    }
    if !isListening, let index { listeners.remove(at: index) }
    return false
  }
}
