/// A use of each name that the module `CoreData` marks as unavailable.
enum MissingNameUses {
  static let all: KeyValuePairs<String, String> = [
    "NSBatchUpdateRequest": #"_ = NSBatchUpdateRequest(entityName: "Nota")"#,
    "NSBatchUpdateResult": #"let x: NSBatchUpdateResult"#,
    "NSBatchUpdateRequestResultType": #"let x: NSBatchUpdateRequestResultType"#,
    "NSBatchInsertRequest": #"_ = NSBatchInsertRequest(entityName: "Nota", objects: [])"#,
    "NSBatchInsertResult": #"let x: NSBatchInsertResult"#,
    "NSBatchInsertRequestResultType": #"let x: NSBatchInsertRequestResultType"#,
    "NSBatchDeleteRequest": #"_ = NSBatchDeleteRequest(objectIDs: [])"#,
    "NSBatchDeleteResult": #"let x: NSBatchDeleteResult"#,
    "NSBatchDeleteRequestResultType": #"let x: NSBatchDeleteRequestResultType"#,
    "NSPersistentHistoryChange": #"_ = NSPersistentHistoryChange.fetchRequest()"#,
    "NSPersistentHistoryChangeType": #"let x: NSPersistentHistoryChangeType"#,
    "NSPersistentHistoryChangeRequest":
      #"_ = NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast)"#,
    "NSPersistentHistoryResult": #"let x: NSPersistentHistoryResult"#,
    "NSPersistentHistoryResultType": #"let x: NSPersistentHistoryResultType"#,
    "NSPersistentHistoryToken": #"let x: NSPersistentHistoryToken"#,
    "NSPersistentHistoryTransaction": #"_ = NSPersistentHistoryTransaction.fetchRequest"#,
    "NSPersistentHistoryTokenKey": #"_ = NSPersistentHistoryTokenKey"#,
    "NSPersistentStoreCoordinator.currentPersistentHistoryToken(fromStores:)":
      #"_ = p.currentPersistentHistoryToken(fromStores: nil)"#,
    "NSPersistentCloudKitContainer": #"_ = NSPersistentCloudKitContainer(name: "Notas")"#,
    "NSPersistentCloudKitContainerOptions":
      #"_ = NSPersistentCloudKitContainerOptions(containerIdentifier: "a")"#,
    "NSPersistentCloudKitContainerSchemaInitializationOptions":
      #"let x: NSPersistentCloudKitContainerSchemaInitializationOptions"#,
    "NSPersistentCloudKitContainerEventRequest":
      #"_ = NSPersistentCloudKitContainerEventRequest.fetchEvents(after: .distantPast)"#,
    "NSPersistentCloudKitContainerEventResult": #"let x: NSPersistentCloudKitContainerEventResult"#,
    "NSCoreDataCoreSpotlightDelegate":
      #"_ = NSCoreDataCoreSpotlightDelegate(forStoreWith: d, coordinator: p)"#,
    "NSPersistentStoreDescription.cloudKitContainerOptions": #"d.cloudKitContainerOptions = nil"#,
    "NSPersistentStore.coreSpotlightExporter": #"_ = s.coreSpotlightExporter"#,
    "NSEntityDescription.coreSpotlightDisplayNameExpression": #"_ = ed.coreSpotlightDisplayNameExpression"#,
    "NSPropertyDescription.isIndexedBySpotlight": #"ad.isIndexedBySpotlight = true"#,
    "NSPropertyDescription.isStoredInExternalRecord": #"ad.isStoredInExternalRecord = true"#,
    "NSAttributeDescription.allowsCloudEncryption": #"ad.allowsCloudEncryption = true"#,
    "NSFetchedResultsController":
      #"_ = NSFetchedResultsController(fetchRequest: f, managedObjectContext: c, sectionNameKeyPath: nil, cacheName: nil)"#,
    "NSFetchedResultsControllerDelegate": #"let x: any NSFetchedResultsControllerDelegate"#,
    "NSFetchedResultsSectionInfo": #"let x: any NSFetchedResultsSectionInfo"#,
    "NSFetchedResultsChangeType": #"let x: NSFetchedResultsChangeType"#,
    "NSPersistentStoreRequest": #"let x: NSPersistentStoreRequest"#,
    "NSPersistentStoreRequestType": #"let x: NSPersistentStoreRequestType"#,
    "NSPersistentStoreResult": #"let x: NSPersistentStoreResult"#,
    "NSPersistentStoreAsynchronousResult": #"let x: NSPersistentStoreAsynchronousResult"#,
    "NSAsynchronousFetchRequest":
      #"_ = NSAsynchronousFetchRequest(fetchRequest: f) { _ in }"#,
    "NSAsynchronousFetchResult": #"let x: NSAsynchronousFetchResult<NSManagedObject>"#,
    "NSSaveChangesRequest":
      #"_ = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)"#,
    "NSFetchRequestExpression":
      #"_ = NSFetchRequestExpression.expression(forFetch: ex, context: ex, countOnly: true)"#,
    "NSExpressionDescription": #"_ = NSExpressionDescription()"#,
    "NSQueryGenerationToken": #"_ = NSQueryGenerationToken.current"#,
    "NSManagedObjectContext.execute(_:)": #"_ = try c.execute(f)"#,
    "NSManagedObjectContext.setQueryGenerationFrom(_:)": #"try c.setQueryGenerationFrom(.current)"#,
    "NSManagedObjectContext.queryGenerationToken": #"_ = c.queryGenerationToken"#,
    "NSPersistentStoreCoordinator.execute(_:with:)": #"_ = try p.execute(f, with: c)"#,
    "NSFetchRequest.propertiesToGroupBy": #"f.propertiesToGroupBy = nil"#,
    "NSFetchRequest.havingPredicate": #"f.havingPredicate = nil"#,
    "NSAtomicStore": #"let x: NSAtomicStore"#,
    "NSAtomicStoreCacheNode": #"_ = NSAtomicStoreCacheNode(objectID: i)"#,
    "NSIncrementalStore": #"let x: NSIncrementalStore"#,
    "NSIncrementalStoreNode": #"_ = NSIncrementalStoreNode(objectID: i, withValues: [:], version: 1)"#,
    "NSPersistentStoreCoordinator.registeredStoreTypes":
      #"_ = NSPersistentStoreCoordinator.registeredStoreTypes"#,
    "NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)":
      #"NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "a")"#,
    "NSPersistentStoreCoordinator.registerStoreClass(_:type:)":
      #"NSPersistentStoreCoordinator.registerStoreClass(nil, type: .sqlite)"#,
    "NSPersistentStore.loadMetadata()": #"try s.loadMetadata()"#,
    "NSPersistentStore.willRemove(from:)": #"s.willRemove(from: p)"#,
    "NSPersistentStore.didAdd(to:)": #"s.didAdd(to: p)"#,
    "NSPersistentStore.migrationManagerClass()": #"_ = NSPersistentStore.migrationManagerClass()"#,
    "NSMergeConflict":
      #"_ = NSMergeConflict(source: o, newVersion: 2, oldVersion: 1, cachedSnapshot: nil, persistedSnapshot: nil)"#,
    "NSConstraintConflict":
      #"_ = NSConstraintConflict(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])"#,
    "NSManagedObjectContext.detectConflicts(for:)": #"c.detectConflicts(for: o)"#,
    "NSManagedObjectContext.mergeChanges(fromContextDidSave:)": #"c.mergeChanges(fromContextDidSave: n)"#,
    "NSManagedObjectContext.mergeChanges(fromRemoteContextSave:into:)":
      #"NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [:], into: [c])"#,
    "NSManagedObjectContext.undo()": #"c.undo()"#,
    "NSManagedObjectContext.redo()": #"c.redo()"#,
    "NSManagedObjectContext.assign(_:to:)": #"c.assign(o, to: s)"#,
    "NSManagedObjectContext.shouldDeleteInaccessibleFaults": #"c.shouldDeleteInaccessibleFaults = true"#,
    "NSManagedObjectContext.propagatesDeletesAtEndOfEvent": #"c.propagatesDeletesAtEndOfEvent = true"#,
    "NSManagedObjectContext.retainsRegisteredObjects": #"c.retainsRegisteredObjects = true"#,
    "NSManagedObjectContext.shouldHandleInaccessibleFault(_:for:triggeredByProperty:)":
      #"_ = c.shouldHandleInaccessibleFault(o, for: i, triggeredByProperty: nil)"#,
    "NSManagedObject.validateValue(_:forKey:)": #"var v: AnyObject?; try o.validateValue(&v, forKey: "a")"#,
    "NSManagedObject.changedValuesForCurrentEvent()": #"_ = o.changedValuesForCurrentEvent()"#,
    "NSManagedObject.hasFault(forRelationshipNamed:)": #"_ = o.hasFault(forRelationshipNamed: "a")"#,
    "NSManagedObject.faultingState": #"_ = o.faultingState"#,
    "NSManagedObject.hasPersistentChangedValues": #"_ = o.hasPersistentChangedValues"#,
    "NSManagedObject.objectWillChange": #"_ = o.objectWillChange"#,
    "NSManagedObject.mutableArrayValue(forKey:)": #"_ = o.mutableArrayValue(forKey: "a")"#,
    "NSManagedObjectID.persistentStore": #"_ = i.persistentStore"#,
    "NSSnapshotEventType": #"let x: NSSnapshotEventType"#,
    "NSObject.addObserver(_:forKeyPath:options:context:)":
      #"m.addObserver(NSObject(), forKeyPath: "migrationProgress", options: [], context: nil)"#,
    "NSObject.removeObserver(_:forKeyPath:)": #"m.removeObserver(NSObject(), forKeyPath: "a")"#,
    "NSManagedObjectModel.fetchRequestTemplate(forName:)": #"_ = mo.fetchRequestTemplate(forName: "a")"#,
    "NSManagedObjectModel.fetchRequestFromTemplate(withName:substitutionVariables:)":
      #"_ = mo.fetchRequestFromTemplate(withName: "a", substitutionVariables: [:])"#,
    "NSManagedObjectModel.setFetchRequestTemplate(_:forName:)":
      #"mo.setFetchRequestTemplate(nil, forName: "a")"#,
    "NSManagedObjectModel.fetchRequestTemplatesByName": #"_ = mo.fetchRequestTemplatesByName"#,
    "NSManagedObjectModel.localizationDictionary": #"mo.localizationDictionary = nil"#,
    "NSManagedObjectModel.checksumsForVersionedModel(at:)":
      #"_ = try NSManagedObjectModel.checksumsForVersionedModel(at: u)"#,
    "NSFetchedPropertyDescription": #"_ = NSFetchedPropertyDescription()"#,
    "NSPropertyDescription.validationWarnings": #"_ = ad.validationWarnings"#,
    "NSPersistentStoreCoordinator.setURL(_:for:)": #"_ = p.setURL(u, for: s)"#,
    "NSPersistentStoreCoordinator.finishDeferredLightweightMigration()":
      #"try p.finishDeferredLightweightMigration()"#,
    "NSPersistentStoreCoordinator.finishDeferredLightweightMigrationTask()":
      #"try p.finishDeferredLightweightMigrationTask()"#,
    "NSPersistentStoreCoordinator.elementsDerivedFromExternalRecord(at:)":
      #"_ = NSPersistentStoreCoordinator.elementsDerivedFromExternalRecord(at: u)"#,
    "NSPersistentStoreCoordinator.importStore(withIdentifier:fromExternalRecordsDirectoryURL:toURL:options:ofType:)":
      #"_ = try p.importStore(withIdentifier: nil, fromExternalRecordsDirectoryURL: u, toURL: u, options: nil, ofType: "a")"#,
    "NSPersistentStoreCoordinator.removeUbiquitousContentAndPersistentStore(at:options:)":
      #"try NSPersistentStoreCoordinator.removeUbiquitousContentAndPersistentStore(at: u, options: nil)"#,
    "NSPersistentStoreCoordinator.metadataForPersistentStore(with:)":
      #"_ = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: u)"#,
    "NSPersistentStoreCoordinator.unlock()": #"p.unlock()"#,
    "NSPersistentStoreCoordinator.tryLock()": #"_ = p.tryLock()"#,
    "NSMigrationManager.usesStoreSpecificMigrationManager": #"m.usesStoreSpecificMigrationManager = true"#,
    "NSExpression.expressionType": #"_ = ex.expressionType"#,
    "NSExpression.constantValue": #"_ = ex.constantValue"#,
    "NSExpression.keyPath": #"_ = ex.keyPath"#,
    "NSExpression.function": #"_ = ex.function"#,
    "NSExpression.variable": #"_ = ex.variable"#,
    "NSExpression.operand": #"_ = ex.operand"#,
    "NSExpression.arguments": #"_ = ex.arguments"#,
    "NSExpression.collection": #"_ = ex.collection"#,
    "NSExpression.predicate": #"_ = ex.predicate"#,
    "NSExpression.left": #"_ = ex.left"#,
    "NSExpression.right": #"_ = ex.right"#,
    "NSExpression.expressionForAnyKey()": #"_ = NSExpression.expressionForAnyKey()"#,
    "NSExpression.init(block:arguments:)": #"_ = NSExpression(block: { _, _, _ in 1 }, arguments: nil)"#,
    "NSExpression.init(forSubquery:usingIteratorVariable:predicate:)":
      #"_ = NSExpression(forSubquery: ex, usingIteratorVariable: "x", predicate: NSPredicate(value: true))"#,
    "NSExpression.init(forAggregate:)": #"_ = NSExpression(forAggregate: [])"#,
    "NSExpression.init(forUnionSet:with:)": #"_ = NSExpression(forUnionSet: ex, with: ex)"#,
    "NSExpression.init(forIntersectSet:with:)": #"_ = NSExpression(forIntersectSet: ex, with: ex)"#,
    "NSExpression.init(forMinusSet:with:)": #"_ = NSExpression(forMinusSet: ex, with: ex)"#,
    "NSExpression.init(forConditional:trueExpression:falseExpression:)":
      #"_ = NSExpression(forConditional: NSPredicate(value: true), trueExpression: ex, falseExpression: ex)"#,
    "NSExpression.init(forFunction:selectorName:arguments:)":
      #"_ = NSExpression(forFunction: ex, selectorName: "a", arguments: [])"#,
    "NSInsertedObjectsKey": #"_ = NSInsertedObjectsKey"#,
    "NSUpdatedObjectsKey": #"_ = NSUpdatedObjectsKey"#,
    "NSDeletedObjectsKey": #"_ = NSDeletedObjectsKey"#,
    "NSRefreshedObjectsKey": #"_ = NSRefreshedObjectsKey"#,
    "NSInvalidatedObjectsKey": #"_ = NSInvalidatedObjectsKey"#,
    "NSInvalidatedAllObjectsKey": #"_ = NSInvalidatedAllObjectsKey"#,
    "NSManagedObjectContextQueryGenerationKey": #"_ = NSManagedObjectContextQueryGenerationKey"#,
    "NSAddedPersistentStoresKey": #"_ = NSAddedPersistentStoresKey"#,
    "NSRemovedPersistentStoresKey": #"_ = NSRemovedPersistentStoresKey"#,
    "NSUUIDChangedPersistentStoresKey": #"_ = NSUUIDChangedPersistentStoresKey"#,
    "NSPersistentStoreURLKey": #"_ = NSPersistentStoreURLKey"#,
    "NSNotification.Name.NSManagedObjectContextWillSave":
      #"_ = NSNotification.Name.NSManagedObjectContextWillSave"#,
    "NSNotification.Name.NSManagedObjectContextDidSave":
      #"_ = NSNotification.Name.NSManagedObjectContextDidSave"#,
    "NSNotification.Name.NSManagedObjectContextObjectsDidChange":
      #"_ = NSNotification.Name.NSManagedObjectContextObjectsDidChange"#,
    "NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs":
      #"_ = NSNotification.Name.NSManagedObjectContextDidSaveObjectIDs"#,
    "NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs":
      #"_ = NSNotification.Name.NSManagedObjectContextDidMergeChangesObjectIDs"#,
    "NSNotification.Name.NSPersistentStoreCoordinatorStoresWillChange":
      #"_ = NSNotification.Name.NSPersistentStoreCoordinatorStoresWillChange"#,
    "NSNotification.Name.NSPersistentStoreCoordinatorStoresDidChange":
      #"_ = NSNotification.Name.NSPersistentStoreCoordinatorStoresDidChange"#,
    "NSNotification.Name.NSPersistentStoreCoordinatorWillRemoveStore":
      #"_ = NSNotification.Name.NSPersistentStoreCoordinatorWillRemoveStore"#,
    "NSNotification.Name.NSPersistentStoreRemoteChange":
      #"_ = NSNotification.Name.NSPersistentStoreRemoteChange"#,
    "NSManagedObjectContext.willSaveObjectsNotification":
      #"_ = NSManagedObjectContext.willSaveObjectsNotification"#,
    "NSManagedObjectContext.didSaveObjectsNotification":
      #"_ = NSManagedObjectContext.didSaveObjectsNotification"#,
    "NSManagedObjectContext.didChangeObjectsNotification":
      #"_ = NSManagedObjectContext.didChangeObjectsNotification"#,
    "NSManagedObjectContext.didSaveObjectIDsNotification":
      #"_ = NSManagedObjectContext.didSaveObjectIDsNotification"#,
    "NSManagedObjectContext.didMergeChangesObjectIDsNotification":
      #"_ = NSManagedObjectContext.didMergeChangesObjectIDsNotification"#,
    "NSPersistentStoreOSCompatibility": #"_ = NSPersistentStoreOSCompatibility"#,
    "NSPersistentStoreConnectionPoolMaxSizeKey": #"_ = NSPersistentStoreConnectionPoolMaxSizeKey"#,
    "NSValidateXMLStoreOption": #"_ = NSValidateXMLStoreOption"#,
    "NSPersistentStoreModelVersionChecksumKey": #"_ = NSPersistentStoreModelVersionChecksumKey"#,
    "NSPersistentStoreDeferredLightweightMigrationOptionKey":
      #"_ = NSPersistentStoreDeferredLightweightMigrationOptionKey"#,
    "NSPersistentStoreUbiquitousContentNameKey": #"_ = NSPersistentStoreUbiquitousContentNameKey"#,
    "NSPersistentStoreUbiquitousContentURLKey": #"_ = NSPersistentStoreUbiquitousContentURLKey"#,
    "NSPersistentStoreUbiquitousPeerTokenOption": #"_ = NSPersistentStoreUbiquitousPeerTokenOption"#,
    "NSPersistentStoreRemoveUbiquitousMetadataOption": #"_ = NSPersistentStoreRemoveUbiquitousMetadataOption"#,
    "NSPersistentStoreRebuildFromUbiquitousContentOption":
      #"_ = NSPersistentStoreRebuildFromUbiquitousContentOption"#,
    "NSXMLExternalRecordType": #"_ = NSXMLExternalRecordType"#,
    "NSBinaryExternalRecordType": #"_ = NSBinaryExternalRecordType"#,
    "NSExternalRecordsFileFormatOption": #"_ = NSExternalRecordsFileFormatOption"#,
    "NSExternalRecordsDirectoryOption": #"_ = NSExternalRecordsDirectoryOption"#,
    "NSExternalRecordExtensionOption": #"_ = NSExternalRecordExtensionOption"#,
    "NSEntityNameInPathKey": #"_ = NSEntityNameInPathKey"#,
    "NSStoreUUIDInPathKey": #"_ = NSStoreUUIDInPathKey"#,
    "NSStorePathKey": #"_ = NSStorePathKey"#,
    "NSModelPathKey": #"_ = NSModelPathKey"#,
    "NSObjectURIKey": #"_ = NSObjectURIKey"#,
    "NSBinaryStoreSecureDecodingClasses": #"_ = NSBinaryStoreSecureDecodingClasses"#,
    "NSBinaryStoreInsecureDecodingCompatibilityOption":
      #"_ = NSBinaryStoreInsecureDecodingCompatibilityOption"#,
    "NSPersistentStoreSaveConflictsErrorKey": #"_ = NSPersistentStoreSaveConflictsErrorKey"#,
    "NSAffectedObjectsErrorKey": #"_ = NSAffectedObjectsErrorKey"#,
    "NSValidationPredicateErrorKey": #"_ = NSValidationPredicateErrorKey"#,
    "NSSQLiteErrorDomain": #"_ = NSSQLiteErrorDomain"#,
  ]

  /// The parameters of the function that each use is put into.
  static let values = [
    "_ c: NSManagedObjectContext", "_ o: NSManagedObject", "_ i: NSManagedObjectID", "_ m: NSMigrationManager",
    "_ mo: NSManagedObjectModel", "_ p: NSPersistentStoreCoordinator", "_ s: NSPersistentStore",
    "_ d: NSPersistentStoreDescription", "_ f: NSFetchRequest<NSManagedObject>", "_ ed: NSEntityDescription",
    "_ ad: NSAttributeDescription", "_ n: Notification", "_ u: URL", "_ ex: NSExpression",
  ].joined(separator: ", ")
}
