internal import DecantCatalogue
internal import DecantConsole
internal import DecantMapping
internal import DecantModel
internal import FileNames
internal import Foundation

extension WorkerModels {
  /// Copies the files of a catalogue's families; each family gets a folder of its own in `folder`.
  ///
  /// Symbolic links are followed, because their targets may be missing after the package is moved.
  ///
  /// - Parameters:
  ///   - path: A catalogue, a family's folder or a model bundle.
  ///   - mapping: A mapping model to put beside the models of the only family; `nil` for none.
  static func copy(_ path: String, mapping: String?, to folder: URL) throws(CommandFailure) -> [Copied] {
    var copied: [Copied] = []
    let catalogue = try InputFile.catalogue(path, what: "catalogue or model bundle")
    guard !catalogue.states.isEmpty else {
      throw CommandFailure(
        .catalogueUnreadable, "\(path) holds no family.",
        advice: "Name a catalogue, one family's folder, or a bundle (.xcdatamodeld or .momd).")
    }
    if let broken = catalogue.brokenFamilies.first {
      throw CommandFailure(
        .brokenFamily, "The family \(broken.name) of \(path) can't be read.", details: broken.sentences)
    }
    if let mapping {
      guard catalogue.families.count == 1 else {
        throw CommandFailure(
          .usage, "“--mapping” needs one family, and \(path) has \(catalogue.families.count).",
          advice: "Name the family's folder or its model bundle.")
      }
      guard access(mapping, F_OK) == 0 else { throw InputFile.missing(mapping, what: "mapping model") }
      guard MappingModelFile.endings.contains(where: { mapping.trimmedSlashes.hasSuffix($0) }) else {
        throw CommandFailure(
          .usage, "\(mapping) doesn't have the name of a mapping model.",
          advice: "The names end with \(MappingModelFile.endings.sorted().joined(separator: ", ")).")
      }
    }
    for family in catalogue.families {
      let copy = folder.appendingPathComponent(family.name)
      try create(copy)
      let entries: [URL]
      do throws(FamilyError) { entries = try family.place.entries() } catch {
        throw CommandFailure(.catalogueUnreadable, "\(error.sentences.joined(separator: " "))")
      }
      for entry in entries { try copyItem(entry, to: copy.appendingPathComponent(entry.lastPathComponent)) }
      // Beside a bundle there may be files of other families, so the folder as a whole doesn't count as copied.
      copied +=
        family.place.isBundle
        ? entries.map { .init(original: $0, copy: "\(family.name)/\($0.lastPathComponent)") }
        : [.init(original: family.folder, copy: family.name)]
      if let mapping {
        let source = URL(fileURLWithPath: mapping.trimmedSlashes)
        try copyItem(source, to: copy.appendingPathComponent(source.lastPathComponent))
        copied.append(.init(original: source, copy: "\(family.name)/\(source.lastPathComponent)"))
      }
    }
    return copied
  }

  /// A copied file or folder: the original, and the path of the copy, relative to the package's folder of models.
  struct Copied {
    let original: URL
    let copy: String

    /// The original's path relative to a folder; the whole path if they have only `/` in common.
    func original(from folder: String) -> String {
      func parts(_ path: String) -> ArraySlice<String> {
        URL(fileURLWithPath: path).standardizedFileURL.pathComponents.dropFirst()
      }
      var (from, to) = (parts(folder), parts(original.path))
      guard let first = from.first, first == to.first else { return original.standardizedFileURL.path }
      while let next = from.first, next == to.first { (from, to) = (from.dropFirst(), to.dropFirst()) }
      return (from.map { _ in ".." } + to).joined(separator: "/")
    }
  }

  private static func create(_ folder: URL) throws(CommandFailure) {
    guard mkdir(folder.path, 0o755) == 0 || errno == EEXIST else {
      throw CommandFailure(errno: errno, folder.path, "created")
    }
  }

  private static func copyItem(_ source: URL, to copy: URL, depth: Int = 0) throws(CommandFailure) {
    var status = stat()
    guard stat(source.path, &status) == 0 else { throw InputFile.missing(source.path, what: "file") }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      guard depth < 16 else {
        throw CommandFailure(.badData, "\(source.path) can't be copied: its folders are nested too deeply.")
      }
      guard let names = DiskRead.names(in: source.path) else { throw InputFile.forbidden(source.path) }
      try create(copy)
      for name in names {
        try copyItem(
          source.appendingPathComponent(name), to: copy.appendingPathComponent(name), depth: depth + 1)
      }
    case S_IFREG:
      do {
        try FileManager.default.copyItem(at: source.resolvingSymlinksInPath(), to: copy)
      } catch {
        guard access(source.path, R_OK) == 0 else { throw InputFile.forbidden(source.path) }
        throw CommandFailure(.cantCreate, "\(source.path) can't be copied: \(error.localizedDescription)")
      }
    default:
      throw CommandFailure(.badData, "\(source.path) can't be copied: it is neither a file nor a folder.")
    }
  }
}

extension String {
  /// The text without slashes at its end, which a shell appends to the names of folders.
  fileprivate var trimmedSlashes: String {
    var text = self[...]
    while text.count > 1, text.hasSuffix("/") { text = text.dropLast() }
    return String(text)
  }
}
