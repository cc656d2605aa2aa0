import HCI
import Timeline

/// The air between virtual controllers: who is there, and everything that can be done to what passes between them.
///
/// Every choice is a named draw of the loop: `air.loss.<from>-<to>` for packets, `air.contest` where two answers meet.
/// It belongs to the thread of its loop.
package final class Air {
  /// The loop in whose time everything happens.
  package var loop: EventLoop { medium.loop }
  /// Whether advertising PDUs that overlap on one channel spoil each other.
  package var collisions: Bool {
    get { channels.schedule.collisions }
    set { channels.schedule.collisions = newValue }
  }
  /// Sees every packet on the air. Connection events that are skipped because nothing happens in them are not seen;
  /// those of one connection event are told together when it begins.
  package var observer: ((AirObservation) -> Void)? {
    get { medium.observer }
    set {
      medium.observer = newValue
      if newValue != nil { wakeAdvertisers() }
    }
  }

  /// Hears what passes between controllers and changes nothing by it: a run with a listener is the same as without.
  package var listener: ((AirObservation) -> Void)? {
    get { medium.listener }
    set { medium.listener = newValue }
  }

  let medium: Medium
  let channels: AdvertisingChannels
  private var controllers: [VirtualController] = []
  private var stationCount = 0

  /// An empty air, free of loss. It is closed when its loop discards its events.
  package init(loop: EventLoop) {
    medium = Medium(loop: loop)
    channels = AdvertisingChannels(on: medium)
    // Air and controllers hold each other for as long as they may meet.
    loop.atEnd { [weak self] in self?.close() }
  }

  /// Switches every controller off and forgets all of it, so that nothing keeps anything alive: the end of a run.
  package func close() {
    let present = controllers
    controllers = []
    medium.clear()
    for controller in present { controller.close() }
  }

  // MARK: Disturbing

  /// Loses this many packets per million from one controller to the other: unnoticed, or with a wrong CRC.
  package func setLoss(
    from sender: VirtualController, to receiver: VirtualController, lostPartsPerMillion: UInt32,
    corruptedPartsPerMillion: UInt32 = 0
  ) {
    medium.change { medium in
      let path = medium.path(from: sender, to: receiver)
      path.lossPartsPerMillion = lostPartsPerMillion
      path.corruptionPartsPerMillion = corruptedPartsPerMillion
    }
  }

  /// Loses packets from one controller to the other in bursts; `nil` ends it.
  package func setBurstLoss(from sender: VirtualController, to receiver: VirtualController, _ burst: BurstLoss?) {
    medium.change { $0.path(from: sender, to: receiver).burst = burst }
  }

  /// Sets the distance between two controllers, in millimetres.
  package func setDistance(_ one: VirtualController, _ other: VirtualController, millimetres: Int) {
    medium.change { medium in
      medium.path(from: one, to: other).millimetres = millimetres
      medium.path(from: other, to: one).millimetres = millimetres
    }
  }

  /// Lets nothing pass between two controllers, or lets it pass again; a link between them ends when its supervision
  /// time-out has passed.
  package func setBroken(_ one: VirtualController, _ other: VirtualController, _ isBroken: Bool) {
    medium.change { medium in
      medium.path(from: one, to: other).isBroken = isBroken
      medium.path(from: other, to: one).isBroken = isBroken
    }
  }

  /// Lets nothing pass anywhere from now plus `delay`, for `duration`.
  package func blackOut(after delay: Duration = .zero, for duration: Duration) {
    medium.change { $0.addBlackout(after: delay, for: duration) }
  }

  /// Ends every blackout, those that have not begun included.
  package func endBlackouts() { medium.change { $0.removeBlackouts() } }

  /// Disturbs every path with something that comes and goes, such as a microwave oven; `nil` ends it.
  package func setInterference(_ interference: Interference?) {
    medium.change { $0.interference = interference }
  }

  // MARK: Measuring

  /// The longest time for which one connection kept the radio of its peripheral, those that are not over included: from the
  /// anchor of each connection event that it attended to the inter-frame space after the last packet. `nil` while there
  /// was no connection.
  package var longestRadioTime: Duration? { medium.longestRadioTime.map { .nanoseconds(Int64(clamping: $0)) } }

  /// How long the radios of all peripherals were on until now.
  package var radioUse: RadioUse {
    var use = medium.advertised
    for controller in controllers { controller.advertiser?.addUse(to: &use) }
    use.connected += .nanoseconds(Int64(clamping: medium.totalRadioTime))
    return use
  }

  /// Octets of notified values that the peripherals of a central can send in a second with this ATT_MTU, at least 23, as
  /// its fastest connection stands now; `nil` without one.
  package func notifiedOctetsPerSecond(to central: VirtualController, maximumTransmissionUnit: UInt16) -> Int64? {
    central.links.filter { $0.role == .central }
      .map { $0.link.capacity.octetsPerSecond(maximumTransmissionUnit: Int(maximumTransmissionUnit)) }.max()
  }

  // MARK: Stations

  func attach(_ controller: VirtualController) -> Int {
    controllers.append(controller)
    stationCount += 1
    return stationCount - 1
  }

  func detach(_ controller: VirtualController) {
    controllers.removeAll { $0 === controller }
    setListening(controller, false)
    medium.removePaths(of: controller)
  }

  func setListening(_ controller: VirtualController, _ isListening: Bool) {
    if channels.setListening(controller, isListening) { wakeAdvertisers() }
  }

  private func wakeAdvertisers() {
    for controller in controllers { controller.advertiser?.wake() }
  }
}
