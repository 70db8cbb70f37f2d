#if !canImport(ObjectiveC)
  /// Runs `body` and does nothing else: without Objective-C, there are no autoreleased objects.
  ///
  /// Migrators of apps call it around each step.
  public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
