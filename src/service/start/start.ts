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
  /** SQLite file, created if missing. Default: in memory. */
  readonly data?: string;
  /** Path of a YAML file, YAML text, or an object. Loaded once into a data file. */
  readonly fixture?: string | FixtureInput;
  /** Default: 127.0.0.1. */
  readonly host?: string;
  /** Default: 0, which picks a free port. */
  readonly port?: number;
  /** Allows a host that other machines can connect to. */
  readonly allowRemote?: boolean;
  /** Whether `service.requests` records requests. Default: false, as the log grows without limit. */
  readonly recordRequests?: boolean;
  /** Receives one line per request. */
  readonly accessLog?: AccessLog;
  /** Faults to inject from the start; `service.faults` adds more. */
  readonly faults?: readonly FaultInput[];
  /** Serves `/_steward/faults`, through which administrators inject faults over HTTP. */
  readonly allowFaults?: boolean;
  /** `strict` follows the specification, `observed` the live platform. Default: `strict`. */
  readonly compat?: CompatMode;
  /** Overrides the settings of the instance. */
  readonly settings?: Partial<ServiceSettings>;
}

export interface Service {
  /** Origin without a path, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** Token of the administrator `root`. */
  readonly adminToken: string;
  readonly requests: RequestLog;
  /** Injected faults. */
  readonly faults: Faults;
  /** Closes connections and the data file. */
  close(): Promise<void>;
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "localhost"]);

/**
 * Starts an instance of the service and listens.
 *
 * @throws Error for a non-loopback host without `allowRemote`, an invalid fixture (with its line), a data file of a newer
 *   release, or a port in use.
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

/** Migrates a data file and loads the fixture the first time. Returns the administrator's token. */
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
  // After the fixture, which may use any id and declare `root` itself.
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
