import CoreData
import DecantWorker

/// The worker for the workloads in which a policy makes each object.
@main
struct BenchWorker {
  static let policies: [NSEntityMigrationPolicy.Type] = [
    NotaPolicy.self, ContactPolicy.self, DoubleEventPolicy.self, DateEventPolicy.self, WriterPolicy.self,
    LabelPolicy.self, VolumePolicy.self,
  ]

  static func main() { Worker.run(policies: policies) }
}
