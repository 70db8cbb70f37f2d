/// The settings of a context.
///
/// Every context has them. In a migration's context, they have no effect.
package struct ContextSettings {
  /// Whether a program has made the context; if not, it belongs to a migration.
  package var isOwn = false
  /// The coordinator of the stores; `nil` for none.
  package var coordinator: AnyObject?
  package var parent: ManagedObjectContext?
  /// Whether the context was made for the main queue.
  package var isOfMainQueue = false
  package var name: String?
  package var transactionAuthor: String?
  package var mergePolicy: Any?
  package var automaticallyMergesChangesFromParent = false
  package var stalenessInterval = -1.0
  /// The modules of the classes that fetch requests have asked for, the latest first.
  package var modules: [String] = []

  package init() {}
}
