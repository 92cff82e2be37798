import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startService } from "cdktf-provider-steward/testing";
import { type Bindable, openDatabase } from "../../../src/service/store/database";
import { migrate } from "../../../src/service/store/migrations";
import { client } from "../client";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-store-"));
  file = path.join(folder, "data.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("the data file", () => {
  test("a new data file uses SQLite's WAL mode", () => {
    const database = openDatabase(file);
    migrate(database);
    expect(database.one("PRAGMA journal_mode")).toEqual({ journal_mode: "wal" });
    expect(database.one("PRAGMA user_version")).toEqual({ user_version: 9 });
    migrate(database);
    database.close();
  });

  test("the tables of a new database equal the tables of a database that was migrated from the first release", () => {
    const [stepwise, whole] = [openDatabase(), openDatabase()];
    migrate(stepwise, 1);
    migrate(stepwise);
    migrate(openDatabase());
    migrate(whole);
    const schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name";
    const tables = stepwise
      .all<{ type: string; name: string }>(schema)
      .filter(({ type }) => type === "table");
    expect(tables.length).toBeGreaterThan(20);
    expect(whole.all(schema)).toEqual(stepwise.all(schema));
    expect(whole.one("PRAGMA user_version")).toEqual(stepwise.one("PRAGMA user_version"));
    for (const { name } of tables)
      expect(whole.all(`SELECT * FROM ${name}`)).toEqual(stepwise.all(`SELECT * FROM ${name}`));
    for (const database of [stepwise, whole]) database.close();
  });

  test("the service does not start with a data file of a newer release", async () => {
    const newer = openDatabase(file);
    newer.script("PRAGMA user_version = 99");
    newer.close();
    await expect(startService({ data: file })).rejects.toThrow("written by a newer release");
    const after = openDatabase(file);
    expect(after.one("PRAGMA user_version")).toEqual({ user_version: 99 });
    after.close();
  });

  test("after the service migrates a data file of an earlier release, the invitations still exist", async () => {
    const earlier = openDatabase(file);
    migrate(earlier, 3);
    earlier.script(`INSERT INTO namespaces (id, kind, name, path, full_path, created_at)
        VALUES (100, 'group', 'acme', 'acme', 'acme', '2026-01-01T00:00:00.000Z');
      INSERT INTO invitations (id, group_id, email, access_level, created_at)
        VALUES (7, 100, 'Dev@Example.com', 30, '2026-01-01T00:00:00.000Z'),
               (9, 100, 'gone@example.com', 30, '2026-01-01T00:00:00.000Z');
      DELETE FROM invitations WHERE id = 9`);
    earlier.close();
    const service = await startService({ data: file });
    const send = client(service);
    const at = "/groups/100/invitations";
    await send("POST", at, { json: { email: "dev@example.com", access_level: 40 } });
    const { body } = await send("GET", at);
    expect(body).toMatchObject([
      { id: 7, invite_email: "Dev@Example.com", access_level: 30 },
      { id: 10, invite_email: "dev@example.com", access_level: 40 },
    ]);
    await service.close();
  });

  test("at its start, the service deletes projects whose waiting time for deletion is over", async () => {
    const options = { data: file, fixture: { instance: { deletion_adjourned_period: 7 }, projects: [] } };
    const first = await startService(options);
    for (const path of ["due", "waiting"]) await client(first)("POST", "/projects", { json: { path } });
    await first.close();
    const database = openDatabase(file);
    database.run("UPDATE projects SET marked_for_deletion_on = '2020-01-01' WHERE path = 'due'");
    database.run("UPDATE projects SET marked_for_deletion_on = date('now') WHERE path = 'waiting'");
    database.close();
    const second = await startService(options);
    const { body } = await client(second)("GET", "/projects");
    expect(body).toMatchObject([{ path: "waiting" }]);
    await second.close();
  });

  test("if one statement of a transaction fails, the database keeps no row of this transaction", () => {
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

  test("database.version changes after another connection writes to the data file", () => {
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
  "the database throws a TypeError for a value that would crash its driver: %p",
  (value) => {
    const database = openDatabase();
    expect(() => database.one("SELECT ?", value as unknown as Bindable)).toThrow(TypeError);
    expect(database.one("SELECT ? AS yes, ? AS no", true, false)).toEqual({ yes: 1, no: 0 });
    database.close();
  },
);

test("if the token file is empty, the service does not start, and the error suggests to remove the file", async () => {
  const adminTokenFile = path.join(folder, "token");
  writeFileSync(adminTokenFile, "\n");
  await expect(startService({ adminTokenFile })).rejects.toThrow(
    "Remove it to have a new token written there",
  );
});
