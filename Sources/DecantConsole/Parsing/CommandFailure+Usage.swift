internal import DecantReport

extension CommandFailure {
  package init(_ error: UsageError) { self.init(.usage, error.description) }
}
