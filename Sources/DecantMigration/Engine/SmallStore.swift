internal import DecantStore
internal import Foundation

/// Selects the steps that build their store in memory and write it once.
///
/// They are so short that a checkpoint would cost more than it could save.
///
/// Such a step is one chunk: if killed, it begins again. A step with policies always has checkpoints, because a policy
/// may take long.
enum SmallStore {
  /// The largest source, in bytes.
  static let mostBytes = 4 << 20
  /// The maximum size of the new store, in bytes; a larger one is made again as a file.
  static let mostMemory = 24 << 20

  /// The inputs of a step that works in memory.
  struct Beginning: Sendable {
    let emptyStores: EmptyStores
    let mostMemory: Int
    /// The source in memory, and the connections that are kept for such steps; `nil` if the source is read as a file.
    let source: (image: StoreImage, connections: KeptConnections)?
  }

  /// The inputs of the step; `nil` if it works in a file.
  ///
  /// - Parameter file: The working file. If it exists already, the step continues it.
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
