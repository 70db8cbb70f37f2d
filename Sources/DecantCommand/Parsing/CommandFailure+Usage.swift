internal import DecantReport

extension CommandFailure {
  init(_ error: UsageError) { self.init(.usage, error.description) }
}
