internal import Glibc

/// Writing to a pipe or socket that has no reader any more.
package enum BrokenPipe {
  /// Calls a function that writes and sets `errno`.
  ///
  /// If the call fails with `EPIPE`, its signal SIGPIPE doesn't reach the program, whatever handler the program has.
  package static func quietly(_ write: () -> Int) -> Int {
    var signal = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &signal, &before)
    let count = write()
    let code = errno
    if count < 0, code == EPIPE, !wasPending {
      var noTime = timespec()
      while sigtimedwait(&signal, nil, &noTime) < 0, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return count
  }
}
