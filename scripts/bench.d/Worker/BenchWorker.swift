import CoreData
import DecantWorker

/// The worker of the workloads with a policy for each row.
@main
struct BenchWorker {
  static let policies: [NSEntityMigrationPolicy.Type] = [
    NotaPolicy.self, ContactPolicy.self, DoubleEventPolicy.self, DateEventPolicy.self, WriterPolicy.self,
    LabelPolicy.self, VolumePolicy.self,
  ]

  static func main() { Worker.run(policies: policies) }
}
