internal import DecantCatalogue

/// The tests of a new worker's package.
enum WorkerTestText {
  /// - Parameters:
  ///   - copies: The paths of the catalogue's copied files and folders, and the paths of their copies.
  ///   - sample: A test of the sample's policy. If it is nil, each policy gets a test that a developer must complete.
  static func tests(
    _ name: WorkerName, _ models: WorkerModels, _ copies: [(original: String, copy: String)], sample: String?
  ) -> String {
    let versions = models.oldVersions.map { version in
      """
          .init(
            family: \(SwiftName.literal(version.family)), name: \(SwiftName.literal(version.name)),
            model: \(SwiftName.literal(version.model)),
            target: \(SwiftName.literal(version.target)), targetModel: \(SwiftName.literal(version.targetModel))),
      """
    }
    let own = sample ?? models.code.policies.compactMap { policy($0, models) }.joined(separator: "\n")
    return """
      import CoreData
      import Testing

      @testable import \(name.module)

      /// Stores of old versions are generated, migrated by this package's worker, opened and checked.
      @Suite("\(name.package)")
      struct \(name.tests) {
        @Test("a store of each old version can be migrated and opened", arguments: OldVersion.all)
        func opened(_ version: OldVersion) throws {
          let run = try Rehearsal(version)
          try run.verify()
          #expect(try !run.result.allObjects().isEmpty)
        }

      \(copies.isEmpty ? "" : current)\(own)}

      \(originals(copies))extension OldVersion {
        /// The old versions of stores, with the paths of their models in the folder “models”.
        static let all: [OldVersion] = [
      \(versions.joined(separator: "\n"))
        ]
      }

      """
  }

  private static let current = """
      @Test("the models are those of the catalogue", .enabled(if: CatalogueCopy.isCatalogueThere))
      func catalogue() {
        #expect(
          CatalogueCopy.all.flatMap(\\.differences).isEmpty,
          "Copy the catalogue into “models” again. Write classes and policies of new versions.")
      }


    """

  private static func originals(_ copies: [(original: String, copy: String)]) -> String {
    guard !copies.isEmpty else { return "" }
    let lines = copies.map {
      "    .init(original: \(SwiftName.literal($0.original)), copy: \(SwiftName.literal($0.copy))),"
    }
    return """
      extension CatalogueCopy {
        /// The files and folders that “models” has from the catalogue. Paths of originals are relative to this package.
        static let all: [CatalogueCopy] = [
      \(lines.joined(separator: "\n"))
        ]

        static var isCatalogueThere: Bool { all.contains(where: \\.isThere) }
      }


      """
  }

  /// The test of a policy; it fails until the developer completes it.
  private static func policy(_ policy: WorkerPolicy, _ models: WorkerModels) -> String? {
    guard let use = policy.uses.first, let source = use.mapping.sourceEntityName,
      let destination = use.mapping.destinationEntityName
    else { return nil }
    let old =
      use.isAlone ? "    let old = try run.source.objects(\(SwiftName.literal(source)))\n" : ""
    let counts =
      !use.isAlone
      ? "    // Check here how many objects there are, and their values."
      : """
          // One object is made from each old object. Change this if the policy makes more or fewer, and check their
          // values.
          #expect(new.count \(use.mapping.chooses ? "<=" : "==") old.count)
      """
    let method = policy.name.prefix(1).lowercased() + policy.name.dropFirst()
    return """
        @Test("\(policy.name) makes its objects")
        func \(SwiftName.escaped(method))() throws {
          let run = try Rehearsal(
            .init(
              family: \(SwiftName.literal(use.family.name)), name: \(SwiftName.literal(use.source.name)),
              model: \(SwiftName.literal(models.model(of: use.source))),
              target: \(SwiftName.literal(use.destination.name)),
              targetModel: \(SwiftName.literal(models.model(of: use.destination)))))
      \(old)    let new = try run.result.objects(\(SwiftName.literal(destination)))
      \(counts)
          Issue.record(\(SwiftName.literal("Replace this line with checks of what \(policy.name) has to make.")))
          for object in new { #expect(object.entity.name == \(SwiftName.literal(destination))) }
        }

      """
  }
}
