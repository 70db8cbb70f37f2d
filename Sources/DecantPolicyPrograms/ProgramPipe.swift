internal import CLinux
internal import Glibc

/// Reads and writes pipes that are set to non-blocking.
enum ProgramPipe {
  enum Reading {
    case bytes(ArraySlice<UInt8>)
    /// No bytes are available now.
    case nothing
    /// The other end is closed, or the pipe failed.
    case end
  }

  /// Reads the available bytes, up to the size of the buffer.
  static func read(_ descriptor: Int32, into buffer: inout [UInt8]) -> Reading {
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { return .bytes(buffer[..<count]) }
      if count < 0, errno == EINTR { continue }
      return count < 0 && errno == EAGAIN ? .nothing : .end
    }
  }

  /// Writes as many bytes as the pipe accepts.
  ///
  /// - Returns: The number of bytes; `nil` if the other end is closed.
  static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
    withoutPipeSignal {
      while true {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        if errno == EINTR { continue }
        return errno == EAGAIN ? 0 : nil
      }
    }
  }

  /// Runs work in which a closed pipe is an error and not a signal, with any SIGPIPE handler of the process.
  private static func withoutPipeSignal<Result>(_ work: () -> Result) -> Result {
    var pipe = sigset_t()
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    var former = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipe, &former)
    let result = work()
    if !wasPending {
      // Removes the signal of this thread's own write, if there is one.
      var none = timespec()
      while sigtimedwait(&pipe, nil, &none) == -1, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &former, nil)
    return result
  }
}
