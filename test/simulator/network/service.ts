import { ANONYMOUS, callerOf } from "../../../src/service/access/caller";
import { ensureTemplates } from "../../../src/service/areas/templates";
import type { Reply } from "../../../src/service/endpoint/endpoint";
import { loadFixture } from "../../../src/service/fixture/load";
import type { FixtureInput } from "../../../src/service/fixture/schema";
import { readFixture } from "../../../src/service/fixture/source";
import { HttpError, noEndpoint } from "../../../src/service/http/errors";
import { decodeForm } from "../../../src/service/server/body-parsers";
import { tokenOf } from "../../../src/service/server/rate-limit";
import { routeTable } from "../../../src/service/server/routes";
import { DEFAULT_SETTINGS } from "../../../src/service/settings/settings";
import { endpointTable } from "../../../src/service/start/route-table";
import { ensureAdministrator } from "../../../src/service/start/start";
import { type Database, openDatabase } from "../../../src/service/store/database";
import { migrate } from "../../../src/service/store/migrations";
import { ORIGIN } from "../world/company";
import { rememberRows } from "./remembered-rows";

export interface ServiceRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * The handlers of the embedded service on a database in memory, without a server: one instance for all runs, whose data are
 * put back before each.
 */
export class SimulatedService {
  readonly database: Database;
  readonly #find = routeTable(endpointTable(undefined, DEFAULT_SETTINGS));
  #tables: readonly string[] = [];
  /** The most records of a page, whatever a request asks for. */
  pageLimit: number | undefined;

  private constructor(database: Database) {
    this.database = database;
  }

  static async open(fixture: FixtureInput): Promise<SimulatedService> {
    const opened = openDatabase();
    migrate(opened);
    const database = rememberRows(opened);
    const source = await readFixture(fixture);
    database.write(() => loadFixture(database, source));
    ensureTemplates(database);
    ensureAdministrator(database, "administrator-of-the-simulation");
    const service = new SimulatedService(database);
    service.#keep();
    return service;
  }

  /** Copies all tables, so that `reset` can put their rows back. */
  #keep(): void {
    this.#tables = this.database
      .all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'kept_%'")
      .map(({ name }) => name);
    for (const name of this.#tables)
      this.database.script(`CREATE TABLE "kept_${name}" AS SELECT * FROM "${name}"`);
    this.#changing = CHANGING.filter((name) => this.#tables.includes(name));
  }

  #changing: readonly string[] = [];

  /** Puts back what the fixture says. */
  reset(): void {
    this.#answers = this.#ofFixture;
    const restore = this.#changing.map(
      (name) => `DELETE FROM "${name}"; INSERT INTO "${name}" SELECT * FROM "kept_${name}";`,
    );
    restore.push(
      "UPDATE projects SET (inbound_enabled, topics) = (SELECT inbound_enabled, topics FROM kept_projects WHERE kept_projects.id = projects.id);",
    );
    this.database.write(() => this.database.script(restore.join("\n")));
    // Cached pages of lists are told apart by the number of changes.
    this.database.run("UPDATE settings SET value = value WHERE key = ''");
  }

  /** Remembers what simulated requests may change; the result puts it back. */
  checkpoint(): () => void {
    const names = [...this.#changing, "projects"];
    const columns = "id, inbound_enabled, topics";
    for (const name of names)
      this.database.script(
        `DROP TABLE IF EXISTS "point_${name}"; CREATE TABLE "point_${name}" AS SELECT ${name === "projects" ? columns : "*"} FROM "${name}";`,
      );
    return () => {
      this.#answers = new Map();
      const restore = this.#changing.map(
        (name) => `DELETE FROM "${name}"; INSERT INTO "${name}" SELECT * FROM "point_${name}";`,
      );
      restore.push(
        "UPDATE projects SET (inbound_enabled, topics) = (SELECT inbound_enabled, topics FROM point_projects WHERE point_projects.id = projects.id);",
      );
      this.database.write(() => this.database.script(restore.join("\n")));
      this.database.run("UPDATE settings SET value = value WHERE key = ''");
    };
  }

  /** Answers to reads since the last write, and those of the fixture's own data, by page limit and request. */
  readonly #ofFixture = new Map<string, ServiceAnswer>();
  #answers = this.#ofFixture;

  /** Answers a request; a write is one transaction. A read that was answered before the last write is answered the same. */
  answer(request: ServiceRequest): ServiceAnswer {
    if (request.method !== "GET") {
      this.#answers = new Map();
      return this.#answerAnew(request);
    }
    const key = `${this.pageLimit} ${request.headers["private-token"] ?? request.headers["authorization"]} ${request.target}`;
    const known = this.#answers.get(key) ?? this.#answerAnew(request);
    this.#answers.set(key, known);
    return known;
  }

  #answerAnew(request: ServiceRequest): ServiceAnswer {
    try {
      return answerOf(this.#reply(request));
    } catch (problem) {
      if (!(problem instanceof HttpError)) throw problem;
      return answerOf(problem);
    }
  }

  #reply({ method, target, headers, body }: ServiceRequest): Reply {
    const url = new URL(target, ORIGIN);
    const { endpoint, path } = this.#find(method, target) ?? fail();
    const token = tokenOf(headers, endpoint.hasBasicAuth);
    const query: Record<string, unknown> = { ...decodeForm(url.search.slice(1)) };
    if (this.pageLimit !== undefined && Number(query["per_page"] ?? 20) > this.pageLimit)
      query["per_page"] = String(this.pageLimit);
    const given = body === undefined || body === "" ? {} : (JSON.parse(body) as object);
    const respond = (): Reply =>
      endpoint.respond({
        database: this.database,
        settings: DEFAULT_SETTINGS,
        isRead: method === "GET",
        caller: token === undefined ? ANONYMOUS : callerOf(this.database, token),
        path,
        given: { ...query, ...given },
        text: body ?? "",
        url: target,
        address: url,
      });
    return method === "GET" ? respond() : this.database.write(respond);
  }
}

const fail = (): never => {
  throw noEndpoint();
};

/** The tables that simulated requests change. */
const CHANGING = [
  "allowlist_projects",
  "allowlist_groups",
  "protected_environments",
  "environment_rules",
  "pages_settings",
  "pages_deployments",
  "container_rules",
  "invitations",
  "members",
  "terraform_states",
  "sqlite_sequence",
];

const answerOf = ({ status, headers = {}, body, text }: Reply): ServiceAnswer => ({
  status,
  headers: { ...headers, "content-type": "application/json" },
  text: text ?? (body === undefined ? "" : JSON.stringify(body)),
});
