import FileNames
import Foundation
import Testing

@testable import DecantShards

@Suite("The division into shards") struct ShardTests {
  @Test("a path's key is the start of the SHA-256 of its bytes")
  func key() {
    // The result of: printf %s /backup/x.sqlite | sha256sum
    let key = PathKey(of: "/backup/x.sqlite")
    #expect(key.hex == "94bf4a319a343093e4c5fa3fa72eeb17")
    #expect(key.folder == "94/bf/94bf4a319a343093e4c5fa3fa72eeb17")
    // The two Unicode normal forms of é are different names.
    #expect(PathKey(of: "\u{e9}") != PathKey(of: "e\u{301}"))
  }

  @Test("each store belongs to exactly one shard", arguments: [1, 2, 3, 8, 97])
  func split(count: Int) throws {
    let shards = try (1...count).map { try Shard("\($0)/\(count)") }
    var sizes = [Int](repeating: 0, count: count)
    for number in 0..<2000 {
      let key = PathKey(of: FileName("/stores/\(number)"))
      let owners = shards.filter { $0.contains(key) }
      #expect(owners.count == 1)
      #expect(owners.first?.number == Int(key.high % UInt64(count)) + 1)
      sizes[(owners.first?.number ?? 1) - 1] += 1
    }
    let mean = 2000 / count
    let least = sizes.min() ?? 0
    #expect(least > mean / 4, "\(sizes)")
  }

  @Test("the text K/N of a shard is read strictly")
  func text() throws {
    #expect(try Shard("3/8") == Shard(3, of: 8, place: ""))
    for text in ["", "3", "3/", "/8", "3/8/1", "+3/8", "3/8 ", "three/8", "-1/8", "99999999999999999999/8"] {
      #expect(throws: ShardError.badShard(text)) { try Shard(text) }
    }
    for (number, count) in [(9, 8), (0, 8), (1, 0), (1, Shard.most + 1)] {
      #expect(throws: ShardError.outOfRange(number: number, count: count, most: Shard.most, place: "--shard")) {
        try Shard("\(number)/\(count)")
      }
    }
  }

  private func slurm(_ id: String, count: String = "8", min: String = "0", max: String? = nil) -> [String:
    String]
  {
    ["SLURM_ARRAY_TASK_ID": id, "SLURM_ARRAY_TASK_COUNT": count, "SLURM_ARRAY_TASK_MIN": min]
      .merging(max.map { ["SLURM_ARRAY_TASK_MAX": $0] } ?? [:]) { $1 }
  }

  @Test("a task of a Slurm array is a shard, whatever number the array begins with")
  func array() throws {
    #expect(try Shard(environment: slurm("0", max: "7")).description == "1/8")
    #expect(try Shard(environment: slurm("7", max: "7")).description == "8/8")
    #expect(try Shard(environment: slurm("5", min: "5", max: "12")).description == "1/8")
    #expect(throws: ShardError.arrayWithGaps(task: "7")) {
      try Shard(environment: slurm("7", count: "2", min: "3", max: "7"))
    }
    #expect(throws: ShardError.outOfRange(number: 9, count: 8, most: Shard.most, place: "SLURM_ARRAY_TASK_ID"))
    {
      try Shard(environment: slurm("8"))
    }
    let large = String(Int.max)
    #expect(
      throws: ShardError.incompleteEnvironment(variable: "SLURM_ARRAY_TASK_ID", needed: "SLURM_ARRAY_TASK_ID")
    ) { try Shard(environment: slurm(large, count: large)) }
    #expect(throws: ShardError.arrayWithGaps(task: "1")) { try Shard(environment: slurm("1", min: "2")) }
    #expect(
      throws: ShardError.incompleteEnvironment(
        variable: "SLURM_ARRAY_TASK_ID", needed: "SLURM_ARRAY_TASK_COUNT")
    ) { try Shard(environment: ["SLURM_ARRAY_TASK_ID": "1"]) }
  }

  @Test("a Kubernetes job's completion index is the shard, of as many shards as completions")
  func pod() throws {
    let pod = ["JOB_COMPLETION_INDEX": "0", "JOB_COMPLETIONS": "5"]
    #expect(try Shard(environment: pod).description == "1/5")
    #expect(throws: ShardError.outOfRange(number: 6, count: 5, most: Shard.most, place: "JOB_COMPLETION_INDEX"))
    {
      try Shard(environment: pod.merging(["JOB_COMPLETION_INDEX": "5"]) { $1 })
    }
    #expect(
      throws: ShardError.incompleteEnvironment(variable: "JOB_COMPLETION_INDEX", needed: "JOB_COMPLETIONS")
    ) { try Shard(environment: ["JOB_COMPLETION_INDEX": "1"]) }
    #expect(try Shard(environment: [:]) == .whole)
  }
}
