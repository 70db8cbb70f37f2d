internal import DecantConsole
internal import DecantModel
internal import DecantShards
internal import FileNames
internal import Foundation

/// `decant ledger FOLDER…`: sums up the ledgers of many shards.
enum LedgerCommand {
  static let command = Command(
    "ledger", summary: "Sums up the ledgers of “decant migrate --manifest”.",
    examples: [
      .init(
        line: "decant ledger /results/ledger", meaning: "Shows how many stores are done, refused or missing."),
      .init(
        line: "decant ledger /results/ledger --manifest stores.nul --retry again.nul",
        meaning: "Also writes a manifest of the stores that have no result."),
      .init(
        line: "decant ledger /results/ledger --manifest stores.nul --list",
        meaning: "Lists the stores that have no result, and why."),
    ],
    arguments: [
      .init(
        name: "FOLDER", kind: .folder,
        help: "A folder with ledgers, files whose names end with .jsonl; or a ledger.")
    ], repeatsLast: true,
    options: [
      .init(
        "manifest", "FILE", kind: .file,
        help:
          "The manifest. Only its stores count; those that no ledger has are missing. Its shards that aren't finished are "
          + "named."),
      .init(
        "retry", "FILE", kind: .file,
        help:
          "Writes a manifest of the stores without a result: refused ones, those to try again, and, with --manifest, "
          + "missing ones. Each path ends with a NUL byte. If there are none, no file is written."),
      .init(
        "list",
        help:
          "Lists the stores without a result in place of the sum, one a line: result, reason, path and message, with "
          + "tabs between them. Bytes of a path that can't be seen are written as \\xNN; --json has the unchanged path."
      ),
      .json,
    ],
    notes: [
      "The exit code is 0 if all stores are done, 65 if some are refused, and 75 if some are missing or have to be "
        + "tried again, or if a shard isn't finished.",
      "A file that isn't a ledger is named and left out; the exit code is then 64.",
    ], run: run)

  static func run(_ arguments: Arguments, _ console: Console) throws(CommandFailure) -> Int32 {
    let all = try LedgerFolders.files(arguments.positional)
    let manifest = try manifest(arguments.value("manifest"))
    var sum = LedgerSum(of: manifest?.index)
    var files: [String] = []
    var faults: [CommandFailure] = []
    for file in all {
      do throws(ShardError) {
        try sum.add(file)
        files.append(file)
      } catch {
        faults.append(failure(error))
      }
    }
    if files.isEmpty, let fault = faults.first { throw fault }
    // One bad ledger doesn't hide the others.
    for fault in faults { fault.tell(on: console) }
    sum.finish()
    try tell(OpenStores(sum: sum, ledgers: files, manifest: manifest?.file), arguments, console)
    return faults.first?.exitCode ?? exitCode(sum)
  }

  private static func failure(_ error: ShardError) -> CommandFailure {
    switch error {
    case .notALedger, .notAFile:
      CommandFailure(
        .usage, error.description, advice: "Name ledgers, or a folder: its files that end with .jsonl count.")
    case .newerLedger: CommandFailure(.usage, error.description, advice: "Use that Decant.")
    default: CommandFailure(error)
    }
  }

  private static func manifest(
    _ path: String?
  ) throws(CommandFailure) -> (file: Manifest, index: ManifestIndex)? {
    guard let path else { return nil }
    do throws(ShardError) {
      let file = try Manifest(file: path)
      return (file, try file.index())
    } catch {
      throw CommandFailure(error)
    }
  }

  private static func tell(
    _ stores: OpenStores, _ arguments: Arguments, _ console: Console
  ) throws(CommandFailure) {
    let retry = try arguments.value("retry").map { path throws(CommandFailure) in try RetryManifest(path) }
    let (lists, isJSON) = (arguments.has("list"), arguments.has("json"))
    var listed: [JSON] = []
    if lists || retry != nil {
      try stores.visit { store throws(CommandFailure) in
        try retry?.add(store.path)
        guard lists else { return }
        if isJSON { listed.append(LedgerText.json(store)) } else { console.print(LedgerText.line(store)) }
      }
    }
    try retry?.finish()
    if isJSON {
      console.print(LedgerText.json(stores.sum, listed: lists ? listed : nil).lines)
    } else if !lists {
      console.print(LedgerText.lines(stores.sum))
    }
    if let retry, !isJSON {
      let words =
        retry.count > 0
        ? "Written: \(PrintedName.of(retry.path)), \(counted(retry.count, "store")) to try again."
        : "Nothing is left to try again, so \(PrintedName.of(retry.path)) isn't written."
      if lists { console.say("decant: \(words)") } else { console.print(words) }
    }
  }

  private static func exitCode(_ sum: LedgerSum) -> Int32 {
    let hasMissingShards = sum.manifest == nil && sum.divisions.contains { !$0.missingShards.isEmpty }
    if sum.missing > 0 || hasMissingShards || sum.hasUnfinishedShards || sum.headless > 0
      || sum.stores[.later] ?? 0 > 0
    {
      return ExitCode.tryAgain
    }
    return sum.stores[.refused] ?? 0 > 0 ? ExitCode.badData : ExitCode.success
  }
}
