/// How far all passes are, as a person likes to read it.
struct PassProgress {
  let pass: Int
  let passes: Int
  let name: String
  private var last = ""

  init(pass: Int, of passes: Int, name: String) {
    (self.pass, self.passes, self.name) = (pass, passes, name)
  }

  /// A line where there is news.
  ///
  /// - Parameters:
  ///   - part: What is done of this pass, from 0 to 1.
  ///   - entityMapping: The one that is at work.
  mutating func line(for part: Float, in entityMapping: String) -> String? {
    let percent = Int((Float(pass - 1) + part) / Float(passes) * 100)
    let line =
      "\(percent) %: pass \(pass) of \(passes), \(name)" + (entityMapping.isEmpty ? "" : ", \(entityMapping)")
    defer { last = line }
    return line == last ? nil : line
  }
}
