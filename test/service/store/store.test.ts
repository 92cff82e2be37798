import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startService } from "cdktf-provider-steward/testing";
import { type Bindable, openDatabase } from "../../../src/service/store/database";
import { migrate } from "../../../src/service/store/migrations";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-store-"));
  file = path.join(folder, "data.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the data file", () => {
  test("a new data file is in WAL mode and at the schema of this release", () => {
    const database = openDatabase(file);
    migrate(database);
    expect(database.one("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
    expect(database.one("PRAGMA user_version")).toEqual({ user_version: 3 });
    migrate(database);
    database.close();
  });

  test("a data file of a newer release is refused, and left as it is", async () => {
    const newer = openDatabase(file);
    newer.script("PRAGMA user_version = 99");
    newer.close();
    await expect(startService({ data: file })).rejects.toThrow("written by a newer release");
    const after = openDatabase(file);
    expect(after.one("PRAGMA user_version")).toEqual({ user_version: 99 });
    after.close();
  });

  test("changes whole or not at all", () => {
    const database = openDatabase(file);
    migrate(database);
    const put = (key: string) => database.run("INSERT INTO settings (key, value) VALUES (?, '1')", key);
    expect(() =>
      database.write(() => {
        put("one");
        database.write(() => put("two"));
        put("one");
      }),
    ).toThrow();
    expect(database.all("SELECT key FROM settings")).toEqual([]);
    database.write(() => put("one"));
    expect(database.all("SELECT key FROM settings")).toEqual([{ key: "one" }]);
    database.close();
  });

  test("tells by its version that another process changed it", () => {
    const [mine, other] = [openDatabase(file), openDatabase(file)];
    migrate(mine);
    const before = mine.version;
    expect(mine.version).toBe(before);
    other.run("INSERT INTO settings (key, value) VALUES ('theirs', '1')");
    expect(mine.version).not.toBe(before);
    mine.close();
    other.close();
  });
});

test.each([[undefined], [{}], [Number.NaN], [10n]])(
  "a value that the binding would abort the process on is refused before: %p",
  (value) => {
    const database = openDatabase();
    expect(() => database.one("SELECT ?", value as unknown as Bindable)).toThrow(TypeError);
    expect(database.one("SELECT ? AS yes, ? AS no", true, false)).toEqual({ yes: 1, no: 0 });
    database.close();
  },
);

test("an admin token file that is empty is told, with how to mend it", async () => {
  const adminTokenFile = path.join(folder, "token");
  writeFileSync(adminTokenFile, "\n");
  await expect(startService({ adminTokenFile })).rejects.toThrow(
    "Remove it to have a new token written there",
  );
});
