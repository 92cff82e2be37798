import { VirtualClock } from "../api/support/virtual-clock";
import { type Answer, HttpProxy, type Passage } from "../support/http-proxy";
import { SAMPLES } from "./samples";
import { Host } from "./support/host";
import { providerConfig, startWorld, TOKEN, type World } from "./support/world";

// A service, or a proxy before it, answers about another object than the one that was asked for.

let world: World;
let proxy: HttpProxy;
let forge: (record: Record<string, unknown>, passage: Passage) => unknown;
const seen: string[] = [];

beforeEach(async () => {
  const sound = await startWorld();
  seen.length = 0;
  forge = (record) => record;
  proxy = new HttpProxy(sound.service.url, async (passage) => {
    seen.push(passage.method);
    const answer = await passage.forward();
    passage.answer(isRecord(answer) ? { ...answer, ...forged(answer, passage) } : answer);
  });
  const base_url = await proxy.start();
  world = {
    ...sound,
    connect: (token = TOKEN.maintainer) =>
      sound.provider.configure(providerConfig(sound.provider, { base_url, token }), {
        clock: new VirtualClock(),
      }).provider!,
  };
});
afterEach(async () => {
  proxy.close();
  await world.close();
});

const isRecord = ({ body }: Answer) => body.toString().startsWith("{");

function forged({ headers, body }: Answer, passage: Passage): Partial<Answer> {
  const record = JSON.parse(body.toString()) as Record<string, unknown>;
  const { "content-length": _, ...others } = headers;
  return { headers: others, body: Buffer.from(JSON.stringify(forge(record, passage))) };
}

/** From now on the answers to these requests name another object. */
function answerAboutAnother(method: string, path: RegExp, field: string, value: unknown, times = 1): void {
  let left = times;
  forge = (record, passage) => {
    if (passage.method !== method || !path.test(passage.url) || left === 0) return record;
    left -= 1;
    return { ...record, [field]: value };
  };
}

const OBJECTS = [
  {
    type: "steward_protected_environment",
    path: /protected_environments/,
    change: "PUT",
    field: "name",
    other: "",
    changed: { deploy_access_levels: [{ access_level: 30 }] },
  },
  {
    type: "steward_container_protection_rule",
    path: /rules/,
    change: "PATCH",
    field: "id",
    other: 4711,
    changed: { minimum_access_level_for_push: "owner" },
  },
] as const;

test.each(OBJECTS)(
  "$type: an update whose answer names another object is checked by a read, and sent once",
  async ({ type, path, change, field, other, changed }) => {
    const host = new Host(world, type);
    const { config } = SAMPLES[type]!;
    const before = await host.bring(undefined, config);
    answerAboutAnother(change, path, field, other);
    const plan = await host.plan(before, { ...config, ...changed });
    seen.length = 0;
    const { state, diagnostics } = await host.apply(plan);
    expect(diagnostics).toEqual([]);
    expect(state!.attributes["id"]).toBe(before.attributes["id"]);
    expect(seen.filter((method) => method === change)).toHaveLength(1);
    expect(await host.drift(state!, { ...config, ...changed })).toEqual([]);
  },
);

const environment = { ...OBJECTS[0], ...SAMPLES["steward_protected_environment"]! };

test("a creation whose answer names another environment left an id in the state that no run could read", async () => {
  const { type, path, field, other, config } = environment;
  const host = new Host(world, type);
  answerAboutAnother("POST", path, field, other);
  const plan = await host.plan(undefined, config);
  seen.length = 0;
  const { state, diagnostics } = await host.apply(plan);
  expect(diagnostics).toEqual([]);
  expect(state!.attributes["id"]).toBe(`1:${String(config["name"])}`);
  expect(seen.filter((method) => method === "POST")).toHaveLength(1);
});

test("a read whose answer names another environment is an error, not a replacement of the environment", async () => {
  const { type, path, field, config } = environment;
  const host = new Host(world, type);
  const state = await host.bring(undefined, config);
  answerAboutAnother("GET", path, field, "another", 9);
  const read = await world.connect().readResource({ type, state });
  expect(read.diagnostics.map(({ code }) => code)).toEqual(["unexpected_answer"]);
  expect(read.diagnostics[0]!.detail).toContain('"another"');
  expect(read.state).toEqual(state);
});
