internal import DecantMapping
internal import DecantReport

/// All faults in the mapping models of a step, for one failure that lists them.
package struct MappingModelFaults {
  static let shown = 20

  /// Sentences without the file's name, in the order in which the faults were found.
  private var problems: [(path: String, sentence: String)] = []
  /// The excerpt of the file at the first fault, if it has one; shown only if there is no other fault.
  private var excerpt: [String] = []

  var isEmpty: Bool { problems.isEmpty }

  mutating func note(_ error: MappingModelError, of path: String) {
    for part in error.parts {
      let sentence = part.sentence
      let start = "\(path) "
      problems.append(
        (path, sentence.hasPrefix(start) ? "it \(sentence.dropFirst(start.count))." : "\(sentence)."))
    }
    if problems.count == 1 { excerpt = error.excerpt }
  }

  mutating func note(_ findings: [MappingFinding], of reading: MappingModelReading) {
    for finding in findings {
      // The file is read again for each line number, so only the faults that are shown get one.
      let place = problems.count < Self.shown ? reading.place(of: finding) : nil
      var finding = finding
      finding.path = nil
      problems.append((reading.file.path, "\(place.map { "line \($0.line): " } ?? "")\(finding)"))
      if problems.count == 1 { excerpt = place?.excerpt ?? [] }
    }
  }

  func failure(family: String) -> MigrationFailure? {
    guard let first = problems.first else { return nil }
    var paths: [String] = []
    for problem in problems where !paths.contains(problem.path) { paths.append(problem.path) }
    let message: String
    var details: [String] = []
    if problems.count == 1 {
      message =
        first.sentence.hasPrefix("it ")
        ? "\(first.path) \(first.sentence.dropFirst(3))" : "\(first.path): \(first.sentence)"
    } else {
      message = "\(paths.joined(separator: ", ")) can't be used, for \(problems.count) reasons:"
      details = problems.prefix(Self.shown).map {
        paths.count == 1 ? $0.sentence : "\($0.path): \($0.sentence)"
      }
      if problems.count > Self.shown {
        details.append(
          "and \(problems.count - Self.shown) more: run "
            + paths.map { "“decant mapping \($0)”" }.joined(separator: ", "))
      }
    }
    return MigrationFailure(
      .badMappingModel, message: message,
      excerpt: problems.count == 1 ? excerpt : [], details: details,
      advice:
        "Fix \(paths.count == 1 ? "that file" : "these files"). Until then, stores whose path has this step can't be "
        + "migrated.",
      family: family)
  }
}
