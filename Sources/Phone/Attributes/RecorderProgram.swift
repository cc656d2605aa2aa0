/// The programs of a recorder that a phone can be connected with.
enum RecorderProgram: Hashable {
  case application
  case bootloader
}
