import { existsSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { describeFileProblem, readFileSync, SMALL_FILE, writeUserFile } from "../../files";
import { grantToken, isKnownToken, newToken } from "../access/caller";
import { ensureTemplates } from "../areas/templates";
import { type FaultInput, Faults } from "../endpoint/faults";
import { loadFixture } from "../fixture/load";
import type { FixtureInput } from "../fixture/schema";
import { readFixture } from "../fixture/source";
import { chooseHabits, type HabitOptions } from "../habits";
import { adminMode } from "../habits/admin-mode";
import { enforcedJobTokenLimit } from "../habits/enforced-job-token-limit";
import { scheduledDeletion } from "../habits/scheduled-deletion";
import { removeDueProjects } from "../model/projects";
import { createUser, userByName } from "../model/users";
import { hostCheck } from "../server/allowed-hosts";
import { type AccessLog, accessLogger, type Observer, RequestLog } from "../server/request-log";
import { createServer } from "../server/server";
import { DEFAULT_SETTINGS, type Habit, type ServiceSettings } from "../settings/settings";
import { type ApplicationSettings, changeApplicationSettings } from "../store/application-settings";
import { type Database, openDatabase, readSetting, writeSetting } from "../store/database";
import { migrate } from "../store/migrations";
import { loadRepeated } from "./repeated-fixture";
import { endpointTable } from "./route-table";

/** The username of the administrator that every instance has. */
const ADMINISTRATOR = "root";

interface AdminOptions {
  readonly adminToken?: string | undefined;
  readonly adminTokenFile?: string | undefined;
}

/** Returns the given token, the token in the file, or a new token. A missing file is created with mode 0600. */
async function chooseToken({ adminToken, adminTokenFile: file }: AdminOptions): Promise<string> {
  if (file === undefined) return adminToken ?? newToken();
  if (adminToken === undefined && existsSync(file)) {
    const token = readToken(file);
    if (token !== "") return token;
    throw new Error(`The admin token file ${file} is empty. Remove it to have a new token written there.`);
  }
  const token = adminToken ?? newToken();
  try {
    await writeUserFile(file, { text: `${token}\n`, reader: "text", audience: "owner" });
  } catch (problem) {
    throw new Error(`The admin token can't be written to ${file} (${describeFileProblem(problem)}).`, {
      cause: problem,
    });
  }
  return token;
}

function readToken(file: string): string {
  try {
    return readFileSync(file, { maxBytes: SMALL_FILE }).toString("utf8").trim();
  } catch (problem) {
    throw new Error(`The admin token file ${file} can't be read (${describeFileProblem(problem)}).`, {
      cause: problem,
    });
  }
}

/**
 * Creates the administrator if it is missing. Gives the administrator this token, if the database does not contain
 * it yet.
 */
export function ensureAdministrator(database: Database, token: string): void {
  database.write(() => {
    const user =
      userByName(database, ADMINISTRATOR) ??
      createUser(database, {
        username: ADMINISTRATOR,
        name: "Administrator",
        email: "root@example.com",
        is_admin: true,
      });
    database.run("UPDATE users SET is_admin = 1, state = 'active' WHERE id = ?", user.id);
    if (isKnownToken(database, token)) return;
    const scopes = ["api", "admin_mode"];
    grantToken(database, { user_id: user.id, token, name: "administrator", scopes });
  });
}

export interface ServiceOptions extends AdminOptions, HabitOptions {
  /** The path of a SQLite file, which is created if it is missing. By default, the data is in memory. */
  readonly data?: string;
  /**
   * The fixture: a path of a YAML file, a YAML text, or an object. The service loads the fixture into a data file only
   * at the first start with this data file.
   */
  readonly fixture?: string | FixtureInput;
  /** The host to listen on: `127.0.0.1` by default. */
  readonly host?: string;
  /** The port to listen on. The default, 0, picks a free port. */
  readonly port?: number;
  /**
   * Whether `host` may be a host that other machines can connect to, such as `0.0.0.0`. If false, the start fails for
   * such a host.
   */
  readonly allowRemote?: boolean;
  /**
   * Additional host names that requests to a loopback address may have in the Host header. `localhost` and IP addresses
   * are always allowed.
   */
  readonly allowedHosts?: readonly string[];
  /** Whether `service.requests` records all requests. The default is false, because the record grows without limit. */
  readonly recordRequests?: boolean;
  /** A function that receives one line per request. */
  readonly accessLog?: AccessLog;
  /**
   * Faults that the service causes from the start, such as `{ route: "/projects/:id", status: 500 }`.
   * `service.faults` adds more.
   */
  readonly faults?: readonly FaultInput[];
  /** Whether the service has the endpoint `/_steward/faults`, with which administrators can add faults over HTTP. */
  readonly allowFaults?: boolean;
  /** Settings of the instance. These settings override the settings of the fixture. */
  readonly settings?: Partial<ServiceSettings>;
}

export interface Service {
  /** The origin of the service without a path, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** The token of the administrator `root`. */
  readonly adminToken: string;
  readonly requests: RequestLog;
  /** The faults that the service causes. A test can add and remove faults with this object. */
  readonly faults: Faults;
  /**
   * The names of the habits of the live platform that this instance imitates. An added or deleted name takes effect
   * from the next request.
   */
  readonly habits: Set<string>;
  /** Closes connections and the data file. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/**
 * Starts an instance of the embedded service, which then listens for requests.
 * @throws Error for a non-loopback host without `allowRemote`, an invalid fixture (with its line), a data
 * file of a newer release, or a port in use
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  const host = options.host ?? "127.0.0.1";
  if (!LOOPBACK.has(host) && options.allowRemote !== true) {
    throw new Error(
      `The host ${host} can be reached from other machines. The service is made for trials and tests: ` +
        "allow this with --allow-remote (allowRemote: true in a test), or listen on 127.0.0.1.",
    );
  }
  const database = openDatabase(options.data);
  try {
    const adminToken = await prepare(database, options);
    const requests = new RequestLog();
    const faults = new Faults();
    for (const fault of options.faults ?? []) faults.add(fault);
    const habits = chooseHabits(options);
    switchSettings(database, options, habits);
    const settings = settingsOf(database, options, habits);
    const observers: Observer[] = options.accessLog ? [accessLogger(options.accessLog)] : [];
    if (options.recordRequests === true) observers.unshift((request) => requests.record(request));
    const checkHost = LOOPBACK.has(host) ? hostCheck(options.allowedHosts ?? []) : undefined;
    const server = createServer(
      { database, settings, faults, observers, checkHost },
      endpointTable(options.allowFaults === true ? faults : undefined, settings),
    );
    await server.listen({ host, port: options.port ?? 0 });
    const { port } = server.server.address() as AddressInfo;
    return {
      url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
      adminToken,
      requests,
      faults,
      habits,
      async close() {
        await server.close();
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

const FIXTURE_LOADED = "fixture_loaded";

/** Migrates the database, and loads the fixture at the first start with a data file. Returns the administrator's token. */
async function prepare(database: Database, options: ServiceOptions): Promise<string> {
  migrate(database);
  const { fixture } = options;
  if (fixture !== undefined && readSetting(database, FIXTURE_LOADED) !== true) {
    const load = () => {
      const source = readFixture(fixture);
      database.write(() => {
        loadFixture(database, source);
        writeSetting(database, FIXTURE_LOADED, true);
      });
    };
    // `loadRepeated` needs a database without rows. A data file may already contain rows.
    if (options.data === undefined) loadRepeated(database, fixture, load);
    else load();
  }
  ensureTemplates(database);
  removeDueProjects(database);
  // The administrator is created after the fixture, which may use any id and may declare `root` itself.
  const token = await chooseToken(options);
  ensureAdministrator(database, token);
  return token;
}

/**
 * The application settings that belong to habits of the live platform. For each habit: the values to set if the
 * habit is on, and the values to set if it is off.
 */
const SWITCHED: readonly (readonly [
  Habit,
  on: Partial<ApplicationSettings>,
  off: Partial<ApplicationSettings>,
])[] = [
  [adminMode, { admin_mode: true }, { admin_mode: false }],
  [scheduledDeletion, { deletion_adjourned_period: 7 }, { deletion_adjourned_period: 0 }],
  [
    enforcedJobTokenLimit,
    { enforce_ci_inbound_job_token_scope_enabled: true },
    { enforce_ci_inbound_job_token_scope_enabled: false },
  ],
];

/**
 * Turns the application settings of habits on or off, as the options require. All other settings keep their values
 * from the data file or the fixture.
 */
function switchSettings(database: Database, options: HabitOptions, habits: ReadonlySet<string>): void {
  for (const [{ name }, on, off] of SWITCHED) {
    if (habits.has(name)) changeApplicationSettings(database, on);
    else if (options.withoutHabits?.includes(name)) changeApplicationSettings(database, off);
  }
}

/**
 * Merges the settings: the options override the fixture, and the fixture overrides the defaults. A fixture
 * writes `pages_host` for `pagesHost`.
 */
function settingsOf(
  database: Database,
  options: ServiceOptions,
  habits: ReadonlySet<string>,
): ServiceSettings {
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const stored = Object.keys(DEFAULT_SETTINGS)
    .map((name) => [name, readSetting(database, `instance.${snake(name)}`)] as const)
    .filter(([, value]) => value !== undefined);
  return {
    ...DEFAULT_SETTINGS,
    ...(Object.fromEntries(stored) as Partial<ServiceSettings>),
    ...options.settings,
    habits,
  };
}

/**
 * Checks a fixture: loads it into a database in memory, and then discards the database.
 * @param text the YAML text, with more than one line
 * @throws Error with the line of the first invalid part
 */
export async function checkFixture(text: string): Promise<void> {
  const source = readFixture(text);
  const database = openDatabase();
  try {
    migrate(database);
    loadFixture(database, source);
  } finally {
    database.close();
  }
}
