import { type Client, createClient } from "../../src/api";
import type { ConfiguredProvider, Provider } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import { type Service, startService } from "../../src/service";
import { Host } from "../provider/support/host";
import { providerConfig, type World } from "../provider/support/world";
import { COMPANY, ID, OWNER_TOKEN, PUBLISHED } from "./company";
import type { Part } from "./fields";
import { type Arrived, type Filling, openWire, type Wire } from "./wire";

/** The tools of a scenario. All requests go through the wire, except for preparation and checks. */
export interface Bench {
  readonly client: Client;
  readonly provider: Provider;
  /** Returns a configured provider for one run. */
  connect(): ConfiguredProvider;
  /**
   * Returns a host that takes an object of this type through its lifecycle. The requests of this host go through the
   * wire.
   */
  host(type: string): Host;
  /** Returns a host that prepares objects of the scenario. The requests of this host do not go through the wire. */
  hostByHand(type: string): Host;
  /** Sends a plain HTTP request directly to the service. Fails if the service refuses the request. */
  byHand<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** Creates a project that no other scenario uses. The user devon and the group of approvers have access. */
  newProject(): Promise<number>;
  /** Returns the id of a project with published Pages that no other run uses. */
  publishedProject(): number;
  /** Returns the requests of this run, as the service received them. */
  arrived(): readonly Arrived[];
}

/** The result of a scenario's run, and the endpoints to which the run sent requests. */
export interface Outcome {
  readonly outcome: string;
  readonly asked: readonly Pick<Part, "method" | "route">[];
}

/**
 * A test that uses one part of the program against the service. A scenario returns a value that is equal in each run.
 * If a part of the specification is missing that the scenario needs, the scenario fails or returns a different value.
 */
export interface Scenario {
  readonly name: string;
  run(bench: Bench): Promise<unknown>;
}

/** Runs scenarios on a service, through a wire in front of the service. */
export class Laboratory {
  readonly #provider = createProvider();
  readonly #open: { close(): Promise<unknown> }[] = [];
  readonly #published = [...PUBLISHED];
  #projects = 0;

  private constructor(
    readonly service: Service,
    readonly wire: Wire,
  ) {}

  static async open(parts: readonly Part[]): Promise<Laboratory> {
    const service = await startService({ fixture: COMPANY });
    return new Laboratory(service, await openWire(service.url, parts, FILLINGS));
  }

  async run({ run }: Scenario, missing?: Part): Promise<Outcome> {
    this.wire.arrived();
    this.wire.takeOut(missing);
    const arrived: Arrived[] = [];
    try {
      const value = await run(this.#bench(arrived));
      arrived.push(...this.wire.arrived());
      return { outcome: JSON.stringify(value, normal, 1), asked: arrived };
    } finally {
      this.wire.takeOut(undefined);
      await Promise.all(this.#open.splice(0).map((each) => each.close()));
    }
  }

  async close(): Promise<void> {
    await this.wire.close();
    await this.service.close();
  }

  #bench(arrived: Arrived[]): Bench {
    const { url } = this.wire;
    const client = createClient({ baseUrl: url, token: OWNER_TOKEN, maxAttempts: 1, env: {} });
    this.#open.push(client);
    const byHand = this.#byHand;
    return {
      client,
      provider: this.#provider,
      connect: () => this.#connect(url),
      host: (type) => this.#host(type, url),
      hostByHand: (type) => this.#host(type, this.service.url),
      byHand,
      newProject: async () => {
        const path = `scratch-${++this.#projects}`;
        const { id } = await byHand<{ id: number }>("POST", "/projects", { path, namespace_id: ID.acme });
        await byHand("POST", `/projects/${id}/share`, { group_id: ID.approvers, group_access: 30 });
        await byHand("POST", `/projects/${id}/share`, { group_id: ID.platform, group_access: 30 });
        return id;
      },
      publishedProject: () => {
        const id = this.#published.pop();
        if (id === undefined)
          throw new Error("Every published project was taken: PUBLISHED has to be longer.");
        return id;
      },
      arrived: () => {
        arrived.push(...this.wire.arrived());
        return arrived;
      },
    };
  }

  readonly #byHand = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${this.service.url}/api/v4${path}`, {
      method,
      headers: {
        "private-token": OWNER_TOKEN,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} by hand: ${response.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  };

  #connect(url: string): ConfiguredProvider {
    const config = providerConfig(this.#provider, { base_url: url, token: OWNER_TOKEN, max_attempts: 1 });
    const { provider, diagnostics } = this.#provider.configure(config, {});
    if (provider === undefined) throw new Error(JSON.stringify(diagnostics));
    this.#open.push(provider);
    return provider;
  }

  #host(type: string, url: string): Host {
    const world: Pick<World, "provider" | "connect"> = {
      provider: this.#provider,
      connect: () => this.#connect(url),
    };
    return new Host(world as World, type);
  }
}

/**
 * Values for fields that are always null in the embedded service, although the specification gives them a type. The
 * wire inserts these values.
 */
const FILLINGS: readonly Filling[] = [
  { route: /\/allowlist$/, field: "avatar_url", content: "https://avatars.example/tools.png" },
  { route: /\/allowlist$/, field: "namespace.avatar_url", content: "https://avatars.example/acme.png" },
  { route: /\/enterprise_users$/, field: "local_time", content: "9:00 AM" },
  { route: /\/enterprise_users$/, field: "shared_runners_minutes_limit", content: 100 },
  { route: /\/enterprise_users$/, field: "extra_shared_runners_minutes_limit", content: 200 },
  { route: /^\/user$/, field: "avatar_url", content: "https://avatars.example/owner.png" },
  { route: /\/invitations/, field: "user_name", content: "Ada Byron" },
];

const KNOWN = new Set<number>(Object.values(ID));

/**
 * Replaces times, ports and assigned ids by placeholders, because they differ in each run. Only the presence of these
 * values counts.
 */
function normal(key: string, value: unknown): unknown {
  if (typeof value === "number" && /(^|_)id$/.test(key) && !KNOWN.has(value)) return "<id>";
  if (typeof value !== "string") return value;
  return value
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
    .replace(/(127\.0\.0\.1|localhost):\d+/g, "<service>")
    .replace(/\d+/g, (digits) =>
      /^(id|project|group)$/.test(key) && !KNOWN.has(Number(digits)) ? "<id>" : digits,
    )
    .replace(/scratch-[a-z-]*\d+/g, "<scratch>");
}
