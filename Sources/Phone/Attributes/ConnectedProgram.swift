/// The programs of a recorder that a phone can be connected with.
enum ConnectedProgram: Hashable {
  case application
  case bootloader
}
