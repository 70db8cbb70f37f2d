internal import DecantStore
internal import Foundation

/// Which steps build their store in memory and write it once: those so short that a checkpoint would cost more than it
/// could save.
///
/// Such a step is one chunk: killed, it begins anew. A step with policies has checkpoints whatever its size, because what
/// a policy does may take long.
enum SmallStore {
  /// The largest source, in bytes.
  static let mostBytes = 4 << 20
  /// What the new store may grow to, in bytes; a larger one is begun anew as a file.
  static let mostMemory = 24 << 20

  /// What a run has to begin with.
  struct Beginning: Sendable {
    let emptyStores: EmptyStores
    let mostMemory: Int
    /// The source in memory, and the connections that are kept for such work; `nil` where it is read as a file.
    let source: (image: StoreImage, connections: KeptConnections)?
  }

  /// What the step begins with; `nil` where it works in a file.
  ///
  /// - Parameter file: The working file; one that is there already is gone on with.
  static func beginning(
    for program: any StepProgram, of prepared: PreparedJob, source: SourceStore, file: String
  ) -> Beginning? {
    var status = stat()
    guard program is InferredProgram, program.quarantine == nil, !prepared.keepsAssociations,
      prepared.job.chunkSize == nil, prepared.family.configuration.chunkSize == nil,
      stat(source.readPath, &status) == 0, status.st_size <= mostBytes, access(file, F_OK) != 0
    else { return nil }
    let shelf = prepared.job.shelf
    return Beginning(
      emptyStores: shelf?.emptyStores ?? EmptyStores(), mostMemory: prepared.job.smallStoreMemory,
      source: shelf.flatMap { shelf in source.image.map { ($0, shelf.schemas.connections) } })
  }
}
