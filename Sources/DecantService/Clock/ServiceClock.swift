internal import DecantReport
internal import Glibc

/// The daemon's clocks; tests supply their own.
package struct ServiceClock {
  /// Seconds of a clock that never jumps.
  package var steady: () -> Double
  /// Seconds since 1970.
  package var wall: () -> Double

  package init(steady: @escaping () -> Double, wall: @escaping () -> Double) {
    self.steady = steady
    self.wall = wall
  }

  package static var machine: ServiceClock {
    ServiceClock(
      steady: {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
      }, wall: Timestamp.now)
  }
}
