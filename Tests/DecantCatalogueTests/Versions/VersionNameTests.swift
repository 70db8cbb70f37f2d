import Testing

@testable import DecantCatalogue

@Suite struct VersionNameTests {
  @Test(arguments: [
    ("Model", "Model 2"), ("Model 2", "Model 10"), ("v1.0.0", "v1.1.2"), ("v1.1.2", "v2.0.0"),
    ("Model", "Modelv4"),
    ("zmessaging1.28", "zmessaging2.3"), ("zmessaging2.21.1", "zmessaging2.101.0"), ("2.5", "2.5.1"),
    ("SampleModel3", "SampleModel3_v2"), ("ArtsyFolio v1.4", "ArtsyFolio v2.0"), ("Notes v2", "Notes v3"),
    ("rev", "rev2"), ("rev1", "rev2"), ("One_1.0#Model", "One_1.1#Model"), ("A#Model", "A#Model 2"), ("1", "2"),
    ("MODEL 1", "model 2"),
  ])
  func numbersTellWhichCameFirst(former: String, later: String) {
    #expect(VersionName(former).isBefore(VersionName(later)))
    #expect(!VersionName(later).isBefore(VersionName(former)))
  }

  @Test(arguments: [
    ("ArtsyPartner 5", "ArtsyFolio v1.4"), ("Model", "Model"), ("Model", "Modeling 2"),
    ("A#Model 1", "B#Model 2"),
    ("A#Model", "Model 2"), ("Model 2", "Model 2 copy"), ("v", "w"),
  ])
  func namesThatDontCompareTellNothing(one: String, other: String) {
    #expect(!VersionName(one).isBefore(VersionName(other)))
    #expect(!VersionName(other).isBefore(VersionName(one)))
  }

  @Test func theDisplayOrderTakesNumbersByValue() {
    let names = ["Model 10", "b", "Model 2", "A", "Model", "model 3", "Model 02", "9", "10"]
    #expect(
      names.sorted(by: VersionName.displayOrder)
        == ["9", "10", "A", "b", "Model", "Model 02", "Model 2", "model 3", "Model 10"])
  }
}
