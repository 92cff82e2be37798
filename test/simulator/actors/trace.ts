import type { ConfiguredProvider, Provider } from "../../../src/framework";
import type { StoredState, ValueObject } from "../../../src/schema";

/**
 * A call of the provider's interface, such as `planResource without prior`, with the type and the name of the object.
 */
export type Call = readonly [call: string, type?: string, name?: string];

/** The calls of one walk of the graph, by the type of the object. Calls for different objects have no fixed order. */
export type Walk = Readonly<Record<string, readonly string[]>>;

/** Splits the calls of a command into its walks. Each walk begins with the call `validateProvider`. */
export function walksOf(calls: readonly Call[]): Walk[] {
  const walks: Record<string, string[]>[] = [];
  for (const [call, type = "provider", name = ""] of calls) {
    if (call === "validateProvider") walks.push({});
    const walk = walks.at(-1)!;
    walk[type] = [...(walk[type] ?? []), `${call} ${name}`.trim()];
  }
  return walks.map((walk) => Object.fromEntries(Object.entries(walk).sort(([a], [b]) => (a < b ? -1 : 1))));
}

interface About {
  readonly type: string;
  readonly attributes?: ValueObject;
  readonly config?: ValueObject;
  readonly state?: StoredState;
  readonly prior?: StoredState | undefined;
  readonly planned?: StoredState | undefined;
  readonly id?: string;
}

const NAMES = ["name", "repository_path_pattern", "email", "target_project", "target_group"];

function objectOf({ type, ...about }: About): [type: string, name: string] {
  const attributes =
    about.attributes ??
    about.config ??
    about.planned?.attributes ??
    about.state?.attributes ??
    about.prior?.attributes ??
    {};
  const name = NAMES.flatMap((one) => attributes[one] ?? [])[0];
  return [type, String(name ?? about.id ?? "")];
}

const has = (state: unknown): string => (state === undefined ? "without prior" : "with prior");

const effectOf = ({ prior, planned }: About): string => {
  if (prior === undefined) return "creates";
  return planned === undefined ? "deletes" : "updates";
};

const OF_PROVIDER: Readonly<Record<string, (...given: never[]) => Call>> = {
  validateProvider: () => ["validateProvider"],
  validateResource: (type: string, config: ValueObject) => [
    "validateResource",
    ...objectOf({ type, config }),
  ],
  upgradeResource: (type: string, _: number, attributes: ValueObject) => [
    "upgradeResource",
    ...objectOf({ type, attributes }),
  ],
  upgradeIdentity: (type: string) => ["upgradeIdentity", type],
  moveResource: (about: About) => ["moveResource", about.type],
};

const OF_CLIENT: Readonly<Record<string, (about: About) => Call>> = {
  readResource: (about) => ["readResource", ...objectOf(about)],
  planResource: (about) => [`planResource ${has(about.prior)}`, ...objectOf(about)],
  planDestroy: (about) => ["planDestroy", ...objectOf(about)],
  applyResource: (about) => [`applyResource ${effectOf(about)}`, ...objectOf(about)],
  importResource: (about) => ["importResource", ...objectOf(about)],
};

/** Returns a provider that calls `tell` before each call of Terraform's protocol. */
export function traced(provider: Provider, tell: (call: Call) => void): Provider {
  const spied = spy(provider, OF_PROVIDER as Readonly<Record<string, (...given: unknown[]) => Call>>, tell);
  return new Proxy(spied, {
    get(target, name) {
      if (name !== "configure") return Reflect.get(target, name) as unknown;
      return (...given: Parameters<Provider["configure"]>) => {
        tell(["configure"]);
        const { provider: client, ...rest } = provider.configure(...given);
        return { ...rest, ...(client && { provider: spyClient(client, tell) }) };
      };
    },
  });
}

const spyClient = (client: ConfiguredProvider, tell: (call: Call) => void): ConfiguredProvider =>
  spy(client, OF_CLIENT as Readonly<Record<string, (...given: unknown[]) => Call>>, tell);

const spy = <T extends object>(
  of: T,
  calls: Readonly<Record<string, (...given: unknown[]) => Call>>,
  tell: (call: Call) => void,
): T =>
  new Proxy(of, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== "function") return value;
      const describe = calls[String(name)];
      return (...given: unknown[]) => {
        if (describe !== undefined) tell(describe(...given));
        return (value as (...words: unknown[]) => unknown).apply(target, given);
      };
    },
  });
