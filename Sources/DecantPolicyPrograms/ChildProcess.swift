internal import CLinux
internal import Glibc

/// Starts processes without blocked signals, with default signal handlers, and with only the given descriptors and
/// environment.
package enum ChildProcess {
  package struct Failure: Error {
    /// The `errno` of the failed call.
    package let code: Int32

    package init(code: Int32) { self.code = code }
  }

  /// - Parameters:
  ///   - words: The arguments; the first is the program's own name.
  ///   - folder: The working folder; `nil` for this process's own.
  ///   - descriptors: The process's descriptors from 0 on. If one of the first three is missing, it is the null device.
  ///   - group: The process group that the process joins; 0 for a new group.
  /// - Returns: The process ID.
  package static func spawn(
    _ words: [String], path: String, folder: String? = nil, descriptors: [Int32], environment: [String: String],
    group: Int32
  ) throws(Failure) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    for number in min(descriptors.count, 3)..<3 {
      posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
    }
    decant_spawn_closing_from(&actions, Int32(max(descriptors.count, 3)))
    if let folder { decant_spawn_in(&actions, folder) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, group)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, arguments, variables)
    guard code == 0 else { throw Failure(code: code) }
    return process
  }
}
