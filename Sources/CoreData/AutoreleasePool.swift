#if !canImport(ObjectiveC)
  /// Runs `body` and does nothing else: without Objective-C, there are no autoreleased objects.
  ///
  /// Code of apps calls this function around each step of a migration.
  public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
