internal import DecantReport
internal import DecantWorker
internal import FileNames
internal import Foundation

/// `report.json` beside a result: the ledger's line, the report, and the files that belong to the result.
struct ResultReceipt {
  struct File: Codable, Hashable {
    /// The path in the result's folder; for one that isn't UTF-8, its form in messages.
    var path: String
    /// The path's bytes in Base64, if it isn't UTF-8.
    var pathBytes: String?
    var size: Int

    init(_ path: [UInt8], size: Int) {
      let written = WrittenPath(FileName(bytes: path))
      self.path = written.text
      pathBytes = written.bytes
      self.size = size
    }

    var bytes: [UInt8] { WrittenPath.path(path, bytes: pathBytes)?.bytes ?? Array(path.utf8) }
  }

  private struct Written: Encodable {
    var ledger: LedgerLine
    var report: MigrationReport
    var files: [File]
  }

  /// The parts of a receipt that are read.
  private struct Held: Decodable {
    var ledger: LedgerLine
    var files: [File]
  }

  private static let name = Array("report.json".utf8)

  /// The ledger's line; `nil` if the receipt can't be decoded, or if a file of the result isn't whole.
  let line: LedgerLine?
  /// A digest of the receipt's bytes.
  let mark: PathKey

  /// Reads the receipt in the folder of a result; `nil` if it isn't there or can't be read.
  ///
  /// A file may be missing or too short after a loss of power or a careless command. A longer file is accepted, because
  /// a program may have written to the result.
  init?(in folder: [UInt8]) {
    // The paths of an output and of the folders in it are text.
    let path = String(decoding: ByteFile.path(folder, Self.name), as: UTF8.self)
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    mark = PathKey(digesting: Array(data))
    let held = try? JSONDecoder().decode(Held.self, from: data)
    let isWhole =
      held?.files.allSatisfy { file in
        guard let status = ByteFile.status(ByteFile.path(folder, file.bytes)) else { return false }
        return status.st_mode & S_IFMT == S_IFREG && Int(status.st_size) >= file.size
      } ?? false
    line = isWhole ? held?.ledger : nil
  }

  static func write(_ line: LedgerLine, _ report: MigrationReport, in folder: [UInt8]) throws(FileTrouble) {
    let path = ByteFile.path(folder, name)
    var files: [File] = []
    try add(folder, [], to: &files)
    guard let data = try? JSONLine.encode(Written(ledger: line, report: report, files: files)) else {
      throw FileTrouble(path, "written", EINVAL)
    }
    let descriptor = ByteFile.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o600)
    guard descriptor >= 0 else { throw FileTrouble(path, "written") }
    defer { close(descriptor) }
    let code = data.withUnsafeBytes { FilePass.write($0, to: descriptor) }
    guard code == 0 else { throw FileTrouble(path, "written", code) }
  }

  private static func add(
    _ folder: [UInt8], _ start: [UInt8], to files: inout [File]
  ) throws(FileTrouble) {
    guard let entries = ByteFile.entries(of: folder) else { throw FileTrouble(folder, "read") }
    for entry in entries {
      let (path, name) = (ByteFile.path(folder, entry.name), start + entry.name)
      guard let status = ByteFile.status(path) else { throw FileTrouble(path, "examined") }
      switch status.st_mode & S_IFMT {
      case S_IFREG: files.append(File(name, size: Int(status.st_size)))
      case S_IFDIR: try add(path, name + [0x2F], to: &files)
      default: break
      }
    }
  }
}
