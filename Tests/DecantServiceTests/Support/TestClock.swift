@testable import DecantService

/// A clock that tests set.
final class TestClock {
  var seconds = 1_000.0

  var service: ServiceClock {
    ServiceClock(steady: { self.seconds }, wall: { 1_795_183_200 + self.seconds })
  }
}
