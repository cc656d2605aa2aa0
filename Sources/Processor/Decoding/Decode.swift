extension Encoding {
  func decode() -> Operation { undefined }
}
