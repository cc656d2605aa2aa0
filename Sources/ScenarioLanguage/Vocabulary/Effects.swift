/// A part of a product's state on which the outcome of a verb depends, such as what a recorder stores.
///
/// A target that cannot bring this state about does not perform scenarios with such a verb.
public struct ProductState: Hashable, Sendable {
  /// One word for it.
  public let name: String

  /// A part of a product's state.
  public init(_ name: String) { self.name = name }
}

/// Something that has to be done to a real product so that a verb happens, such as pressing a button.
///
/// A bench knows for each of them whether a program, an instrument or a person does it.
public struct Actuation: Hashable, Sendable {
  /// To whose product it is done.
  public let actor: Actor
  /// Its name among those of the same actor.
  public let name: String

  /// Something that is done to a product.
  public init(of actor: Actor, _ name: String) {
    self.actor = actor
    self.name = name
  }
}
