/// For each genuine store except Wire's: the versions that it reaches, and the reasons why it doesn't reach the others.
enum GenuineWays {
  /// The versions that each store reaches by inferred steps, in any number of steps.
  static var reached: [(folder: String, store: String, versions: [String])] {
    table.map { entry in
      (entry.folder, entry.store, entry.ways.filter { Int($0.key) != nil }.flatMap(\.value).sorted())
    }.filter { !$0.versions.isEmpty }
  }

  /// Each store, and the versions for each outcome.
  ///
  /// The outcome `1` means one inferred step, and `mapped 2` means two steps with mapping models. `current` means that
  /// the store has the version already. Other outcomes are reasons of refusals.
  static let table: [(folder: String, store: String, ways: [String: [String]])] = [
    (
      "apptentive", "ATDataModelv1.sqlite",
      [
        "current": ["ATDataModel"], "mapped 4": ["ATDataModel 5"], "mapped 5": ["ATDataModel 6"],
        "mapped 1": ["ATDataModel 2"], "mapped 2": ["ATDataModel 3"], "mapped 3": ["ATDataModel 4"],
      ]
    ),
    (
      "apptentive", "ATDataModelv2-wal.sqlite",
      [
        "current": ["ATDataModel 2"], "mapped 3": ["ATDataModel 5"], "mapped 4": ["ATDataModel 6"],
        "1": ["ATDataModel"], "mapped 1": ["ATDataModel 3"], "mapped 2": ["ATDataModel 4"],
      ]
    ),
    (
      "apptentive", "ATDataModelv3.sqlite",
      [
        "current": ["ATDataModel 3"], "mapped 2": ["ATDataModel 5"], "mapped 3": ["ATDataModel 6"],
        "1": ["ATDataModel", "ATDataModel 2"], "mapped 1": ["ATDataModel 4"],
      ]
    ),
    (
      "apptentive", "ATDataModelv5.sqlite",
      [
        "current": ["ATDataModel 5"],
        "mapped 1": ["ATDataModel 6"],
        "1": ["ATDataModel", "ATDataModel 3", "ATDataModel 4"], "mapped 3": ["ATDataModel 2"],
      ]
    ),
    (
      "artsy-folio", "ArtsyPartner_1.3.5.sqlite",
      [
        "1": [
          "ArtsyFolio v1.4", "ArtsyFolio v1.5", "ArtsyFolio v1.7", "ArtsyFolio v2.0", "ArtsyFolio v2.2",
          "ArtsyFolio v2.3", "ArtsyFolio v2.4", "ArtsyFolio v2.5", "ArtsyFolio v2.5.1", "ArtsyFolio v2.5.3",
          "ArtsyFolio v2.6.0", "ArtsyFolio v2.6.1", "ArtsyFolio v2.7.0", "ArtsyPartner", "ArtsyPartner 2",
          "ArtsyPartner 3", "ArtsyPartner 4",
        ],
        "current": ["ArtsyPartner 5"],
        "unsettled-layout": ["ArtsyFolio v2.1"],
      ]
    ),
    (
      "artsy-folio", "ArtsyPartner_1.4.sqlite",
      [
        "1": [
          "ArtsyFolio v1.5", "ArtsyFolio v1.7", "ArtsyFolio v2.0", "ArtsyFolio v2.2", "ArtsyFolio v2.3",
          "ArtsyFolio v2.4", "ArtsyFolio v2.5", "ArtsyFolio v2.5.1", "ArtsyFolio v2.5.3", "ArtsyFolio v2.6.0",
          "ArtsyFolio v2.6.1", "ArtsyFolio v2.7.0", "ArtsyPartner", "ArtsyPartner 2", "ArtsyPartner 3",
          "ArtsyPartner 4", "ArtsyPartner 5",
        ],
        "current": ["ArtsyFolio v1.4"],
        "unsettled-layout": ["ArtsyFolio v2.1"],
      ]
    ),
    (
      "artsy-folio", "oss_stubbed_data.sqlite",
      [
        "1": [
          "ArtsyFolio v1.7", "ArtsyFolio v2.0", "ArtsyFolio v2.2", "ArtsyFolio v2.4", "ArtsyFolio v2.5",
          "ArtsyFolio v2.5.1", "ArtsyFolio v2.5.3", "ArtsyFolio v2.6.0", "ArtsyFolio v2.6.1",
          "ArtsyFolio v2.7.0",
        ],
        "current": ["ArtsyFolio v2.3"],
        "not-inferable": [
          "ArtsyFolio v1.4", "ArtsyFolio v1.5", "ArtsyPartner", "ArtsyPartner 2", "ArtsyPartner 3",
          "ArtsyPartner 4", "ArtsyPartner 5",
        ],
        "unsettled-layout": ["ArtsyFolio v2.1"],
      ]
    ),
    (
      "bergier", "Example_v1.0.0.sqlite",
      [
        "1": ["v1.1.0", "v1.1.2", "v1.2.0", "v2.0.0"],
        "current": ["v1.0.0"],
      ]
    ),
    (
      "bergier", "Example_v1.1.2.sqlite",
      [
        "1": ["v1.0.0", "v1.1.0", "v1.2.0", "v2.0.0"],
        "current": ["v1.1.2"],
      ]
    ),
    (
      "bergier", "Example_v2.0.0.sqlite",
      [
        "1": ["v1.0.0", "v1.1.0", "v1.1.2", "v1.2.0"],
        "current": ["v2.0.0"],
      ]
    ),
    (
      "bookmigration", "Model1.sqlite",
      [
        "current": ["Model1"],
        "needs-policy": ["Model2", "Model3"],
      ]
    ),
    (
      "carekit", "SampleStore2.0.sqlite",
      [
        "current": ["CareKitStore2.0"],
        "needs-policy": ["CareKitStore2.1"],
      ]
    ),
    (
      "cartkit", "CartKitSwiftData_v1.sqlite",
      [
        "unknown-version": ["CartStorage"]
      ]
    ),
    (
      // The store's version is only in its own model. In later versions, two relationships are each other's inverse.
      "cartkit", "CartStorage_v1.sqlite",
      [
        "1": ["CartStorage"]
      ]
    ),
    (
      "contentful", "Test.sqlite",
      [
        "1": ["ComplexTest", "LocalizationTest", "RichTextDocumentTransformable"],
        "current": ["Test"],
      ]
    ),
    (
      "coredataplus", "SampleModel2_V1.sqlite",
      [
        "unknown-version": [
          "SampleModel", "SampleModel2", "SampleModel3#SampleModel3", "SampleModel3_v2", "SampleModel3_v3",
          "SampleModel#SampleModel3",
        ]
      ]
    ),
    (
      "coredataplus", "SampleModel_V1.sqlite",
      [
        "1": ["SampleModel2"],
        "current": ["SampleModel"],
        "direction-unknown": ["SampleModel3_v2", "SampleModel3_v3"],
        "needs-policy": ["SampleModel3#SampleModel3", "SampleModel#SampleModel3"],
      ]
    ),
    (
      "ddg-bookmarks", "Bookmarks_V1.sqlite",
      [
        "1": [
          "BookmarksModel 2", "BookmarksModel 3", "BookmarksModel 4", "BookmarksModel 5", "BookmarksModel 6",
        ],
        "current": ["BookmarksModel"],
      ]
    ),
    (
      "ddg-bookmarks", "Bookmarks_V3.sqlite",
      [
        "1": ["BookmarksModel 4", "BookmarksModel 5", "BookmarksModel 6"],
        "current": ["BookmarksModel 3"],
        "not-inferable": ["BookmarksModel", "BookmarksModel 2"],
      ]
    ),
    (
      "ddg-bookmarks", "Bookmarks_V5.sqlite",
      [
        "1": ["BookmarksModel 4", "BookmarksModel 6"],
        "current": ["BookmarksModel 5"],
        "not-inferable": ["BookmarksModel", "BookmarksModel 2", "BookmarksModel 3"],
      ]
    ),
    (
      "derived-attribute", "CoreDataModelMigrationBug.sqlite",
      [
        "current": ["CoreDataModelMigrationBug"],
        "stale-mapping-model": ["CoreDataModelMigrationBug 2"],
      ]
    ),
    (
      "loopkit", "Model.sqlite.v1.original",
      [
        "current": ["Model"],
        "direction-unknown": ["DeviceCommsLog"],
        "needs-policy": ["Modelv4"],
      ]
    ),
    (
      "moody", "Moody 2.moody",
      [
        "1": ["Moody"],
        "current": ["Moody 2"],
        "mapped 1": ["Moody 3"],
        "mapped 2": ["Moody 4"],
        "mapped 3": ["Moody 5"],
        "needs-policy": ["Moody 6"],
      ]
    ),
    (
      "moody", "Moody 4.moody",
      [
        "current": ["Moody 4"],
        "mapped 1": ["Moody 5"],
        "needs-policy": ["Moody 6"],
        "not-inferable": ["Moody", "Moody 2", "Moody 3"],
      ]
    ),
    (
      "moody", "Moody.moody",
      [
        "1": ["Moody 2"],
        "current": ["Moody"],
        "mapped 2": ["Moody 3"],
        "mapped 3": ["Moody 4"],
        "mapped 4": ["Moody 5"],
        "needs-policy": ["Moody 6"],
      ]
    ),
    (
      "mwkcoredata", "MWKCoreDataTests.sqlite",
      [
        "1": ["MWKCoreDataTests2"],
        "current": ["MWKCoreDataTests"],
        "needs-policy": ["MWKCoreDataTests3"],
      ]
    ),
    (
      "mwkcoredata", "MWKCoreDataTests2.sqlite",
      [
        "1": ["MWKCoreDataTests"],
        "current": ["MWKCoreDataTests2"],
        "needs-policy": ["MWKCoreDataTests3"],
      ]
    ),
    (
      "surfjournal", "SurfJournalModel.sqlite",
      [
        "current": ["SurfJournalModel"]
      ]
    ),
    (
      "translationcatalog", "test_multi_language_core_data.sqlite",
      [
        "current": ["CatalogModel_1#CatalogModel"],
        "mapped 1": ["CatalogModel_2#CatalogModel"],
        "mapped 2": ["CatalogModel_3#CatalogModel"],
      ]
    ),
    (
      "translationcatalog", "test_multi_language_core_data_v3.sqlite",
      [
        "1": ["CatalogModel_1#CatalogModel", "CatalogModel_2#CatalogModel"],
        "current": ["CatalogModel_3#CatalogModel"],
      ]
    ),
    (
      "wibosco", "CoreDataMigration_Example_1.sqlite",
      [
        "1": ["CoreDataMigration_Example 2"],
        "current": ["CoreDataMigration_Example"],
        "needs-policy": ["CoreDataMigration_Example 3", "CoreDataMigration_Example 4"],
      ]
    ),
    (
      "wibosco", "CoreDataMigration_Example_2.sqlite",
      [
        "1": ["CoreDataMigration_Example"],
        "current": ["CoreDataMigration_Example 2"],
        "needs-policy": ["CoreDataMigration_Example 3", "CoreDataMigration_Example 4"],
      ]
    ),
    (
      "xcserver", "XCServerCoreData_1.2.0.sqlite",
      [
        "1": ["XCServerCoreData", "XCServerCoreData1.1.0"],
        "current": ["XCServerCoreData1.2.0"],
        "needs-policy": ["XCServerCoreData2.0.0"],
        "several-paths": ["XCServerCoreData2.0.1", "XCServerCoreData2.0.2", "XCServerCoreData2.0.3"],
      ]
    ),
    (
      "xcserver", "XCServerCoreData_2.0.1.sqlite",
      [
        "1": ["XCServerCoreData2.0.0"],
        "current": ["XCServerCoreData2.0.1"],
        "mapped 1": ["XCServerCoreData2.0.2"],
        "mapped 2": ["XCServerCoreData2.0.3"],
        "not-inferable": ["XCServerCoreData", "XCServerCoreData1.1.0", "XCServerCoreData1.2.0"],
      ]
    ),
  ]
}
