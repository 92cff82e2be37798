import type { Bindable, Database } from "../../../src/service/store/database";

type Row = Readonly<Record<string, Bindable>>;

/** The rows of the tables that simulated requests can change. */
export type Rows = ReadonlyMap<string, readonly Row[]>;

/** The columns of `projects` that simulated requests can change. */
const OF_PROJECTS = "id, inbound_enabled, topics";

/** A second database with the same fixture. The replica shows rows that the service's database had earlier. */
export class Replica {
  readonly database: Database;
  readonly #tables: readonly string[];
  #shown: Rows | undefined;

  /** @param tables the tables that simulated requests can change, in the order in which their rows are restored */
  constructor(database: Database, tables: readonly string[]) {
    this.database = database;
    this.#tables = tables.filter((name) => name !== "sqlite_sequence");
  }

  /** Returns the rows that a database has now. */
  rowsOf(database: Database): Rows {
    return new Map(
      this.#tables.map((name) => [
        name,
        database.all<Row>(`SELECT ${name === "projects" ? OF_PROJECTS : "*"} FROM "${name}"`),
      ]),
    );
  }

  /** Writes these rows into the database of the replica and returns it. */
  showing(rows: Rows): Database {
    if (this.#shown !== rows) this.database.write(() => this.#put(rows));
    this.#shown = rows;
    return this.database;
  }

  #put(rows: Rows): void {
    for (const [name, all] of rows) {
      if (name !== "projects") this.database.run(`DELETE FROM "${name}"`);
      for (const row of all) this.#putRow(name, row);
    }
  }

  #putRow(name: string, row: Row): void {
    if (name === "projects") {
      const { id, inbound_enabled, topics } = row;
      const change = "UPDATE projects SET inbound_enabled = ?, topics = ? WHERE id = ?";
      this.database.run(change, inbound_enabled!, topics!, id!);
      return;
    }
    const columns = Object.keys(row);
    const places = columns.map(() => "?").join(", ");
    const names = columns.map((column) => `"${column}"`).join(", ");
    this.database.run(`INSERT INTO "${name}" (${names}) VALUES (${places})`, ...Object.values(row));
  }
}
