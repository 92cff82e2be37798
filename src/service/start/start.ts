import type { AddressInfo } from "node:net";
import { type FaultInput, Faults } from "../endpoint/faults";
import { loadFixture } from "../fixture/load";
import type { FixtureInput } from "../fixture/schema";
import { readFixture } from "../fixture/source";
import { ensureTemplates } from "../model/templates";
import { type AccessLog, accessLogger } from "../server/access-log";
import { type Observer, type RecordedRequest, RequestLog } from "../server/request-log";
import { createServer } from "../server/server";
import type { CompatMode } from "../settings/compat-mode";
import { DEFAULT_SETTINGS, type ServiceSettings } from "../settings/settings";
import { type Database, openDatabase } from "../store/database";
import { migrate } from "../store/migrations";
import { readSetting, writeSetting } from "../store/settings";
import { type AdminOptions, ensureAdministrator } from "./administrator";
import { endpointTable } from "./route-table";

export interface ServiceOptions extends AdminOptions {
  /** SQLite file, created when missing; in memory where left out. */
  readonly data?: string;
  /** Path of a YAML file, YAML text, or an object. Loaded once into a data file. */
  readonly fixture?: string | FixtureInput;
  /** 127.0.0.1 where left out. */
  readonly host?: string;
  /** 0, which picks a free one, where left out. */
  readonly port?: number;
  /** Allows a host that other machines can reach. */
  readonly allowRemote?: boolean;
  /** Whether `service.requests` remembers requests; off where left out, as it grows. */
  readonly recordRequests?: boolean;
  /** Takes a readable line for every request. */
  readonly accessLog?: AccessLog;
  /** Faults to begin with; more can be asked for through `service.faults`. */
  readonly faults?: readonly FaultInput[];
  /** Serves `/_steward/faults`, where an administrator asks for faults over HTTP. */
  readonly allowFaults?: boolean;
  /** `strict`, the specification to the letter, where left out; `observed` has the habits of the live platform. */
  readonly compat?: CompatMode;
  /** Overrides of what the instance is set up with. */
  readonly settings?: Partial<ServiceSettings>;
}

export interface Service {
  /** Origin without a path, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Token of the administrator `root`. */
  readonly adminToken: string;
  readonly requests: RequestLog;
  /** What goes wrong on request. */
  readonly faults: Faults;
  /** Ends open connections and closes the data file. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/**
 * Starts an instance of the service and listens.
 *
 * @throws Error for a host beyond loopback without `allowRemote`, a fixture that is wrong (with its line), a data file of
 *   a newer release, or a port that is taken.
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
    const settings = settingsOf(database, options);
    const server = createServer(
      { database, settings, faults, observers: observersOf(options, requests) },
      endpointTable(options.allowFaults === true ? faults : undefined, settings),
    );
    await server.listen({ host, port: options.port ?? 0 });
    const { port } = server.server.address() as AddressInfo;
    return {
      url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
      adminToken,
      requests,
      faults,
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

const observersOf = (options: ServiceOptions, requests: RequestLog): Observer[] => [
  ...(options.recordRequests === true ? [(request: RecordedRequest) => requests.record(request)] : []),
  ...(options.accessLog === undefined ? [] : [accessLogger(options.accessLog)]),
];

const FIXTURE_LOADED = "fixture_loaded";

/** Brings a data file to this release and fills it the first time. Returns the administrator's token. */
async function prepare(database: Database, options: ServiceOptions): Promise<string> {
  migrate(database);
  if (options.fixture !== undefined && readSetting(database, FIXTURE_LOADED) !== true) {
    const source = await readFixture(options.fixture);
    database.write(() => {
      loadFixture(database, source);
      writeSetting(database, FIXTURE_LOADED, true);
    });
  }
  ensureTemplates(database);
  // After the fixture, so that it may give any id, and say more of `root`.
  return ensureAdministrator(database, options);
}

/** Defaults, then what the fixture set, then the options. */
function settingsOf(database: Database, options: ServiceOptions): ServiceSettings {
  const stored = <Value>(key: string, fallback: Value): Value =>
    (readSetting(database, `instance.${key}`) as Value | undefined) ?? fallback;
  return {
    ...DEFAULT_SETTINGS,
    version: stored("version", DEFAULT_SETTINGS.version),
    revision: stored("revision", DEFAULT_SETTINGS.revision),
    maximumOffset: stored("maximum_offset", DEFAULT_SETTINGS.maximumOffset),
    allowlistLimit: stored("allowlist_limit", DEFAULT_SETTINGS.allowlistLimit),
    rateLimit: stored("rate_limit", DEFAULT_SETTINGS.rateLimit),
    pagesEnabled: stored("pages_enabled", DEFAULT_SETTINGS.pagesEnabled),
    pagesHost: stored("pages_host", DEFAULT_SETTINGS.pagesHost),
    ...(options.compat !== undefined && { compat: options.compat }),
    ...options.settings,
  };
}
