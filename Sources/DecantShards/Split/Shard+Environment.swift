extension Shard {
  /// The shard of a task of a Slurm array, or of a pod of an indexed Kubernetes job; otherwise the whole manifest.
  package init(environment: [String: String]) throws(ShardError) {
    if let task = environment["SLURM_ARRAY_TASK_ID"] {
      try self.init(slurmTask: task, environment)
    } else if let index = environment["JOB_COMPLETION_INDEX"] {
      try self.init(pod: index, environment)
    } else {
      self = .whole
    }
  }

  private init(slurmTask text: String, _ environment: [String: String]) throws(ShardError) {
    func number(_ name: String) throws(ShardError) -> Int {
      guard let number = Shard.number(environment[name] ?? "x") else {
        throw .incompleteEnvironment(variable: "SLURM_ARRAY_TASK_ID", needed: name)
      }
      return number
    }
    let task = try number("SLURM_ARRAY_TASK_ID")
    let count = try number("SLURM_ARRAY_TASK_COUNT")
    let first = try number("SLURM_ARRAY_TASK_MIN")
    // An array such as 3,7 has fewer tasks than there are numbers from its first to its last task.
    if let last = Shard.number(environment["SLURM_ARRAY_TASK_MAX"] ?? "x"), last >= first,
      last - first != count - 1
    {
      throw .arrayWithGaps(task: text)
    }
    guard task >= first else { throw .arrayWithGaps(task: text) }
    try self.init(task - first + 1, of: count, place: "SLURM_ARRAY_TASK_ID")
  }

  private init(pod text: String, _ environment: [String: String]) throws(ShardError) {
    guard let index = Shard.number(text), index < Shard.most else {
      throw .incompleteEnvironment(variable: "JOB_COMPLETION_INDEX", needed: "JOB_COMPLETION_INDEX")
    }
    guard let count = Shard.number(environment["JOB_COMPLETIONS"] ?? "x") else {
      throw .incompleteEnvironment(variable: "JOB_COMPLETION_INDEX", needed: "JOB_COMPLETIONS")
    }
    try self.init(index + 1, of: count, place: "JOB_COMPLETION_INDEX")
  }
}
