import path from "node:path";
import { type ReattachServer, serveReattach } from "../../../src/plugin";
import { createProvider } from "../../../src/provider";
import { dynamic, PluginClient, plain } from "../../plugin/support/plugin-client";
import { Opened, SETS } from "./opened";

// The tests read states of earlier releases, and the private bytes in them, as each host does.

interface Instance {
  readonly schema_version: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly private?: string;
}

interface StateFile {
  readonly outputs: Readonly<Record<string, { readonly value: unknown }>>;
  readonly resources: readonly {
    readonly mode: string;
    readonly type: string;
    readonly name: string;
    readonly instances: readonly Instance[];
  }[];
}

const PLATFORM = "platform/terraform.tfstate";
const APPLY = ["apply", "--auto-approve", "--config", "."];
/** Removes the invitation time, which differs on the service of the test. */
const unstamped = (state: Parameters<typeof plain>[0]) => ({ ...(plain(state) as object), invited_at: null });
/** Writes numbers as texts, because releases send numbers in either form. */
const numbersAsTexts = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === "number" ? String(one) : one));
const stateOf = (opened: Opened, name = PLATFORM) => JSON.parse(opened.read(name)) as StateFile;

/** Returns whether the private bytes lack the declared attributes, as in earlier releases. */
const isUnnoted = ({ private: bytes = "" }: Instance): boolean =>
  !Buffer.from(bytes, "base64").toString("utf8").includes("declared");

describe.each(SETS)("states of the release %s", (set) => {
  let opened: Opened;
  afterEach(() => opened.close());

  const planned = (stack: string) => JSON.parse(opened.read(path.join(stack, "planned.json"))) as unknown;

  describe.each(["whole", "of-terraform"])("%s", (kind) => {
    beforeEach(async () => {
      opened = await Opened.open(set, kind);
    });

    test("the plan of an old state contains exactly the changes that the old release planned", async () => {
      expect(await opened.planned("platform")).toEqual(planned("platform"));
    });

    test("an apply with an old state leaves the same resources in the state", async () => {
      const before = stateOf(opened);
      await opened.succeed(APPLY, "platform");
      expect(await opened.planned("platform")).toEqual([]);
      const after = stateOf(opened);
      const namesIn = ({ resources }: StateFile) =>
        resources.map(({ mode, type, name }) => `${mode} ${type}.${name}`);
      expect(namesIn(after).sort()).toEqual(namesIn(before).sort());
      expect(after.outputs).toEqual(before.outputs);
    });

    test("for an old state, drift --state finds a manual change", async () => {
      const scope = stateOf(opened).resources.find(({ type }) => type === "steward_job_token_scope")!;
      const { id, inbound_enabled: applied } = scope.instances[0]!.attributes;
      const url = `${opened.service.url}/api/v4/projects/${String(id)}/job_token_scope`;
      await opened.send("PATCH", url, JSON.stringify({ enabled: !applied }));
      const { out, code } = await opened.steward(["drift", "--state", "terraform.tfstate"], "platform");
      expect(code).toBe(2);
      expect(out).toContain(`~ inbound_enabled = ${String(applied)} -> ${String(!applied)}`);
      const isUnknown = out.includes("# (inbound_enabled is not recorded as declared)");
      expect(isUnknown).toBe(isUnnoted(scope.instances[0]!));
    });

    test("state pull prints an old state without any change", async () => {
      const { out } = await opened.succeed(["state", "pull", "--config", "."], "platform");
      expect(out).toBe(opened.read(PLATFORM));
    });
  });

  test("if a stack uses outputs from another stack's old state, the plan equals the old release's plan", async () => {
    opened = await Opened.open(set, "whole");
    expect(await opened.planned("shop")).toEqual(planned("shop"));
  });
});

describe.each(SETS)("objects in the states of the release %s, over the plugin protocol", (set) => {
  let opened: Opened;
  let reattached: ReattachServer;
  let client: PluginClient;
  beforeEach(async () => {
    opened = await Opened.open(set, "of-terraform");
    reattached = await serveReattach(createProvider());
    const addresses = JSON.parse(reattached.env.TF_REATTACH_PROVIDERS) as Record<
      string,
      { readonly Addr: { readonly String: string } }
    >;
    client = new PluginClient(Object.values(addresses)[0]!.Addr.String);
    const config = dynamic({ base_url: opened.service.url, token: opened.service.adminToken });
    expect((await client.call("ConfigureProvider", { config })).diagnostics).toEqual([]);
  });
  afterEach(async () => {
    client.close();
    await reattached.close();
    await opened.close();
  });

  /** Returns every object in the state that has private bytes. */
  const remembered = () =>
    stateOf(opened).resources.flatMap(({ type, instances }) =>
      instances
        .filter((instance) => instance.private !== undefined)
        .map((instance) => ({ type, instance, bytes: Buffer.from(instance.private!, "base64") })),
    );

  /** Upgrades an object to the present schema. A host does this before any other operation on the object. */
  async function upgrade(type: string, { schema_version: version, attributes }: Instance) {
    const json = Buffer.from(JSON.stringify(attributes));
    const answer = await client.call("UpgradeResourceState", { typeName: type, version, rawState: { json } });
    expect(answer.diagnostics).toEqual([]);
    return answer.upgradedState!;
  }

  test("the plugin converts old objects to the current schema with equal values", async () => {
    const all = remembered();
    expect(new Set(all.map(({ type }) => type)).size).toBeGreaterThanOrEqual(8);
    for (const { type, instance, bytes } of all) {
      const currentState = await upgrade(type, instance);
      expect(numbersAsTexts(plain(currentState))).toMatchObject(
        numbersAsTexts(instance.attributes) as object,
      );
      const read = await client.call("ReadResource", { typeName: type, currentState, private: bytes });
      expect(read.diagnostics).toEqual([]);
      expect(unstamped(read.newState)).toEqual(unstamped(currentState));
      expect(Buffer.from(read.private).length).toBeGreaterThan(0);
    }
    // Each run looks up a path only once. The run compares the current id of the path with the id from the apply.
    expect(new Set(lookUps()).size).toBe(lookUps().length);
  });

  test("if an old object has no private data, a read stores the ids of the paths in the object", async () => {
    const found = remembered().find((one) => one.type === "steward_protected_environment")!;
    const { type, instance, bytes } = found;
    const read = await client.call("ReadResource", {
      typeName: type,
      currentState: await upgrade(type, instance),
    });
    const references = (all: Uint8Array) =>
      (JSON.parse(Buffer.from(all).toString()) as { readonly references: object }).references;
    expect(references(read.private)).toEqual(references(bytes));
  });

  const lookUps = () =>
    opened.service.requests.all
      .filter(({ route }) => ["/projects/:id", "/groups/:id", "/users", "/users/:id"].includes(route ?? ""))
      .map(({ url }) => url);
});
