/// Sizes as text for people, the same in commands, messages and logs.
package enum ByteText {
  /// `512 bytes`, `1.5 KiB`, `23.4 MiB`.
  package static func of(_ bytes: Int64) -> String {
    var value = Double(bytes)
    var unit = ""
    // 1023.95 would be printed as 1024.0.
    for next in ["KiB", "MiB", "GiB", "TiB"] where value >= (unit.isEmpty ? 1024 : 1023.95) {
      value /= 1024
      unit = next
    }
    guard !unit.isEmpty else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    let tenths = Int64((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  package static func of(_ bytes: Int) -> String { of(Int64(bytes)) }

  /// The needed bytes, for a sentence that also states the free bytes: `3.2 GiB`.
  ///
  /// If more is needed than free, and both numbers would have the same text, the text is the difference:
  /// `12.0 MiB more`.
  package static func of(need: Int64, free: Int64) -> String {
    let text = of(need)
    return need > free && text == of(free) ? "\(of(need &- free)) more" : text
  }
}
