package import DecantStore
internal import Foundation

/// The limits and inputs of the steps that build their store in memory and write it once.
///
/// Such a step is so short that a checkpoint would cost more than it could save.
///
/// The step can't be resumed: if the run is killed, the next run repeats the step. A step with mapping models always
/// works in a file, because a policy may take long.
package enum SmallStore {
  /// The largest source, in bytes.
  package static let mostBytes = 4 << 20
  /// The maximum size of the new store, in bytes; a larger one is made again as a file.
  package static let mostMemory = 24 << 20

  /// The inputs of a step that works in memory.
  package struct Beginning: Sendable {
    let emptyStores: EmptyStores
    let mostMemory: Int
    /// The source in memory, and the connections that are kept for such steps; `nil` if the source is read as a file.
    let source: (image: StoreImage, connections: KeptConnections)?

    package init(
      emptyStores: EmptyStores, mostMemory: Int, source: (image: StoreImage, connections: KeptConnections)?
    ) {
      self.emptyStores = emptyStores
      self.mostMemory = mostMemory
      self.source = source
    }
  }
}
