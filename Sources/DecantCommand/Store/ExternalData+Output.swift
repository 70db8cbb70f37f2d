internal import DecantConsole
internal import DecantMigration
internal import DecantModel

extension ExternalData {
  var text: String {
    var parts: [String] = []
    if references > 0 {
      parts.append(
        counted(references, "value") + " in files"
          + (isThere ? "" : link == nil ? "; THE FOLDER IS MISSING" : "; THE FOLDER IS A LINK"))
      if isThere, missingCount > 0 { parts.append("\(grouped(missingCount)) MISSING") }
    } else if isThere {
      parts.append("a folder, but no value uses it")
    }
    if inline > 0 { parts.append(counted(inline, "value") + " kept inline") }
    if malformedCount > 0 { parts.append("\(grouped(malformedCount)) MALFORMED") }
    if let unusedCount, unusedCount > 0 { parts.append("\(counted(unusedCount, "file")) unused") }
    return parts.isEmpty ? "none" : parts.joined(separator: "; ")
  }

  var oddities: [Oddity] {
    var oddities: [Oddity] = []
    if let link {
      oddities.append(
        Oddity(
          .warning, .externalDataIrregular,
          "\(link) is a symbolic link; no link is followed"
            + (missingCount == 0
              ? "." : ", so that \(counted(missingCount, "file")) of external data can't be reached.")))
    } else if missingCount > 0 {
      oddities.append(
        Oddity(
          .warning, .externalDataMissing,
          isThere
            ? "\(counted(missingCount, "file")) of external data \(missingCount == 1 ? "is" : "are") missing in "
              + "\(folder)."
            : "The folder of external data is missing: \(folder)."))
    }
    if irregularCount > 0 {
      oddities.append(
        Oddity(
          .warning, .externalDataIrregular,
          "\(counted(irregularCount, "entry", "entries")) for external data in \(self.folder) "
            + "\(irregularCount == 1 ? "is no regular file" : "are no regular files"); no link is followed."
        ))
    }
    if malformedCount > 0 {
      oddities.append(
        Oddity(
          .warning, .externalDataMalformed,
          "\(counted(malformedCount, "value")) of external data "
            + "\(malformedCount == 1 ? "names" : "name") no proper file: "
            + malformed.prefix(5).map(\.description).joined(separator: ", ")
            + (malformed.count > 5 ? ", …" : "")
            + ". A file's name must be a UUID, never a path."))
    }
    return oddities
  }

  var json: JSON {
    .object([
      "folder": .string(folder), "isThere": .boolean(isThere), "inline": .integer(inline),
      "references": .integer(references), "missing": .integer(missingCount), "missingFiles": .strings(missing),
      "irregular": .integer(irregularCount), "malformed": .integer(malformedCount),
      "unused": unusedCount.map(JSON.integer) ?? .null,
    ])
  }
}
