internal import DecantConsole
internal import Foundation

/// The ledgers that a command names, each file once.
///
/// A path is a ledger, or a folder whose files with names that end with `.jsonl` are ledgers.
enum LedgerFolders {
  static func files(_ paths: [String]) throws(CommandFailure) -> [String] {
    var files: [String] = []
    for path in paths {
      var status = stat()
      guard stat(path, &status) == 0 else { throw InputFile.missing(path, what: "folder or ledger") }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        files.append(path)
        continue
      }
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: path)
      } catch {
        throw InputFile.forbidden(path)
      }
      let ledgers = names.filter { $0.hasSuffix(".jsonl") }.sorted()
      guard !ledgers.isEmpty else {
        throw CommandFailure(
          .noSuchFile, "There is no ledger in \(path): no file name ends with .jsonl.",
          advice: "Without --ledger, “decant migrate --manifest” writes its ledgers to OUTPUT/ledger.")
      }
      files += ledgers.map { URL(fileURLWithPath: path).path + "/" + $0 }
    }
    var seen: Set<[UInt64]> = []
    return files.filter { file in
      var status = stat()
      return stat(file, &status) != 0 || seen.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted
    }
  }
}
