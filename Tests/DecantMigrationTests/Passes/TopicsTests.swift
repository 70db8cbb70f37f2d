import Testing

@testable import DecantMigration

/// Three mapping models for one pair of versions, each for the titles of a part of the alphabet.
@Suite("Mapping models: topics in three passes") struct TopicsTests {
  private static let rows = """
    INSERT INTO ZTOPICLIST (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 2, 1, 'Zebra'), (2, 2, 1, 'Apple'), (3, 2, 1, 'école'),
      (4, 2, 1, 'kite'), (5, 2, 1, NULL), (6, 2, 1, '1st'), (7, 2, 1, 'hat');
    INSERT INTO ZTOPIC (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZPRESENTERNAME, ZTIMEBUDGET, ZTOPICLIST) VALUES
      (1, 1, 1, 'a', 'Ann', 5, 1), (2, 1, 1, 'b', 'Bob', 6, 2), (3, 1, 1, 'c', 'Ann', 7, 3), (4, 1, 1, 'd', 'Cy', 8, 4),
      (5, 1, 1, 'e', 'Ann', 9, NULL), (6, 1, 1, 'f', 'Bob', 10, 7), (7, 1, 1, 'g', 'Ann', 11, 2);
    """

  private func workshop(policy: String = "") throws -> Workshop {
    let shop = try Workshop(
      """
      Topic
        title String?
        presenterName String
        timeBudget Int32 = 5
        topicList -> TopicList.topics
      TopicList
        title String?
        topics ->> Topic.topicList
      """,
      """
      Member
        firstName String?
        topics ->> Topic.presenter
      Topic
        title String?
        timeBudget Int32 = 5
        presenter -> Member.topics
        topicList -> TopicList.topics
      TopicList
        title String?
        topics ->> Topic.topicList ordered
      """, family: "{ order: [\"1\", \"2\", \"3\"] }")
    for (index, letters) in ["[a-hA-H].*", "[i-pI-P].*", "[q-zQ-Z].*"].enumerated() {
      try shop.map(
        "\(index + 1)",
        """
        { name: "Members", source: "Topic", destination: "Member", filter: "topicList.title MATCHES '\(letters)'",
          uniqueBy: "$source.presenterName", attributes: { firstName: "$source.presenterName" } },
        { source: "Topic", destination: "Topic", filter: "topicList.title MATCHES '\(letters)'", \(policy)
          attributes: { timeBudget: "$source.timeBudget * 60" },
          relationships: { presenter: { path: "$source", mapping: "Members" } } },
        { source: "TopicList", destination: "TopicList", filter: "title MATCHES '\(letters)'" },
        """, further: "")
    }
    try shop.makeStore(Self.rows)
    return shop
  }

  @Test("objects with titles outside a to z are left behind and counted", arguments: [nil, 1, 2])
  func three(size: Int?) throws {
    let result = try workshop().migrate(chunkSize: size)
    #expect(result.report.steps[0].passes == ["1", "2", "3"])
    #expect(
      result.accounts == [
        "Members 7 = 3 + 4", "TopicToTopic 7 = 3 + 4", "TopicListToTopicList 7 = 2 + 5", "Members 7 = 1 + 6",
        "TopicToTopic 7 = 1 + 6", "TopicListToTopicList 7 = 1 + 6", "Members 7 = 1 + 6",
        "TopicToTopic 7 = 1 + 6",
        "TopicListToTopicList 7 = 1 + 6",
      ])
    #expect(
      result.lines == [
        "Member#1 firstName='Bob' topics=[Topic#2 Topic#6]", "Member#2 firstName='Ann' topics=[Topic#7]",
        "Member#3 firstName='Cy' topics=[Topic#8]", "Member#4 firstName='Ann' topics=[Topic#9]",
        "Topic#2 timeBudget=360 title='b' presenter=Member#1 topicList=TopicList#2",
        "Topic#6 timeBudget=600 title='f' presenter=Member#1 topicList=TopicList#7",
        "Topic#7 timeBudget=660 title='g' presenter=Member#2 topicList=TopicList#2",
        "Topic#8 timeBudget=480 title='d' presenter=Member#3 topicList=TopicList#8",
        "Topic#9 timeBudget=300 title='a' presenter=Member#4 topicList=TopicList#9",
        "TopicList#2 title='Apple' topics=(Topic#2 Topic#7)", "TopicList#7 title='hat' topics=(Topic#6)",
        "TopicList#8 title='kite' topics=(Topic#8)", "TopicList#9 title='Zebra' topics=(Topic#9)",
      ])
  }

  @Test func withItsPolicyClassItIsRefusedByName() throws {
    let failure = try workshop(policy: "policy: \"TopicPolicy\",").failure()
    #expect(failure.reason == .needsPolicy)
    #expect(failure.message.contains("“TopicToTopic”") && failure.message.contains("TopicPolicy"))
  }
}
