internal import DecantConsole
internal import FileNames

/// The README of a new worker's package.
enum WorkerReadme {
  /// - Parameter isSample: Whether the package is the sample, whose policy and tests are complete.
  static func text(
    _ name: WorkerName, _ models: WorkerModels, _ place: DecantPlace, languageMode: Int, isSample: Bool
  ) -> String {
    let unwritten = models.code.policies.flatMap(\.selectors) + models.code.functions.flatMap(\.selectors)
    var text = """
      # \(name.package)

      A worker for Decant: the policies of an app, which make objects of new versions from objects of old ones.
      ```
      swift test
      decant migrate STORE --models models --output NEW-STORE --keep-associations --worker .build/debug/\(name.package)
      decant verify STORE NEW-STORE --models models
      ```
      - `Sources/\(name.package)/\(name.type).swift` registers the classes that mapping models and models name. Add each new
        class there; `.build/debug/\(name.package) --list` shows what is registered.
      - `Sources/\(name.package)/Policies` holds the policies. You can put files of the app there unchanged, if they
        import only CoreData and Foundation.
      - `Sources/\(name.package)/Objects` holds the managed object classes, as `decant classes` writes them.
      - `models` is a copy of the catalogue. After each change of the catalogue, copy it again (`cp -R CATALOGUE/. models/`), and
        write the classes of a new version with `decant classes`. `decant check models --worker .build/debug/\(name.package)`
        checks the copy.
      - `Tests` generates a store of each old version, migrates it with this worker, and opens the result. `swift test`
        needs `decant` in PATH, or its path in the environment variable `DECANT`. `Rehearsal(version, store: url)` takes a
        genuine store in place of a generated one.

      For a server, build with `swift build -c release --static-swift-stdlib` and name the program as `worker` in the
      family's `family.json5`. The worker has to be built with the same version of Decant as `decant` and `decantd`.

      The package is built in Swift's language mode \(languageMode). If files of the app need another mode, change
      `swiftLanguageModes` in `Package.swift`.

      """
    if case .libraries = place {
      text += """

        The package builds against the libraries of an installed Decant. If they are in another folder,
        run `DECANT_LIBRARIES=/path swift build`. After an update of Decant or Swift, run `swift package clean`. The libraries
        need the headers of SQLite, Nettle, zlib and expat:
        `apt-get install libsqlite3-dev nettle-dev zlib1g-dev libexpat1-dev`.

        """
    }
    if !isSample, !models.code.policies.isEmpty {
      text += """

        Each policy has a test that fails until you write checks of what the policy has to make.

        """
    }
    if !unwritten.isEmpty {
      text += """

        Mapping models call functions that you have to write first. Until then the tests fail and name them:
        \(unwritten.map { "`\(PlainText.of($0))`" }.joined(separator: ", ")).

        """
    }
    return text
  }
}
