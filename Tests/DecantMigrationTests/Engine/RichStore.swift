import Foundation

/// Two versions with changes of nearly every kind, and a store of the first version with a few dozen rows.
enum RichStore {
  static let versions = [
    """
    Item*
      title String?
      size Int64?
    Image < Item
      caption String?
      album -> Album.images
    Text < Item
      caption String?
      body Binary?
    Album
      images ->> Image.album ordered
      cover -> Image
      tags ->> Tag.albums
    Tag
      albums ->> Album.tags
      boss -> Tag
    Gone
      x String?
    """,
    """
    Aaa
      x String?
    Item*
      name String? was title
      size Int16 = -1
      caption String?
    Picture < Item was Image
      albums ->> Album.images was album
    Text < Item
      body Binary? external
    Album
      images ->> Picture.albums ordered
      cover -> Item
      labels ->> Label.albums ordered was tags
      rating Double? = 0.5
    Label was Tag
      albums ->> Album.labels
      boss -> Label.staff
      staff ->> Label.boss ordered
    """,
  ]

  static let sql = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 23)
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSIZE, ZCAPTION, ZALBUM, Z_FOK_ALBUM, ZCAPTION1, ZBODY)
      SELECT i * 3, 3 + i % 2, i % 4, nullif('t' || (i % 5), 't0'), nullif(i % 7, 0), iif(i % 2 = 0, 'image' || i, NULL),
        iif(i % 2 = 0 AND i % 3 > 0, 1 + i % 4, NULL), iif(i % 2 = 0 AND i % 3 > 0, 5000 - i, NULL),
        iif(i % 2 = 1, 'text' || i, NULL), iif(i % 2 = 1, CAST('b' || i AS BLOB), NULL) FROM n;
    UPDATE ZITEM SET Z_ENT = CASE Z_ENT WHEN 3 THEN 4 ELSE 5 END;
    INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZCOVER) VALUES (1, 1, 1, 6), (2, 1, 1, 12), (3, 1, 2, NULL), (4, 1, 1, 999);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 11)
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZBOSS) SELECT i, 6, 1, nullif(i / 3, 0) FROM n;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT OR IGNORE INTO Z_1TAGS (Z_1ALBUMS, Z_6TAGS) SELECT 1 + i % 4, 1 + (i * 7) % 12 FROM n;
    INSERT INTO ZGONE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 2, 1, 'x'), (2, 2, 1, NULL);
    """

  static func workshop() throws -> Workshop {
    let shop = try Workshop(versions)
    try shop.makeStore(sql)
    return shop
  }
}
