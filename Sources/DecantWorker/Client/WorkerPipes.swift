internal import Glibc

/// The three pipes between a supervisor and a worker.
struct WorkerPipes {
  struct Ends {
    var read: Int32
    var write: Int32
  }

  let input: Ends
  let output: Ends
  let errors: Ends

  init() throws(WorkerStartFailure) {
    input = try Self.make()
    do throws(WorkerStartFailure) {
      output = try Self.make()
    } catch {
      Self.close(input)
      throw error
    }
    do throws(WorkerStartFailure) {
      errors = try Self.make()
    } catch {
      Self.close(input)
      Self.close(output)
      throw error
    }
    for descriptor in [input.write, output.read, errors.read] {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
  }

  func closeChildEnds() {
    for descriptor in [input.read, output.write, errors.write] { Glibc.close(descriptor) }
  }

  func closeAll() {
    for ends in [input, output, errors] { Self.close(ends) }
  }

  private static func close(_ ends: Ends) {
    Glibc.close(ends.read)
    Glibc.close(ends.write)
  }

  private static func make() throws(WorkerStartFailure) -> Ends {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw WorkerStartFailure(executable: "(pipe)", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return Ends(read: ends[0], write: ends[1])
  }
}
