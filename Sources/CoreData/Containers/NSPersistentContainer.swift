public import DecantPolicies
public import Foundation

/// A model with its coordinator, its stores and a context (Core Data's NSPersistentContainer).
///
/// Stores are opened at once, on the caller's thread.
///
/// `@unchecked Sendable`, as Apple's class is: the descriptions are set before the stores are loaded.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
  public let name: String
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  public let viewContext: ManagedObjectContext
  /// The stores that `loadPersistentStores` opens; by default `NAME.sqlite` in `defaultDirectoryURL()`.
  open var persistentStoreDescriptions: [NSPersistentStoreDescription]
  /// The error of loading a store if the model has no entities.
  private var modelProblem: any Error

  public var managedObjectModel: ModelDescription { persistentStoreCoordinator.managedObjectModel }

  /// The folder of a container's default store.
  ///
  /// It has the program's name, and is in the user's application support folder. If there is no such folder, it is in
  /// the home folder.
  open class func defaultDirectoryURL() -> URL {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    return (folders.first ?? FileManager.default.homeDirectoryForCurrentUser)
      .appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
  }

  /// A container for the model `name` in the main bundle.
  ///
  /// If the model isn't found or can't be read, the container's model is empty. Loading a store then fails with the
  /// reason.
  public convenience init(name: String) {
    self.init(name: name, searching: ModelSearch.folders(of: nil))
  }

  convenience init(name: String, searching folders: [URL]) {
    let files = ModelSearch.files(in: folders, endings: ModelSearch.modelEndings.map { name + $0 })
    let url = files.items.first { $0.deletingPathExtension().lastPathComponent == name }
    var problem: any Error = CoreDataError(
      NSPersistentStoreOpenError,
      files.withProblems(
        "The model “\(name)” wasn't found in the program's bundle; give it to init(name:managedObjectModel:)"))
    var model: ModelDescription?
    do {
      model = try url.map { try ModelDescription.model(at: $0) }
    } catch {
      problem = error
    }
    self.init(name: name, managedObjectModel: model ?? ModelDescription())
    if model == nil { modelProblem = problem }
  }

  public init(name: String, managedObjectModel model: ModelDescription) {
    self.name = name
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    viewContext = ManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    persistentStoreDescriptions = []
    modelProblem = CoreDataError(
      NSPersistentStoreOpenError,
      "The model of the container “\(name)” has no entities, so it can't open a store. Give it a model with entities."
    )
    super.init()
    viewContext.persistentStoreCoordinator = persistentStoreCoordinator
    let url = type(of: self).defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
  }

  /// Opens the stores of the descriptions that aren't open yet.
  ///
  /// If a store's URL is in `defaultDirectoryURL()`, this folder is made if it doesn't exist.
  ///
  /// - Parameter block: Called once for each description whose store isn't open yet. The error is nil if the store was
  ///   opened.
  open func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions {
      if let url = description.url {
        if persistentStoreCoordinator.persistentStore(for: url) != nil { continue }
        let folder = url.deletingLastPathComponent().standardizedFileURL
        if folder.path == type(of: self).defaultDirectoryURL().standardizedFileURL.path {
          do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          } catch {
            let problem = CoreDataError(
              CocoaError.fileWriteUnknown.rawValue,
              "The folder \(folder.path) of the store can't be made: \(error.localizedDescription) "
                + "Check the permissions of the folders above it.")
            block(description, problem)
            continue
          }
        }
      }
      guard !managedObjectModel.entities.isEmpty else {
        block(description, modelProblem)
        continue
      }
      persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
    }
  }

  /// A further context for the container's stores.
  open func newBackgroundContext() -> ManagedObjectContext {
    let context = ManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = persistentStoreCoordinator
    return context
  }

  /// Runs a block with a new context, at once and on this thread.
  open func performBackgroundTask(_ block: @escaping (ManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.performAndWait { block(context) }
  }

  public func performBackgroundTask<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ block: @escaping (ManagedObjectContext) throws -> Result
  ) async rethrows -> Result {
    let context = newBackgroundContext()
    return try context.performAndWait { try block(context) }
  }
}
