import Probe
import Timeline

extension Prober {
  /// How long advertisements are listened to: a recorder that was just woken stays awake for longer.
  static let listening = Duration.seconds(12)

  /// Takes what was heard in a scan.
  mutating func takeAdvertisements(since began: Instant) {
    let heard = log.advertisements(of: address, since: began)
    recorder.advertisingData = heard.first { !$0.isResponse }?.data
    recorder.scanResponse = heard.first(where: \.isResponse)?.data
    recorder.keep(
      .advertisingInterval, AdvertisingGaps.figure(log.heard(address, since: began)),
      otherwise: "fewer than two advertisements were heard")
  }
}
