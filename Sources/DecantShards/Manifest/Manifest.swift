internal import FileNames
package import Glibc
internal import PredicateFormat

/// The stores of a run: a file that names them, or a folder that holds them.
///
/// A file has one path a line, or a NUL byte after each path. The file has the second form if there is a NUL byte in
/// its first 4,096 bytes. Paths are bytes and absolute; empty lines are ignored.
package final class Manifest {
  /// The maximum length of a path on Linux in bytes, without the NUL byte at its end.
  static let longestPath = 4095

  private enum Kind {
    case file(descriptor: Int32, separator: UInt8)
    case folder
  }

  package let path: String
  private let kind: Kind
  var withoutStores: ShardError {
    if case .file = kind { .noStores(path: path) } else { .noStoresFound(folder: path) }
  }

  /// The file's size and time when it was opened.
  private let state: [Int]

  package init(file path: String) throws(ShardError) {
    self.path = path
    // Without O_NONBLOCK, opening a FIFO would wait.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .file(path: path, action: "read", code: errno) }
    guard let state = Self.state(of: descriptor) else {
      close(descriptor)
      throw .notAFile(path: path)
    }
    self.state = state
    var start = [UInt8](repeating: 0, count: Self.longestPath + 1)
    let count = pread(descriptor, &start, start.count, 0)
    let first = start.prefix(max(0, count))
    kind = .file(descriptor: descriptor, separator: first.contains(0) ? 0 : 0x0A)
  }

  /// Names a folder; the manifest has all stores below it.
  package init(folder path: String) {
    self.path = path
    kind = .folder
    state = []
  }

  deinit {
    if case .file(let descriptor, _) = kind { close(descriptor) }
  }

  private static func state(of descriptor: Int32) -> [Int]? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return state(status)
  }

  private static func state(_ status: stat) -> [Int] {
    [Int(status.st_size), Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)]
  }

  /// Whether the file was written since it was opened, or another file has its name now.
  ///
  /// Another file is recognised by its size or time, because not all file systems have stable inode numbers. A removed
  /// file counts as unchanged, because it can still be read.
  package var hasChanged: Bool {
    guard case .file(let descriptor, _) = kind else { return false }
    var named = stat()
    return Self.state(of: descriptor) != state || stat(path, &named) == 0 && Self.state(named) != state
  }

  /// Whether the manifest's paths end with NUL bytes.
  package var usesNUL: Bool {
    if case .file(_, 0) = kind { true } else { false }
  }

  /// What one reading of a manifest finds.
  package struct Survey {
    /// The SHA-256 of the file; for a folder, that of its path, because the folder's content may grow.
    package var digest: String
    /// The number of all records, including those of other shards and duplicates.
    package var records = 0
    /// The number of records of this shard that name a store again.
    package var duplicates = 0
    package var keys: Set<PathKey> = []
    /// Whether at least one of the shard's stores is there, or can't be examined; the search ends at the first such
    /// store.
    package var findsStores = false
    /// The file system of the store at which the search ended; `nil` if no store was found.
    package var device: dev_t?
  }

  /// Reads all paths once.
  ///
  /// Memory depends on the number of stores in the shard, some 40 bytes for each, and not on the manifest.
  ///
  /// - Parameter goesOn: Asked now and then; false ends the reading with `ShardError.stopped`.
  package func survey(_ shard: Shard, while goesOn: () -> Bool = { true }) throws(ShardError) -> Survey {
    var survey = Survey(digest: "")
    survey.digest = try digesting { path throws(ShardError) in
      if survey.records % 1024 == 0, !goesOn() { throw .stopped }
      survey.records += 1
      let key = PathKey(digesting: path)
      guard shard.contains(key) else { return }
      if !survey.keys.insert(key).inserted { survey.duplicates += 1 }
      guard !survey.findsStores else { return }
      let isThere = ByteFile.status(path) != nil
      survey.findsStores = isThere || errno != ENOENT
      if isThere { survey.device = SourceFiles(path: FileName(bytes: path)).device }
    }
    return survey
  }

  /// Reads all paths once, and returns the stores of all shards.
  package func index() throws(ShardError) -> ManifestIndex {
    var keys: [PathKey] = []
    let digest = try digesting { path in keys.append(PathKey(digesting: path)) }
    return ManifestIndex(digest: digest, keys: keys)
  }

  /// Reads all paths once.
  ///
  /// - Returns: `Survey.digest`.
  private func digesting(_ visit: ([UInt8]) throws(ShardError) -> Void) throws(ShardError) -> String {
    var digest = SHA256Digest()
    if case .folder = kind {
      Array("folder \(path)".utf8).withUnsafeBytes { digest.add($0) }
    }
    var paths = self.paths { digest.add($0) }
    while let path = try paths.next() { try visit(path) }
    guard !hasChanged else { throw .changedManifest(path: path) }
    return digest.finish()
  }

  package func paths() -> ManifestPaths { paths(observer: nil) }

  private func paths(observer: ((UnsafeRawBufferPointer) -> Void)?) -> ManifestPaths {
    switch kind {
    case .file(let descriptor, let separator):
      ManifestPaths(
        manifest: path, separator: separator,
        RecordReader(descriptor, separator: separator, limit: Self.longestPath, observer: observer))
    case .folder: ManifestPaths(walk: FolderWalk(Array(path.utf8)))
    }
  }
}

package struct ManifestPaths {
  private enum Source {
    case records(RecordReader, manifest: String, separator: UInt8)
    case walk(FolderWalk)
  }

  private var source: Source

  init(manifest: String, separator: UInt8, _ reader: RecordReader) {
    source = .records(reader, manifest: manifest, separator: separator)
  }

  init(walk: FolderWalk) { source = .walk(walk) }

  package mutating func next() throws(ShardError) -> [UInt8]? {
    switch source {
    case .walk(var walk):
      defer { source = .walk(walk) }
      return try walk.next()
    case .records(var reader, let manifest, let separator):
      source = .walk(FolderWalk())
      defer { source = .records(reader, manifest: manifest, separator: separator) }
      while true {
        let record: RecordReader.Record?
        do throws(RecordReader.Fault) {
          record = try reader.next()
        } catch {
          switch error {
          case .system(let code): throw .file(path: manifest, action: "read", code: code)
          case .long(let number): throw .badManifest(path: manifest, record: number, .long)
          }
        }
        guard let record else { return nil }
        if let fault = ManifestFault(record, separator: separator) {
          throw .badManifest(path: manifest, record: reader.count, fault)
        }
        if !record.bytes.isEmpty { return record.bytes }
      }
    }
  }
}
