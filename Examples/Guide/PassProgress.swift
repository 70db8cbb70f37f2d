/// The progress over all passes, as text for people.
struct PassProgress {
  let pass: Int
  let passes: Int
  let name: String
  private var last = ""

  init(pass: Int, of passes: Int, name: String) {
    (self.pass, self.passes, self.name) = (pass, passes, name)
  }

  /// A line for the current progress; `nil` if it would repeat the last line.
  ///
  /// - Parameters:
  ///   - part: The finished part of this pass, from 0 to 1.
  ///   - entityMapping: The name of the current entity mapping; empty for none.
  mutating func line(for part: Float, in entityMapping: String) -> String? {
    let percent = Int((Float(pass - 1) + part) / Float(passes) * 100)
    let line =
      "\(percent) %: pass \(pass) of \(passes), \(name)" + (entityMapping.isEmpty ? "" : ", \(entityMapping)")
    defer { last = line }
    return line == last ? nil : line
  }
}
