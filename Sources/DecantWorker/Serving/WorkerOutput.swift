internal import Foundation
internal import Synchronization

/// The worker's output pipe to its supervisor.
///
/// Each line is written whole, from any queue.
final class WorkerOutput: Sendable {
  private let descriptor: Mutex<Int32>
  private let broken = Atomic<Bool>(false)

  init(descriptor: Int32) { self.descriptor = Mutex(descriptor) }

  /// Whether a line couldn't be written, for example because the reader has closed the pipe.
  ///
  /// Then further work is useless.
  var isBroken: Bool { broken.load(ordering: .acquiring) }

  func send(_ event: WorkerEvent) {
    descriptor.withLock { descriptor in
      guard let line = try? JSONLine.encode(event), DescriptorIO.write(line, to: descriptor) == 0 else {
        broken.store(true, ordering: .releasing)
        return
      }
    }
  }
}
