#if !canImport(ObjectiveC)
  /// Runs the body: there are no autoreleased objects without Objective-C.
  ///
  /// Migrators of apps call it around each step.
  public func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result { try body() }
#endif
