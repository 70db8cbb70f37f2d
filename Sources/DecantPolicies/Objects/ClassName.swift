/// Compares names of classes, with or without their modules.
package enum ClassName {
  /// The registered class that a name stands for; `nil` if there is none, or more than one.
  package static func match(_ name: String, among names: [String]) -> String? {
    if names.contains(name) { return name }
    let near = names.filter { isSame(name, $0) }
    if !near.isEmpty { return near.count == 1 ? near.first : nil }
    guard let last = name.split(separator: ".").last else { return nil }
    let alike = names.filter { $0.split(separator: ".").last == last }
    return alike.count == 1 ? alike.first : nil
  }

  /// Whether two names are equal; modules are compared only if both names have one.
  ///
  /// Xcode writes `.Name` for a class of the current module.
  static func isSame(_ left: String, _ right: String) -> Bool {
    let (a, b) = (left.split(separator: "."), right.split(separator: "."))
    guard let last = a.last, last == b.last else { return false }
    return a.count == 1 || b.count == 1 || a == b
  }
}
