/// Finds types of the app that a file uses, but that are only in files which the worker doesn't get.
enum MissingTypes {
  /// - Parameter chosen: The paths of the files that the worker gets.
  static func apply(to file: inout PortedCode, _ types: AppTypes, chosen: Set<String>) {
    var seen: Set<String> = []
    for index in file.code.tokens.indices {
      guard let name = file.code.name(at: index), let owners = types.owners[name],
        owners.isDisjoint(with: chosen), !file.code.isMark(".", at: index - 1), seen.insert(name).inserted
      else { continue }
      file.leave(
        at: index, "\(name) is declared in \(owners.sorted().joined(separator: ", ")), which isn't copied")
    }
  }
}
