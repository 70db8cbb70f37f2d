/// The systems whose Core Data has a framework version (docs/formats/core-data-sqlite.md 12).
enum FrameworkName {
  private static let known: [(number: Int, system: Int)] = [
    (641, 9), (754, 10), (847, 11), (866, 12), (977, 13), (1044, 14), (1145, 15), (1251, 16), (1333, 17),
    (1344, 17),
  ]

  /// `iOS 17`, `iOS 11 or 12` between two known versions, `before iOS 9`, or `later than iOS 17`.
  ///
  /// Apple's other systems that came out with this version of iOS have the same framework version.
  static func system(of number: Int) -> String {
    guard let last = known.last, number <= last.number else { return "later than iOS 17" }
    guard let above = known.firstIndex(where: { number <= $0.number }) else { return "unknown" }
    if number == known[above].number { return "iOS \(known[above].system)" }
    guard above > 0 else { return "before iOS 9" }
    let (older, newer) = (known[above - 1].system, known[above].system)
    return older == newer ? "iOS \(older)" : "iOS \(older) or \(newer)"
  }
}
