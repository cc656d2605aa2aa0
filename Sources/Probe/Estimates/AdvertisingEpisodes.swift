import Timeline

/// When a recorder began to advertise and when it was heard last, from what a scanner heard.
package struct AdvertisingEpisode: Hashable, Sendable {
  /// The first advertisement, sent as soon as the recorder advertises.
  package var first: Instant
  /// The last one that was heard.
  package var last: Instant

  /// How long the recorder was heard.
  package var span: Duration { first.duration(to: last) }

  /// The episodes of what was heard: silence that is longer than `pause` lies between two of them.
  package static func episodes(_ heard: [Instant], pause: Duration) -> [AdvertisingEpisode] {
    var episodes: [AdvertisingEpisode] = []
    for instant in heard {
      if let last = episodes.last, last.last.duration(to: instant) <= pause {
        episodes[episodes.count - 1].last = instant
      } else {
        episodes.append(AdvertisingEpisode(first: instant, last: instant))
      }
    }
    return episodes
  }
}
