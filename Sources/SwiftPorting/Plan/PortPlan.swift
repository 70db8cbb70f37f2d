/// The sources of a worker, made from the sources of an app.
package struct PortPlan: Sendable {
  /// The files for the worker, in the order of their paths.
  package private(set) var files: [PortedFile] = []
  /// The names of the policy classes, for the worker's list.
  package private(set) var policies: [String] = []
  /// The names of the managed object classes, for the worker's list.
  package private(set) var objects: [String] = []
  /// The products of Decant's package that the worker needs.
  package private(set) var products: Set<String> = ["CoreData", "DecantWorker"]
  /// The paths of tests that take part in migrations; a worker doesn't need them.
  package private(set) var tests: [String] = []
  /// The other files that a worker doesn't need, with the reason: a sentence without its subject and full stop.
  package private(set) var unused: [(path: String, reason: String)] = []

  /// - Parameter sources: The app's Swift files, in any order.
  package init(_ sources: [AppSource]) {
    let all = sources.map { (path: $0.path, code: SwiftCode($0.bytes)) }.sorted { $0.path < $1.path }
    let types = AppTypes(all)
    var chosen: [(path: String, code: SwiftCode)] = []
    for file in all {
      guard FileChoice.takesPart(file.code, types) else {
        unused.append((file.path, FileChoice.reason(file.code, types)))
        continue
      }
      if FileChoice.isTest(file.code) { tests.append(file.path) } else { chosen.append(file) }
    }
    let paths = Set(chosen.map(\.path))
    for file in chosen {
      var ported = PortedCode(file.code)
      ObjectiveCNames.apply(to: &ported, types)
      KeyPathTexts.apply(to: &ported)
      ManagedMembers.apply(to: &ported, types)
      RequiredInitialisers.apply(to: &ported, types)
      products.formUnion(ImportedModules.apply(to: &ported))
      LeftOver.apply(to: &ported, types)
      MissingTypes.apply(to: &ported, types, chosen: paths)
      files.append(
        PortedFile(
          path: file.path, bytes: ported.result, changes: ported.changes.sorted { $0.line < $1.line },
          left: ported.left.sorted { $0.line < $1.line }))
      list(Declarations(file.code), types)
    }
  }

  private mutating func list(_ declarations: Declarations, _ types: AppTypes) {
    for declaration in declarations.all where declaration.kind == .type {
      let name = declarations.wholeName(of: declaration)
      if types.isKind(declaration.name, of: MigrationNames.policy) { policies.append(name) }
      if types.isKind(declaration.name, of: MigrationNames.object) { objects.append(name) }
    }
  }

  /// The names that several files have; a module can't have two files of the same name.
  package var sameNames: [String] {
    let names = files.map { $0.path.split(separator: "/").last.map(String.init) ?? $0.path }
    return Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.sorted()
  }
}
