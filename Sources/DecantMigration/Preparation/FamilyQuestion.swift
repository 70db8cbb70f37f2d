internal import DecantStore

/// The keys under which a family's memory caches answers.
enum FamilyQuestion {
  /// What the answers depend on in a store: its version, framework, tables and indexes.
  struct Store: Hashable, Sendable {
    let version: Int
    /// The name that is used for the version.
    let name: String
    let framework: FrameworkVersion
    let schema: SchemaEvidence
    let leadingColumns: [String: Set<String>]

    /// Doesn't hash the schema's many names; few stores differ only in these names.
    func hash(into hasher: inout Hasher) {
      hasher.combine(version)
      hasher.combine(name)
      hasher.combine(framework)
      hasher.combine(schema.tables.count)
    }
  }

  struct SourceLayout: Hashable, Sendable {
    let store: Store
  }

  struct Target: Hashable, Sendable {
    let source: Int
    let name: String
    let wanted: String?
  }

  struct Path: Hashable, Sendable {
    let source: Int
    let sourceName: String
    let target: Int
    let targetName: String
    let isRewrite: Bool
  }

  struct Steps: Hashable, Sendable {
    let path: Path
    let store: Store
  }

  struct ModelCache: Hashable, Sendable {
    let steps: Steps
  }
}
