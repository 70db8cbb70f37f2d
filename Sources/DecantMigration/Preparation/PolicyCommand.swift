internal import DecantMapping
internal import DecantPolicyPrograms
internal import FileNames
internal import Foundation
internal import Glibc

/// Checks whether the files that a policy program's words name exist; nothing is executed.
///
/// The program runs in the family's folder, and relative paths begin there.
struct PolicyCommand {
  private let words: [String]
  private let folder: String

  init(_ words: [String], folder: String) {
    self.words = words
    self.folder = folder
  }

  /// The path of the program's file; `nil` if it can't be executed.
  var path: String? { try? PolicyProgram(words: words, folder: folder).path() }

  /// Why the program can't work; `nil` if it may work.
  var problem: String? {
    do throws(PolicyProgramError) {
      try PolicyProgram(words: words, folder: folder).check()
    } catch {
      return "\(error)"
    }
    guard let script, isMissing(script) else { return nil }
    return "The policy program “\(text)” has nothing to run: there is no file “\(file(script))”. "
      + (script.hasPrefix("/")
        ? "Correct its path."
        : "Put it into the family's folder, in which the program runs, or correct its name.")
  }

  /// Sentences about other words that look like names of files, if there are no such files.
  var doubts: [String] {
    guard problem == nil else { return [] }
    let named = words.dropFirst().compactMap { word -> String? in
      // An option may have its file after the equals sign.
      let file =
        word.hasPrefix("-") ? word.split(separator: "=", maxSplits: 1).dropFirst().first.map(String.init) : word
      guard let file, looksLikeFile(file), file != script, isMissing(file) else { return nil }
      return file
    }
    return named.map {
      "There is no file “\(file($0))”, which “\($0)” of the policy program “\(text)” seems to name."
    }
  }

  private var text: String { EntityMapping.Policy.program(words).text }

  // MARK: The script

  /// The interpreters that take a script as their first argument.
  private static let interpreters: Set<String> = [
    "python", "pypy", "perl", "ruby", "node", "nodejs", "php", "lua", "luajit", "julia", "tclsh", "Rscript",
  ]
  /// The interpreters that also search for the script in `PATH`.
  private static let shells: Set<String> = ["sh", "bash", "dash", "ksh", "zsh"]
  private static let scriptEndings: Set<String> = [
    "py", "pyc", "pl", "rb", "js", "mjs", "cjs", "ts", "php", "lua", "jl", "tcl", "R", "r", "sh", "bash",
  ]
  private static let fileEndings: Set<String> = scriptEndings.union([
    "jar", "json", "json5", "jsonl", "csv", "tsv", "txt", "xml", "plist", "yaml", "yml", "toml", "ini", "conf",
    "sql", "sqlite", "db", "wasm",
  ])

  /// The script given to an interpreter, as written.
  ///
  /// `nil` if no word is certainly a file that the interpreter opens. A shell also searches for a script in `PATH`.
  private var script: String? {
    // “python3.12” is python.
    let name = PathText.name(of: words.first ?? "").text
    let bare = String(name.reversed().drop { $0.isNumber || $0 == "." }.reversed())
    guard Self.interpreters.contains(bare) || Self.shells.contains(bare),
      let word = words.dropFirst().first(where: { !Self.isPlainOption($0) }), !word.hasPrefix("-"),
      hasEnding(word, of: Self.scriptEndings)
    else { return nil }
    let isFound =
      Self.shells.contains(bare) && !word.contains("/") && (try? ProgramPath.resolve(word, in: folder)) != nil
    return isFound ? nil : word
  }

  /// Whether a script's name may follow an option.
  ///
  /// After `-c` and `-e` the code itself follows, and after `-m` the name of a module.
  private static func isPlainOption(_ word: String) -> Bool {
    word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 1
      && word.dropFirst().allSatisfy { "uBIOsSvwWqx".contains($0) }
  }

  private func looksLikeFile(_ word: String) -> Bool {
    // A word with spaces is probably code or a sentence.
    !word.contains(where: \.isWhitespace)
      && (word.hasPrefix("./") || word.hasPrefix("../") || hasEnding(word, of: Self.fileEndings))
  }

  private func hasEnding(_ word: String, of endings: Set<String>) -> Bool {
    let ending = URL(fileURLWithPath: word).pathExtension
    return endings.contains(ending) && !word.contains(where: \.isNewline) && !word.contains("://")
  }

  private func file(_ word: String) -> String { word.hasPrefix("/") ? word : folder + "/" + word }

  private func isMissing(_ word: String) -> Bool {
    var status = stat()
    return stat(file(word), &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
  }
}
