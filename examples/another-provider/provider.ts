import {
  type Collection,
  type Connection,
  computed,
  type DataSourceDefinition,
  type Failure,
  managed,
  optionalComputed,
  type Provider,
  type ProviderDefinition,
  providerOf,
  type ResourceDefinition,
  recordPages,
  required,
  type ValueObject,
} from "cdktf-provider-steward/framework";
import { FlagClient, FlagError } from "./client";
import type { Flag } from "./service";

// A provider for a service of feature flags. docs/writing-a-provider.md explains it step by step.

/** The container of flags and editors. */
type Kind = "space";

const space = required.reference("space", {
  description: "The space, by its numeric id or its name.",
  replaces: true,
});

/** The flags of a space. A run reads this list once. */
const flags: Collection<string, Flag, Flag, FlagClient> = {
  name: "flags",
  list: (client, id) => recordPages(() => client.flags(id)),
  keyOf: ({ name }) => name,
};

const flagAttributes = {
  space,
  name: required.string({ description: "The name of the flag.", replaces: true }),
  enabled: optionalComputed.bool({
    description: "Whether the flag is on. Left out, its live value is shown.",
  }),
};

/** A resource for one flag. It is an entry resource: other flags of the space may be unmanaged. */
const flag: ResourceDefinition<typeof flagAttributes, FlagClient, Kind> = {
  type: "flag",
  version: 0,
  description: "A feature flag of a space.",
  attributes: flagAttributes,
  container: "space",
  feature: "its flags",
  key: { name: "name", example: "checkout", attributes: ["name"], of: ({ name }) => name },

  async create({ api, container, collection }, { name, enabled }) {
    const made = await collection(flags).send(() =>
      api.createFlag(container, { name, enabled: enabled ?? false }),
    );
    collection(flags).written(made);
    return made;
  },
  read: ({ collection, expected }, name) => collection(flags).get(name, expected),
  async update({ api, container, collection }, { name, enabled }, observed) {
    const changed = await api.updateFlag(container, { name, enabled: enabled ?? observed.enabled ?? false });
    collection(flags).written(changed);
    return changed;
  },
  async delete({ api, container, collection }, name) {
    await collection(flags).send(() => api.deleteFlag(container, name));
    collection(flags).removed(name);
    return undefined;
  },
  list: async ({ collection }) => [...(await collection(flags).all()).values()],
};

const editorAttributes = {
  space,
  editors: managed.setOfStrings({
    description: "Everybody who may change flags. Whoever else may is removed; left out, nobody is managed.",
  }),
};

/** A resource for the users who may change flags. It is authoritative: it owns the whole list of a space. */
const editors: ResourceDefinition<typeof editorAttributes, FlagClient, Kind> = {
  type: "editors",
  version: 0,
  description: "Owns the whole list of the people who may change the flags of a space.",
  attributes: editorAttributes,
  container: "space",
  feature: "its editors",
  owns: { whole: () => ["editors"] },

  async create(scope, declared) {
    if (declared.editors !== null) await scope.api.setEditors(scope.container, declared.editors);
    return { editors: await scope.api.editors(scope.container) };
  },
  read: async ({ api, container }) => ({ editors: await api.editors(container) }),
  async update({ api, container }, declared, observed) {
    return declared.editors === null ? observed : api.setEditors(container, declared.editors);
  },
  async delete({ api, container }, _key, state) {
    if (state["editors"] !== null) await api.setEditors(container, []);
    return undefined;
  },
  list: async ({ api, container }) => [{ editors: await api.editors(container) }],
};

const flagsAttributes = {
  space: required.reference("space", { description: "The space, by its numeric id or its name." }),
  flags: computed.listOf(
    {
      name: required.string({ description: "The name of the flag." }),
      enabled: required.bool({ description: "Whether the flag is on." }),
    },
    { description: "All flags of the space." },
  ),
};

/** A data source with all flags of a space. The data source and the resources share one read of the list. */
const flagsData: DataSourceDefinition<typeof flagsAttributes, FlagClient, Kind> = {
  type: "flags",
  description: "All flags of a space.",
  attributes: flagsAttributes,
  async read(scope, config) {
    const id = await scope.idOf("space", config["space"] ?? null);
    const all = await scope.collection(id, flags).readWhole();
    return { ...config, flags: [...all.values()].map(({ name, enabled }) => ({ name, enabled })) };
  },
};

/** Returns the meaning of a client's error for the framework. */
function failureOf(problem: unknown): Failure | undefined {
  if (!(problem instanceof FlagError)) return undefined;
  const { message: detail, status, maybeDone } = problem;
  if (maybeDone) return { kind: "maybeDone", code: "lost_answer", summary: "The answer was lost", detail };
  if (status === 404) return { kind: "gone", code: "not_found", summary: "Not found", detail };
  if (status === 409)
    return { kind: "alreadyThere", code: "already_there", summary: "Exists already", detail };
  if (status === 403) return { kind: "refused", code: "forbidden", summary: "Refused", detail };
  return { kind: "failed", code: "service_failed", summary: "The flag service failed", detail };
}

const definition: ProviderDefinition<FlagClient, Kind> = {
  name: "flags",
  source: "registry.example.com/acme/flags",
  description: "Feature flags.",
  attributes: {
    address: required.string({ description: "Where the service is." }),
    token: required.string({ description: "The access token.", sensitive: true }),
  },
  kinds: {
    space: {
      path: { pattern: /^[a-z][a-z-]*$/, hint: 'its name, such as "web-shop"' },
      async find(client, name) {
        const found = typeof name === "number" ? [await client.space(name)] : await client.spacesNamed(name);
        return found[0] && { id: found[0].id, path: found[0].name };
      },
    },
  },
  resources: [flag, editors],
  dataSources: [flagsData],
  connect: (config) => connect(config),
  failureOf,
};

function connect(config: ValueObject): Connection<FlagClient> {
  const client = new FlagClient(String(config["address"]), String(config["token"]));
  return {
    client,
    address: client.address,
    maxAttempts: 3,
    pauseBeforeVerify: async () => true,
    close: async () => undefined,
  };
}

/** Creates the provider. Any host can run it. */
export const createFlagProvider = (): Provider => providerOf(definition);
