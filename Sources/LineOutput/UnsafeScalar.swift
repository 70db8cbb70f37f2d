extension Unicode.Scalar {
  /// Whether the scalar is a control character, ends a line, or changes the direction of writing.
  package var isUnsafe: Bool {
    switch value {
    case 0..<0x20, 0x7f..<0xa0, 0x2028, 0x2029, 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069: true
    default: false
    }
  }
}
