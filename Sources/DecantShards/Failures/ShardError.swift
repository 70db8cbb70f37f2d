internal import FileNames
internal import Foundation

/// Why a shard can't run.
package enum ShardError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text isn't K/N.
  case badShard(String)
  /// `place` says who gave the numbers.
  case outOfRange(number: Int, count: Int, place: String)
  /// The tasks of a Slurm array aren't one row of numbers, so they don't divide the stores.
  case arrayWithGaps(task: String)
  /// A variable of the scheduler is there without the other one, or is no number.
  case incompleteEnvironment(variable: String, needed: String)
  /// A file or folder can't be used; `action` continues “can't be”.
  case file(path: String, action: String, code: Int32)
  case notAFile(path: String)
  /// A record of a manifest is longer than any path.
  case longPath(manifest: String, record: Int)
  /// A line of a manifest of lines has a NUL byte.
  case mixedForms(manifest: String, record: Int)
  case changedManifest(path: String)
  case notALedger(path: String)
  case newerLedger(path: String, format: Int)
  case otherManifest(ledger: String, manifest: String)
  case otherShard(ledger: String, held: String, wanted: String)
  /// An option that no store fits, as a family that the catalogue doesn't have.
  case wrongOption(String)
  /// A stop was requested before the first store.
  case stopped
  /// No worker starts.
  case noWorker(String)

  package var description: String {
    switch self {
    case .badShard(let text): "“\(text)” is no shard: it is K/N, as 3/8, with K from 1 to N."
    case .outOfRange(let number, let count, let place):
      "There is no shard \(number) of \(count) (\(place)): K is a number from 1 to N."
    case .arrayWithGaps(let task):
      "The tasks of this Slurm array aren't consecutive, so task \(task) can't tell its part of the stores."
    case .incompleteEnvironment(let variable, let needed):
      "\(variable) is set, but \(needed) isn't a number."
    case .file(let path, let action, let code):
      "\(PrintedName.of(path)) can't be \(action): \(String(cString: strerror(code)))."
    case .notAFile(let path): "\(PrintedName.of(path)) is not a regular file."
    case .longPath(let manifest, let record):
      "\(PrintedName.of(manifest)), record \(record): it is longer than any path."
    case .mixedForms(let manifest, let record):
      "\(PrintedName.of(manifest)), line \(record): it has a NUL byte, and the records before it are lines."
    case .changedManifest(let path): "\(PrintedName.of(path)) has changed while it was read."
    case .notALedger(let path): "\(PrintedName.of(path)) is not a ledger of Decant."
    case .newerLedger(let path, let format):
      "\(PrintedName.of(path)) has the ledger format \(format), which a newer Decant has written."
    case .otherManifest(let ledger, let manifest):
      "\(PrintedName.of(ledger)) is the ledger of another manifest (\(PrintedName.of(manifest)))."
    case .otherShard(let ledger, let held, let wanted):
      "\(PrintedName.of(ledger)) is the ledger of shard \(held), not of \(wanted)."
    case .wrongOption(let words): words
    case .stopped: "Stopped while the manifest was read."
    case .noWorker(let words): "No worker can be started. \(words)"
    }
  }

  /// What to do.
  package var advice: String {
    switch self {
    case .badShard, .outOfRange, .notAFile, .wrongOption, .stopped: ""
    case .arrayWithGaps: "Start an array as --array=1-N, or name the shard: --shard K/N."
    case .incompleteEnvironment(_, let needed): "Set \(needed), or name the shard: --shard K/N."
    case .file(_, _, let code):
      code == ENOSPC || code == EDQUOT ? "Free space, then run the same command again." : ""
    case .longPath: "A manifest names one store a line, or ends each path with a NUL byte."
    case .mixedForms: "End every path with a NUL byte, as “find -print0” does."
    case .changedManifest: "Write the manifest once, before the shards start."
    case .notALedger: "Name another file: --ledger FILE."
    case .newerLedger: "Use that Decant, or name another file: --ledger FILE."
    case .otherManifest:
      "Name another file: --ledger FILE. Results in the output folder are used again all the same."
    case .otherShard: "Each shard has a ledger of its own: --ledger FILE."
    case .noWorker: "The stores are unchanged."
    }
  }
}
