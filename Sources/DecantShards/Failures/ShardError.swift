internal import FileNames
internal import Foundation

package enum ShardError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text isn't K/N.
  case badShard(String)
  /// `most` is the largest count, and `place` the option or variable that gave the numbers.
  case outOfRange(number: Int, count: Int, most: Int, place: String)
  /// The tasks of a Slurm array aren't consecutive, so the stores can't be divided among them.
  case arrayWithGaps(task: String)
  /// `variable` of the scheduler is set, but `needed` can't be used. Both can be the same variable.
  case incompleteEnvironment(variable: String, needed: String)
  /// A file or folder can't be used; `action` continues “can't be”.
  case file(path: String, action: String, code: Int32)
  case notAFile(path: String)
  /// Records are numbered from 1.
  case badManifest(path: String, record: Int, ManifestFault)
  case changedManifest(path: String)
  case noStores(path: String)
  /// The folder of `--find` has no store.
  case noStoresFound(folder: String)
  /// The scratch folder can't be used; it may be usable on another machine.
  case scratch(path: String, action: String, code: Int32)
  case notALedger(path: String)
  case newerLedger(path: String, format: Int)
  case otherManifest(ledger: String, manifest: String)
  case otherShard(ledger: String, held: String, wanted: String)
  case otherOutput(ledger: String, held: String)
  /// An option that fits no store, such as a family that the catalogue doesn't have.
  case wrongOption(String)
  /// A stop was requested before the first store.
  case stopped
  case noWorker(String, isOwn: Bool)

  package var description: String {
    switch self {
    case .badShard(let text): "“\(text)” isn't a shard. A shard is K/N, such as 3/8, with K from 1 to N."
    case .outOfRange(let number, let count, let most, let place):
      "There is no shard \(number) of \(count) (\(place)): N is at most \(most), and K is a number from 1 to N."
    case .arrayWithGaps(let task):
      "The tasks of this Slurm array aren't consecutive, so task \(task) can't know which stores are its own."
    case .incompleteEnvironment(let variable, let needed) where variable == needed:
      "\(variable) isn't a whole number from 0, or is too large."
    case .incompleteEnvironment(let variable, let needed):
      "\(variable) is set, but \(needed) isn't set or isn't a number."
    case .file(let path, let action, let code), .scratch(let path, let action, let code):
      "\(PrintedName.of(path)) can't be \(action): \(String(cString: strerror(code)))."
    case .notAFile(let path): "\(PrintedName.of(path)) is not a regular file."
    case .badManifest(let path, let record, let fault):
      "\(PrintedName.of(path)), record \(record): \(fault.description)"
    case .changedManifest(let path): "\(PrintedName.of(path)) has changed since the run began."
    case .noStores(let path): "\(PrintedName.of(path)) names no store."
    case .noStoresFound(let folder): "\(PrintedName.of(folder)) has no SQLite file."
    case .notALedger(let path): "\(PrintedName.of(path)) is not a ledger of Decant."
    case .newerLedger(let path, let format):
      "\(PrintedName.of(path)) has the ledger format \(format) of a newer version of Decant."
    case .otherManifest(let ledger, let manifest):
      "\(PrintedName.of(ledger)) is the ledger of another manifest, or of this one before it was changed "
        + "(\(PrintedName.of(manifest)))."
    case .otherShard(let ledger, let held, let wanted):
      "\(PrintedName.of(ledger)) is the ledger of shard \(held), not of \(wanted)."
    case .otherOutput(let ledger, let held):
      "\(PrintedName.of(ledger)) is the ledger of another output (\(PrintedName.of(held)))."
    case .wrongOption(let words): words
    case .stopped: "Stopped while the manifest was read."
    case .noWorker(let words, _): "No worker can be started. \(words)"
    }
  }

  /// What the user can do; empty if the message is enough.
  package var advice: String {
    switch self {
    case .badShard, .outOfRange, .notAFile, .wrongOption, .stopped: ""
    case .arrayWithGaps: "Start an array as --array=1-N, or name the shard: --shard K/N."
    case .incompleteEnvironment(_, let needed): "Set \(needed), or name the shard: --shard K/N."
    case .file(_, let action, let code): Self.advice(code, action)
    case .scratch(_, _, let code):
      code == ENOSPC || code == EDQUOT
        ? Self.advice(code, "") : "Check that folder on this machine, or name another one: --scratch FOLDER."
    case .badManifest(_, _, let fault): fault.advice
    // After a change of the manifest, the current run ends with `changedManifest`, and the next run with
    // `otherManifest`. Both have the same advice.
    case .changedManifest, .otherManifest:
      "Put the earlier manifest back. Or run the changed manifest with new ledgers (--ledger FOLDER/), "
        + "into the same output: results of earlier runs are used again."
    case .noStoresFound: "Check whether the folder's file system is mounted. Links aren't followed."
    case .noStores:
      "Check the command that wrote the manifest: “find” finds nothing in a wrong folder, or in a link to a folder."
    case .notALedger: "Name another file: --ledger FILE."
    case .newerLedger: "Use that version of Decant, or name another file: --ledger FILE."
    case .otherOutput:
      "Name another file: --ledger FILE. The results that the output folder has are used again."
    case .otherShard: "Each shard has a ledger of its own: --ledger FILE."
    case .noWorker: "The stores are unchanged."
    }
  }

  private static func advice(_ code: Int32, _ action: String) -> String {
    switch code {
    case ENOSPC, EDQUOT: "Free space, then run the same command again."
    case EFBIG: "Raise the limit on file sizes (ulimit -f), then run the same command again."
    case EISDIR: "Write the name of a folder for ledgers with a slash at its end: --ledger FOLDER/."
    case EACCES, EPERM: "Check the permissions of this path and of the folders above it."
    case EROFS: "The file system of this path is read-only on this machine: check how it is mounted."
    default: ""
    }
  }
}
