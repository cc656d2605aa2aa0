import HCI

@testable import Requirements

extension ServingMonitors {
  /// Who is known, and who is not any more.
  static let bonds: [Case] = [
    Case(RecognisesOwners.self, "shown", "the same key twice", [(0, .phone, .paired(nil)), (9, .phone, .encrypted)]),
    Case(
      RecognisesOwners.self, "violated", "no key any more",
      [(0, .phone, .paired(nil)), (9, .phone, .encryptionFailed(.pinOrKeyMissing))]),
    Case(
      RecognisesOwners.self, "notExercised", "no key, because power failed just after the pairing",
      [
        (0, .phone, .paired(nil)), world(900, .recorderPowered(recorder: 0, isOn: false)),
        (9, .phone, .encryptionFailed(.pinOrKeyMissing)),
      ]),
    Case(
      RecognisesOwners.self, "notExercised", "no key, because the air lost packets just after the pairing",
      [
        (0, .phone, .paired(nil)), world(900, .air(isClear: false)), (9, .phone, .encryptionFailed(.pinOrKeyMissing)),
      ]),
    Case(
      RecognisesOwners.self, "notExercised", "no key, because the air lost packets in the pairing",
      [
        world(9, .air(isClear: false)), (9, .phone, .paired(nil)), (9, .phone, .encryptionFailed(.pinOrKeyMissing)),
      ]),
    Case(
      RecognisesOwners.self, "violated", "no key, though power failed long after the pairing",
      [
        (0, .phone, .paired(nil)), world(1_100, .recorderPowered(recorder: 0, isOn: false)),
        (9, .phone, .encryptionFailed(.pinOrKeyMissing)),
      ]),
    Case(
      RecognisesOwners.self, "notExercised", "bonds deleted by hand",
      [
        (0, .phone, .paired(nil)), world(9, .bondsForgottenByHand(recorder: 0)),
        (9, .phone, .encryptionFailed(.pinOrKeyMissing)),
      ]),
    Case(
      RecognisesOwners.self, "notExercised", "bonds deleted by hand while the link was being encrypted",
      [
        (0, .phone, slow), world(9, .bondsForgottenByHand(recorder: 0)), (9, .phone, .encrypted),
        (9, .phone, down), (9, .phone, slow), (9, .phone, .encryptionFailed(.pinOrKeyMissing)),
      ]),
    Case(
      RecognisesOwners.self, "violated", "no key any more, in a link after bonds were deleted by hand",
      [
        (0, .phone, slow), world(9, .bondsForgottenByHand(recorder: 0)), (9, .phone, .paired(nil)), (9, .phone, down),
        (9, .phone, slow), (9, .phone, .encrypted), (9, .phone, down),
        (9, .phone, slow), (9, .phone, .encryptionFailed(.pinOrKeyMissing)),
      ]),
    Case(
      UnpairedKeysAreUseless.self, "violated", "the key of a phone that left",
      [(0, .phone, .unpairAnswered(isTaken: true)), (9, .phone, .encrypted)]),
    Case(
      UnpairedKeysAreUseless.self, "shown", "a key that is refused",
      [(0, .phone, .unpairAnswered(isTaken: true)), (9, .phone, .encryptionFailed(.pinOrKeyMissing))]),
    Case(
      UnpairedKeysAreUseless.self, "notExercised", "a link that ends before anybody knows",
      [
        (0, .phone, .unpairAnswered(isTaken: true)), (0, .phone, .linkDown(.remoteUserTerminatedConnection)),
        (9, .phone, .encrypted),
      ]),
    Case(
      UnpairedKeysAreUseless.self, "violated", "the key of a phone that left, and whose link was ended later",
      [
        (0, .phone, .unpairAnswered(isTaken: true)), (9_000, .phone, .linkDown(.remoteUserTerminatedConnection)),
        (9, .phone, .encrypted),
      ]),
    Case(
      UnpairedKeysAreUseless.self, "notExercised", "a phone that ended its link, when nothing was heard",
      [(0, .phone, .unpairAnswered(isTaken: true)), (4_000, .phone, down), (9, .phone, .encrypted)]),
    Case(
      UnpairedKeysAreUseless.self, "notExercised", "a link on which nothing was heard after the request",
      [
        (0, .phone, .unpairAnswered(isTaken: true)), (4_000, .phone, .linkDown(.connectionTimeout)),
        (9, .phone, .encrypted),
      ]),
    Case(
      UnpairedKeysAreUseless.self, "notExercised", "a new pairing",
      [(0, .phone, .unpairAnswered(isTaken: true)), (9, .phone, .pairingStarted), (9, .phone, .encrypted)]),
    Case(
      UnpairedKeysAreUseless.self, "notExercised", "a link that ends late, in air that loses packets",
      [
        world(0, .air(isClear: false)), (0, .phone, .unpairAnswered(isTaken: true)),
        (3_000, .phone, .linkDown(.remoteUserTerminatedConnection)), (9, .phone, .encrypted),
      ]),
    Case(
      UnpairedKeysAreUseless.self, "notExercised",
      "a link that ends late, when the air has lost packets since the request",
      [
        (0, .phone, .unpairAnswered(isTaken: true)), world(0, .air(isClear: false)), world(9, .air(isClear: true)),
        (3_000, .phone, .linkDown(.remoteUserTerminatedConnection)), (9, .phone, .encrypted),
      ]),
    Case(
      UnpairedKeysAreUseless.self, "violated", "a link that ends late, when the air is clear again",
      [
        world(0, .air(isClear: false)), world(9, .air(isClear: true)), (0, .phone, .unpairAnswered(isTaken: true)),
        (3_000, .phone, .linkDown(.remoteUserTerminatedConnection)), (9, .phone, .encrypted),
      ]),
  ]
}
