internal import DecantShards
internal import FileNames
internal import Foundation

/// `decant ledger FOLDER…`: what the ledgers of many shards say together.
enum LedgerCommand {
  static let command = Command(
    "ledger", summary: "Sums up the ledgers of “decant migrate --manifest”.",
    examples: [
      .init(
        line: "decant ledger /results/ledger", meaning: "Shows how many stores are done, refused or missing."),
      .init(
        line: "decant ledger /results/ledger --manifest stores.nul --retry again.nul",
        meaning: "Also writes a manifest of the stores that have no result."),
    ],
    arguments: [
      .init(
        name: "FOLDER", kind: .folder,
        help: "A folder with ledgers, files whose names end with .jsonl; or a ledger.")
    ], repeatsLast: true,
    options: [
      .init(
        "manifest", "FILE", kind: .file,
        help: "The manifest: its stores that no ledger has are counted, also those of shards that never ran."),
      .init(
        "retry", "FILE", kind: .file,
        help:
          "Writes a manifest of the stores without a result: refused ones, those to try again, and, with --manifest, "
          + "missing ones. Each path ends with a NUL byte."),
      .json,
    ],
    notes: [
      "The exit code is 0 if all stores are done, 65 if some are refused, and 75 if some are missing or have to be "
        + "tried again.",
      "A file that is no ledger is named and left out; then the exit code is 64.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let all = try LedgerFolders.files(arguments.positional)
    var sum = LedgerSum()
    var files: [String] = []
    var faults: [CommandFailure] = []
    for file in all {
      do throws(ShardError) {
        try sum.add(file)
        files.append(file)
      } catch {
        faults.append(CommandFailure(error))
      }
    }
    if files.isEmpty, let fault = faults.first { throw fault }
    // One bad ledger doesn't hide the others.
    for fault in faults { fault.tell(on: console) }
    sum.finish()
    var retry = try arguments.value("retry").map { path throws(CommandFailure) in try RetryManifest(path) }
    var missing = sum.missing
    if let path = arguments.value("manifest") { missing = try compare(path, sum, &retry) }
    if retry != nil, arguments.value("manifest") == nil { try addRefused(of: files, sum, &retry) }
    try retry?.finish()
    if arguments.has("json") {
      console.print(LedgerText.json(sum, missing: missing).lines)
    } else {
      console.print(LedgerText.lines(sum, missing: missing, isExact: arguments.value("manifest") != nil))
      if let retry {
        console.print(
          "Written: \(PrintedName.of(retry.path)), \(Quantity.count(retry.count, "store")) to try again.")
      }
    }
    if let fault = faults.first { return fault.exitCode }
    let hasMissingShards =
      arguments.value("manifest") == nil && sum.divisions.contains { !$0.missingShards.isEmpty }
    if missing > 0 || hasMissingShards || sum.headless > 0 || sum.stores[.later] ?? 0 > 0 {
      return ExitCode.tryAgain
    }
    return sum.stores[.refused] ?? 0 > 0 ? ExitCode.badData : ExitCode.success
  }

  /// Reads the manifest; returns the number of its stores that no ledger has.
  private static func compare(
    _ path: String, _ sum: LedgerSum, _ retry: inout RetryManifest?
  ) throws(CommandFailure) -> Int {
    var missing: Set<PathKey> = []
    do {
      let manifest = try Manifest(file: path)
      var paths = manifest.paths()
      while let bytes = try paths.next() {
        let name = FileName(bytes: bytes)
        guard sum.isToTry(name) else { continue }
        if sum.isMissing(name) { missing.insert(PathKey(of: name)) }
        try retry?.add(name)
      }
    } catch let error as ShardError {
      throw CommandFailure(error)
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure(.fault, "\(error)")
    }
    return missing.count
  }

  /// Adds the stores of the ledgers that have no result.
  private static func addRefused(
    of files: [String], _ sum: LedgerSum, _ retry: inout RetryManifest?
  ) throws(CommandFailure) {
    for file in files {
      let lines: LedgerLines
      do throws(ShardError) { lines = try LedgerLines(file) } catch { throw CommandFailure(error) }
      while true {
        let line: LedgerLine?
        do throws(ShardError) { line = try lines.next() } catch { throw CommandFailure(error) }
        guard let line else { break }
        if sum.isToTry(line.source) { try retry?.add(line.source) }
      }
    }
  }
}
