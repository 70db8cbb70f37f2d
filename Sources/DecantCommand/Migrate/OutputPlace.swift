internal import DecantConsole
internal import DecantStore
internal import FileNames
internal import Foundation

/// The place of the output: checked before the work, and filled by renames after it.
struct OutputPlace {
  let files: StoreFiles
  private let overwrites: Bool
  /// The store that an earlier run finished; `nil` if there is none.
  ///
  /// Some or all of its files may be here already, if that run ended during `install` or right after it.
  private let own: WorkFolder.Finished?
  var path: String { files.store }

  /// - Parameter sources: The stores that are read.
  init(_ path: String, sources: [String], overwrites: Bool) throws(CommandFailure) {
    guard path != "-" else {
      throw CommandFailure(
        .usage, "A store can't be written to standard output.", advice: "Name a file: --output PATH.")
    }
    guard path.utf8.last != 0x2F else {
      throw CommandFailure(
        .cantCreate, "\(path) names a folder.", advice: "Name the file to create: --output \(path)STORE.")
    }
    files = StoreFiles(path)
    self.overwrites = overwrites
    try Self.checkFolder(of: files)
    own = try WorkFolder.finished(in: path + ".decant")
    for source in sources { try checkSource(StoreFiles(source)) }
    if let clash = StorePlaces(path).clashWithNeighbours() {
      throw CommandFailure(.usage, clash, advice: "Name another file, or another folder.")
    }
    try checkForms()
    try checkVacancy()
  }

  private static func checkFolder(of files: StoreFiles) throws(CommandFailure) {
    var status = stat()
    guard stat(files.folder, &status) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw CommandFailure(errno: errno, files.folder, "written")
      }
      throw CommandFailure(
        .cantCreate, "\(files.store) can't be created: there is no folder \(files.folder).",
        advice: "Create it first.")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw CommandFailure(
        .cantCreate, "\(files.store) can't be created: \(files.folder) isn't a folder.",
        advice: "Name another output.")
    }
    guard access(files.folder, W_OK | X_OK) == 0 else {
      throw CommandFailure(errno: errno, files.folder, "written")
    }
  }

  private func checkSource(_ source: StoreFiles) throws(CommandFailure) {
    if let clash = StorePlaces(path).clash(withSource: StorePlaces(source.store)) {
      throw CommandFailure(
        .usage, clash, advice: "The source is never written: name another file, or another folder.")
    }
    let taken = Set(([source.store] + source.siblings).compactMap(StoreFiles.identity))
    for candidate in [path, files.associations] + files.siblings + (overwrites ? files.asides : []) {
      guard let identity = StoreFiles.identity(candidate), taken.contains(identity) else { continue }
      throw CommandFailure(
        .usage,
        candidate == path
          ? "The output \(path) is the source itself."
          : "The output would replace \(candidate), a file of the source.",
        advice: "The source is never written: name another file.")
    }
    if let support = StoreFiles.identity(source.supportFolder),
      support == StoreFiles.identity(files.supportFolder)
    {
      throw CommandFailure(
        .usage, "The output would share the folder \(source.supportFolder) with the source.",
        advice: "Give the output another name or another folder.")
    }
  }

  /// Refuses existing files whose names look like those of the output's files, because then Decant would refuse the
  /// output as input.
  private func checkForms() throws(CommandFailure) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: files.folder)) ?? []
    guard
      let form = LookAlikes(names.map { FileName($0) }).otherForms(ofFilesOf: FileName(files.name)).first
    else { return }
    throw CommandFailure(
      .cantCreate,
      "\(files.folder) has “\(form.found.escaped)” already. Its name is the same text as "
        + "“\(form.expected.escaped)” in another Unicode normal form, and that file would belong to the output.",
      advice: "Move it away, or name another output.")
  }

  private func checkVacancy() throws(CommandFailure) {
    var status = stat()
    if lstat(path, &status) == 0 {
      guard [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT) else {
        throw CommandFailure(
          .cantCreate, "\(path) exists already and is not a file.", advice: "Name the file to create.")
      }
      guard overwrites || isOwn(path) else { throw taken }
      try checkQuarantines()
    }
    guard !overwrites else { return }
    for other in files.companions where StoreFiles.exists(other) && !isOwn(other) {
      throw CommandFailure(
        .cantCreate, "\(other) exists already. It belongs to another store with the output's name.",
        advice: "Move it away, or use --force to replace it.")
    }
  }

  private var taken: CommandFailure {
    CommandFailure(
      .cantCreate, "\(path) exists already.", advice: "Name another file, or use --force to replace it.")
  }

  /// Refuses to replace a store that an earlier run has put here, if this run makes another store.
  func check(_ start: WorkFolder.Start) throws(CommandFailure) {
    if start != .finished, !overwrites, isOwn(path) { throw taken }
  }

  /// Refuses to replace a store if a file beside it has the name of its quarantine, but no list.
  ///
  /// Decant writes the list before the quarantine. Therefore such a file isn't a quarantine.
  private func checkQuarantines() throws(CommandFailure) {
    let stranger = files.asides.map(StoreFiles.init)
      .first { $0.store.hasSuffix(".sqlite") && !StoreFiles.exists($0.list) }
    guard let stranger else { return }
    throw CommandFailure(
      .cantCreate,
      "\(stranger.store) has the name of a quarantine of the output, but no list of objects beside it.",
      advice: "Move it away, or name another output.")
  }

  private func isOwn(_ path: String) -> Bool { own?.owns(path) ?? false }

  /// Moves a finished store with all its files into place, the store itself last.
  ///
  /// The replaced files stay in the work folder until the end. So a log is never beside another store of its name, and
  /// an interruption loses no file.
  ///
  /// - Parameter quarantines: The file names of the stores that hold refused objects.
  func install(
    _ result: StoreFiles, quarantines: [String] = [], from folder: WorkFolder
  ) throws(CommandFailure) {
    try checkVacancy()
    // Files that an interrupted run has moved here are no longer in the result.
    let aside = zip(result.quarantines(quarantines), files.quarantines(quarantines))
      .flatMap { zip($0.all, $1.all) }.filter { StoreFiles.exists($0.0) }
    try checkVacancy(of: aside.map(\.1))
    guard mkdir(folder.replaced, 0o700) == 0 || errno == EEXIST else {
      throw CommandFailure(errno: errno, folder.replaced, "made")
    }
    var moved: [(from: String, to: String)] = []
    do throws(CommandFailure) {
      // If there is no store to replace, quarantines of this name may belong to another store, so they stay.
      let former = StoreFiles.exists(path) ? files.asides : []
      // A quarantine's list is moved last: without the list, the store would look like another store after an
      // interruption.
      let quarantined = aside.map(\.1) + former
      let lists = quarantined.filter { $0.hasSuffix(".json") }
      let replaced = files.companions + quarantined.filter { !$0.hasSuffix(".json") } + lists
      for old in replaced where StoreFiles.exists(old) && !isOwn(old) {
        let aside = folder.replaced + "/" + URL(fileURLWithPath: old).lastPathComponent
        try? FileManager.default.removeItem(atPath: aside)
        try move(old, to: aside)
        moved.append((old, aside))
      }
      let pairs = aside + zip(result.companions, files.companions)
      for (new, place) in pairs where StoreFiles.exists(new) {
        try move(new, to: place)
        moved.append((new, place))
      }
      if StoreFiles.exists(result.store) || !isOwn(path) { try move(result.store, to: path) }
    } catch {
      for (from, to) in moved.reversed() { _ = rename(to, from) }
      throw error
    }
    do { try FileCopy.sync(files.folder) } catch { throw CommandFailure(error) }
  }

  /// Checks that the new quarantines replace no file that must be kept.
  ///
  /// Only `--force` lets the new quarantines replace the quarantine of an earlier store, which is as valuable as the
  /// store. A store without a list isn't a quarantine, and is never replaced.
  private func checkVacancy(of quarantine: [String]) throws(CommandFailure) {
    let foreign = quarantine.map(StoreFiles.init).first {
      $0.store.hasSuffix(".sqlite") && StoreFiles.exists($0.store) && !StoreFiles.exists($0.list)
    }
    guard let taken = foreign?.store ?? (overwrites ? nil : quarantine.first(where: StoreFiles.exists)) else {
      return
    }
    throw CommandFailure(
      .cantCreate, "\(taken) exists already, and this store has a quarantine of that name.",
      advice: "Move it away, then run the same command again. It puts the finished store into place.")
  }

  private func move(_ old: String, to new: String) throws(CommandFailure) {
    guard rename(old, new) == 0 else { throw CommandFailure(errno: errno, new, "written") }
  }
}
