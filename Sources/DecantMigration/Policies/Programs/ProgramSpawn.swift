internal import CLinux
internal import Foundation
internal import Glibc

/// Starts a policy program: in its folder, in a process group of its own, with three pipes and a small environment.
enum ProgramSpawn {
  /// Our ends of the pipes, none of which blocks.
  struct Running {
    let process: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32
  }

  /// What of the environment a program gets to see.
  private static let inherited = ["HOME", "TMPDIR", "LD_LIBRARY_PATH"]

  /// The environment, the same on every machine but for paths.
  static var environment: [String: String] {
    var environment = [
      "PATH": ProgramPath.searchPath, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
      // Texts are hashed alike in every run, and no compiled files are left in the family's folder.
      "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1",
      "DECANT_PROTOCOL": "\(PolicyProgram.protocolNumber)",
    ]
    for name in inherited { environment[name] = ProcessInfo.processInfo.environment[name] }
    return environment
  }

  static func spawn(
    _ words: [String], path: String, folder: String
  ) throws(PolicyProgramError.Reason) -> Running {
    var ends: [Int32] = []
    for _ in 0..<3 {
      var pipe: [Int32] = [-1, -1]
      guard decant_pipe(&pipe) == 0 else {
        let code = errno
        ends.forEach { close($0) }
        throw .notStarted(path: path, code: code)
      }
      ends += pipe
    }
    let (theirs, ours) = ([ends[0], ends[3], ends[5]], [ends[1], ends[2], ends[4]])
    defer { theirs.forEach { close($0) } }
    do throws(PolicyProgramError.Reason) {
      let process = try spawn(words, path: path, folder: folder, descriptors: theirs)
      for descriptor in ours { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
      return Running(process: process, input: ours[0], output: ours[1], errors: ours[2])
    } catch {
      ours.forEach { close($0) }
      throw error
    }
  }

  private static func spawn(
    _ words: [String], path: String, folder: String, descriptors: [Int32]
  ) throws(PolicyProgramError.Reason) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in descriptors.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    decant_spawn_closing_from(&actions, 3)
    decant_spawn_in(&actions, folder)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.sorted { $0.key < $1.key }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (arguments + variables).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, &actions, &attributes, arguments, variables)
    guard code == 0 else { throw .notStarted(path: path, code: code) }
    return process
  }
}
