internal import DecantModel
internal import Foundation

extension MappingModelReading {
  /// Whether a finding is certain, and not only a consequence of an unreadable part of a text.
  func holds(_ finding: MappingFinding) -> Bool {
    guard let mapping = text?.entityMappings.first(where: { $0.compiledName == finding.entityMapping }) else {
      return true
    }
    if !mapping.isWhole || finding.severity == .warning && mapping.isChoiceUnread { return false }
    return finding.property.map { !mapping.unreadRows.contains($0) } ?? true
  }

  /// Gives one finding for each open change; it replaces the findings of the properties for which the open change has
  /// lines.
  func namingUndecided(_ findings: [MappingFinding]) -> [MappingFinding] {
    guard let draft = text, findings.contains(where: { $0.property != nil }),
      let data = try? MappingFileContent.read(URL(fileURLWithPath: file.path))
    else { return findings }
    var named: [MappingFinding] = []
    for finding in findings {
      guard let property = finding.property,
        let index = draft.entityMappings.firstIndex(where: { $0.compiledName == finding.entityMapping }),
        let change = UndecidedChange(of: property, index, in: data)
      else {
        named.append(finding)
        continue
      }
      let open = change.finding(finding)
      // Each open change gets only one finding, with the highest severity.
      let known = named.firstIndex { $0.entityMapping == open.entityMapping && $0.problem == open.problem }
      if let known {
        if open.severity == .error { named[known].severity = .error }
      } else {
        named.append(open)
      }
    }
    return named
  }

  /// The line of a finding in a text, from 1, with an excerpt.
  ///
  /// The file is read again.
  ///
  /// - Returns: `nil` for a mapping model that isn't a text, for a finding about the whole mapping model, for a file
  ///   that can't be read, and if the place isn't found. The excerpt is empty for an open change.
  public func place(of finding: MappingFinding) -> (line: Int, excerpt: [String])? {
    guard let draft = text, let name = finding.entityMapping,
      let index = draft.entityMappings.firstIndex(where: { $0.compiledName == name }),
      let data = try? MappingFileContent.read(URL(fileURLWithPath: file.path))
    else { return nil }
    let mapping: [JSON5Step] = [.key("entityMappings"), .index(index)]
    var places: [[JSON5Step]] = []
    if let property = finding.property {
      places = (finding.key.map { [$0] } ?? ["attributes", "relationships"])
        .map { mapping + [.key($0), .key(property)] }
    } else if let key = finding.key {
      places = [mapping + [.key(key)]]
    }
    if let property = finding.property, let change = UndecidedChange(of: property, index, in: data) {
      return (change.line, [])
    }
    guard let place = (places + [mapping]).lazy.compactMap({ JSON5Value.place(of: $0, in: data) }).first else {
      return nil
    }
    let excerpt = TextExcerpt(data, line: place.line, column: place.column, focus: finding.focus)
    return (place.line, excerpt.lines)
  }
}
