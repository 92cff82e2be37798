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
import { ServiceHabits } from "./habits";
import { rememberRows, type WatchedDatabase } from "./remembered-rows";
import { Replica } from "./replica";
import type { ServiceResponse } from "./response";

export interface ServiceRequest {
  readonly method: string;
  /** Path and query of the URL. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/**
 * Calls the handlers of the embedded service directly, without a server, on a database in memory. All stories share one
 * instance, and `reset` restores its data before each story.
 */
export class SimulatedService {
  readonly database: WatchedDatabase;
  readonly #find = routeTable(endpointTable(undefined, DEFAULT_SETTINGS));
  /** The maximum number of records on a page, for any request. */
  pageLimit: number | undefined;
  /** The habits of the live platform that this story uses. */
  habits: ServiceHabits;
  readonly #newReplica: () => Replica;
  #replica: Replica | undefined;

  private constructor(database: WatchedDatabase, newReplica: () => Replica) {
    this.database = database;
    this.#newReplica = newReplica;
    this.habits = this.#habitsOf([], 0);
  }

  #habitsOf(names: readonly string[], lag: number): ServiceHabits {
    return new ServiceHabits(names, lag, () => {
      this.#replica ??= this.#newReplica();
      return this.#replica;
    });
  }

  static async open(fixture: FixtureInput): Promise<SimulatedService> {
    const source = readFixture(fixture);
    const load = (): Database => {
      const database = openDatabase();
      migrate(database);
      database.write(() => loadFixture(database, source));
      ensureTemplates(database);
      ensureAdministrator(database, "administrator-of-the-simulation");
      return database;
    };
    const service = new SimulatedService(rememberRows(load()), () => new Replica(load(), CHANGING));
    service.#keep();
    return service;
  }

  /** Copies the tables that requests can change. `reset` and `checkpoint` restore rows from these copies. */
  #keep(): void {
    for (const copies of ["kept", "point"])
      for (const table of CHANGING)
        this.database.script(`CREATE TABLE "${copies}_${table}" AS SELECT * FROM "${table}"`);
    this.database.takeWritten();
  }

  /**
   * The tables that may differ from the fixture. `#sincePoint` has the tables that may differ from the last checkpoint.
   */
  readonly #sinceFixture = new Set<string>();
  readonly #sincePoint = new Set<string>();

  #noteWritten(): void {
    const written = this.database.takeWritten();
    for (const table of CHANGING) {
      if (!written.has(table)) continue;
      this.#sinceFixture.add(table);
      this.#sincePoint.add(table);
    }
  }

  /** Restores the rows of tables from their copies. */
  #restore(copies: "kept" | "point", tables: ReadonlySet<string>): void {
    const { database } = this;
    database.write(() => {
      for (const table of CHANGING) {
        if (!tables.has(table) && table !== "sqlite_sequence") continue;
        const copy = `${copies}_${table}`;
        if (table === "projects") {
          const values = `SELECT inbound_enabled, topics FROM ${copy} WHERE ${copy}.id = projects.id`;
          database.run(`UPDATE projects SET (inbound_enabled, topics) = (${values})`);
        } else {
          database.run(`DELETE FROM "${table}"`);
          database.run(`INSERT INTO "${table}" SELECT * FROM "${copy}"`);
        }
      }
    });
    // This write changes no row, but raises the number of changes, which identifies cached pages of lists. So no cached
    // page is used again.
    database.run("UPDATE settings SET value = value WHERE key = ''");
  }

  /** Restores the rows of the fixture and switches all habits off. */
  reset(): void {
    this.#noteWritten();
    this.#restore("kept", this.#sinceFixture);
    this.#noteWritten();
    this.#sinceFixture.clear();
    this.useHabits([], 0);
    this.#answers = this.#ofFixture;
  }

  /** Switches to other habits, and sets by how many milliseconds replicas lag. */
  useHabits(names: readonly string[], lag: number): void {
    this.habits.end(this.database);
    this.habits = this.#habitsOf(names, lag);
    this.habits.begin(this.database);
    this.#answers = new Map();
  }

  /** Keeps the rows that simulated requests can change. The returned function restores these rows. */
  checkpoint(): () => void {
    const { database } = this;
    this.#noteWritten();
    for (const table of new Set([...this.#sincePoint, "sqlite_sequence"])) {
      database.run(`DELETE FROM "point_${table}"`);
      database.run(`INSERT INTO "point_${table}" SELECT * FROM "${table}"`);
    }
    this.#sincePoint.clear();
    const answers = this.#answers;
    return () => {
      this.#noteWritten();
      this.#restore("point", this.#sincePoint);
      this.#noteWritten();
      this.#sincePoint.clear();
      this.#answers = answers;
    };
  }

  /**
   * The responses to reads while the database has the fixture's rows. `#answers` has the responses since the last
   * write. Both maps have the page limit, the token and the path as keys.
   */
  readonly #ofFixture = new Map<string, ServiceResponse>();
  #answers = this.#ofFixture;

  /**
   * Executes a request, each write in one transaction. Without a write in between, a repeated read gets the stored
   * response.
   */
  answer(request: ServiceRequest): ServiceResponse {
    if (request.method !== "GET") {
      this.#answers = new Map();
      return this.#answerAnew(request);
    }
    if (!this.habits.isRepeatable) return this.#answerAnew(request);
    const key = `${this.pageLimit} ${request.headers["private-token"] ?? request.headers["authorization"]} ${request.target}`;
    const known = this.#answers.get(key) ?? this.#answerAnew(request);
    this.#answers.set(key, known);
    return known;
  }

  #answerAnew(request: ServiceRequest): ServiceResponse {
    const page = this.habits.pageInsteadOf(request.method);
    if (page !== undefined) return page;
    try {
      return answerOf(this.#reply(request));
    } catch (problem) {
      if (!(problem instanceof HttpError)) throw problem;
      return this.habits.notFoundPage(problem.status) ?? answerOf(problem);
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
    const { settings, database: primary } = this.habits.over(this.database);
    const respond = (database: Database): Reply =>
      endpoint.respond({
        database,
        settings,
        isRead: method === "GET",
        caller: token === undefined ? ANONYMOUS : callerOf(database, token),
        path,
        given: { ...query, ...given },
        text: body ?? "",
        url: target,
        address: url,
      });
    const isOfStates = target.includes("/terraform/state/");
    if (method === "GET") return respond(isOfStates ? primary : this.habits.replicaOf(primary));
    if (!isOfStates) this.habits.willWrite(primary);
    return this.database.write(() => respond(primary));
  }
}

const fail = (): never => {
  throw noEndpoint();
};

/** The tables that simulated requests can change, in the order in which their rows are restored. */
const CHANGING = [
  "projects",
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
  "merge_requests",
  "merge_request_versions",
  "merge_request_approvals",
  "notes",
  "pushes",
  "pipelines",
  "jobs",
  "job_artifacts",
  "sqlite_sequence",
];

const answerOf = ({ status, headers = {}, body, text }: Reply): ServiceResponse => ({
  status,
  headers: { ...headers, "content-type": "application/json" },
  text: text ?? (body === undefined ? "" : JSON.stringify(body)),
});
