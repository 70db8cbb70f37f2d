import DecantPolicies

@testable import DecantMigration

extension GenuineWays {
  /// Every policy that a mapping model of the genuine stores names, by its name there.
  static let policies: [String: EntityMigrationPolicy.Type] = [
    "CareKitStore.OCKStoreMigration2_0To2_1Policy": OCKStoreMigration2_0To2_1Policy.self,
    "CoreDataMigration_Example.Post2ToPost3MigrationPolicy": Post2ToPost3MigrationPolicy.self,
    "EmployeeToEmployeePolicy": EmployeeToEmployeePolicy.self,
    "LoopKit.CachedCarbObjectv3EntityMigrationPolicy": CachedCarbObjectv3EntityMigrationPolicy.self,
    "LoopKit.DeletedCarbObjectv3EntityMigrationPolicy": DeletedCarbObjectv3EntityMigrationPolicy.self,
    "MHWBookToBookPolicy": MHWBookToBookPolicy.self,
    "Migrations.Country5ToCountry6Policy": Country5ToCountry6Policy.self,
    "REPLACE_AT_RUNTIME.V2to3MakerPolicy": V2to3MakerPolicy.self,
    "XCServerCoreData.IntegrationStringToDateMigrationPolicy": IntegrationStringToDateMigrationPolicy.self,
  ]

  /// The results for versions that need a policy, if the policies exist, by folder and store.
  static let withPolicies: [String: [String: [String]]] = [
    "bookmigration/Model1.sqlite": ["mapped 1": ["Model2"], "pass-order": ["Model3"]],
    "carekit/SampleStore2.0.sqlite": ["mapped 1": ["CareKitStore2.1"]],
    "coredataplus/SampleModel_V1.sqlite": [
      "mapped 2": ["SampleModel#SampleModel3"], "mapped 3": ["SampleModel3#SampleModel3"],
    ],
    "loopkit/Model.sqlite.v1.original": ["mapped 1": ["Modelv4"]],
    "moody/Moody 2.moody": ["mapped 4": ["Moody 6"]],
    "moody/Moody 4.moody": ["mapped 2": ["Moody 6"]],
    "moody/Moody.moody": ["mapped 5": ["Moody 6"]],
    "mwkcoredata/MWKCoreDataTests.sqlite": ["mapped 2": ["MWKCoreDataTests3"]],
    "mwkcoredata/MWKCoreDataTests2.sqlite": ["mapped 1": ["MWKCoreDataTests3"]],
    "wibosco/CoreDataMigration_Example_1.sqlite": [
      "mapped 2": ["CoreDataMigration_Example 3"], "mapped 3": ["CoreDataMigration_Example 4"],
    ],
    "wibosco/CoreDataMigration_Example_2.sqlite": [
      "mapped 1": ["CoreDataMigration_Example 3"], "mapped 2": ["CoreDataMigration_Example 4"],
    ],
    "xcserver/XCServerCoreData_1.2.0.sqlite": ["mapped 1": ["XCServerCoreData2.0.0"]],
  ]
}
