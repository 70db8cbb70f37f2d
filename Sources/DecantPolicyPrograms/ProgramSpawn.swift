internal import CLinux
internal import Foundation
internal import Glibc

/// Starts a policy program in a process group that is killed when Decant ends, even by SIGKILL.
///
/// The group's leader is a guardian: a shell that waits for the end of a pipe. Only Decant has the pipe's write end,
/// and the kernel closes it when Decant ends. A parent-death signal would reach only the program itself, and the kernel
/// would send it as soon as the thread that started the program ends.
enum ProgramSpawn {
  /// The processes and Decant's ends of the pipes; `input`, `output` and `errors` don't block.
  struct Running {
    let process: pid_t
    let guardian: pid_t
    let input: Int32
    let output: Int32
    let errors: Int32
    /// The write end of the pipe that the guardian reads.
    let life: Int32
  }

  /// The script ignores the signals that are usually sent to end a program: the guardian must not end before the
  /// program.
  private static let shell = "/bin/sh"
  private static let watch = "trap '' HUP INT QUIT TERM PIPE ALRM USR1 USR2; read -r end; kill -s KILL 0"

  private static let inherited = ["HOME", "TMPDIR", "LD_LIBRARY_PATH"]

  /// The environment of a program: apart from paths, it is the same on every machine.
  static var environment: [String: String] {
    var environment = [
      "PATH": ProgramPath.searchPath, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC",
      // With these, texts in Python have the same hash in every run, and no compiled files are written to the family's
      // folder.
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
    for _ in 0..<4 {
      var pipe: [Int32] = [-1, -1]
      guard decant_pipe(&pipe) == 0 else {
        let code = errno
        ends.forEach { close($0) }
        throw .notStarted(path: path, code: code)
      }
      ends += pipe
    }
    let (theirs, ours) = ([ends[0], ends[3], ends[5]], [ends[1], ends[2], ends[4]])
    let (watched, life) = (ends[6], ends[7])
    defer { (theirs + [watched]).forEach { close($0) } }
    do throws(PolicyProgramError.Reason) {
      let guardian = try spawn(
        [shell, "-c", watch], path: shell, folder: "/", descriptors: [watched], environment: [:], group: 0)
      do throws(PolicyProgramError.Reason) {
        let process = try spawn(
          words, path: path, folder: folder, descriptors: theirs, environment: environment, group: guardian)
        for descriptor in ours { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        return Running(
          process: process, guardian: guardian, input: ours[0], output: ours[1], errors: ours[2], life: life)
      } catch {
        kill(guardian, SIGKILL)
        var status: Int32 = 0
        while waitpid(guardian, &status, 0) == -1, errno == EINTR {}
        throw error
      }
    } catch {
      (ours + [life]).forEach { close($0) }
      throw error
    }
  }

  private static func spawn(
    _ words: [String], path: String, folder: String, descriptors: [Int32], environment: [String: String],
    group: pid_t
  ) throws(PolicyProgramError.Reason) -> pid_t {
    do throws(ChildProcess.Failure) {
      return try ChildProcess.spawn(
        words, path: path, folder: folder, descriptors: descriptors, environment: environment, group: group)
    } catch {
      throw .notStarted(path: path, code: error.code)
    }
  }
}
