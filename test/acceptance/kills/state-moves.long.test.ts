import { copyFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { type Service, startService } from "../../../src/service";
import type { StateBackend } from "../../../src/state/backends/backend";
import { HttpBackend } from "../../../src/state/backends/http-backend";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { addressesOf } from "../../../src/state/model/edit";
import { emptyState } from "../../../src/state/model/model";
import { selectInstances } from "../../../src/state/model/select";
import { httpBackendConfig } from "../../../src/state/storage/http-config";
import { App } from "../../cli/support/app";
import { Steward } from "../../cli/support/process";
import { runs, seed } from "../../support/capabilities";
import { KillingProxy } from "./proxy";

// Each test starts processes; a loaded machine takes its time.
jest.setTimeout(300_000);

/** In a sample the kill comes after every third write to files, and after every other one to a service; the simulator dies at others. */
const STEP = runs(3, 1);

const LIVE = "steward_protected_environment";
// Two objects at once, one of which gets another address.
const MOVE = ["state", "mv", "--from-stack", "web", "--to-stack", "base", "--declared"];
const STACKS = ["base", "web"] as const;
type StackName = (typeof STACKS)[number];

const live = (project: string, name: string) => {
  const environment = (called: string) => ({
    project,
    name: called,
    deploy_access_levels: [{ access_level: 40 }],
  });
  return { resource: { [LIVE]: { [name]: environment("live"), test: environment("test") } } };
};

let service: Service;
let proxy: KillingProxy;
let app: App;
beforeAll(async () => {
  service = await startService({
    fixture: {
      groups: [{ path: "acme" }],
      projects: [{ path: "acme/file" }, { path: "acme/http" }, { path: "acme/states" }],
    },
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  proxy = new KillingProxy(service.url);
  app = new App({ base_url: service.url, token: service.adminToken });
});
afterEach(() => {
  app.remove();
  proxy.close();
});

/** What is wrong after one kill: while the move is open, and once the same command was run again. */
async function wrongAfterKill(backend: (stack: StackName) => StateBackend): Promise<unknown> {
  const held = async (stack: StackName) =>
    addressesOf(selectInstances((await backend(stack).read()) ?? emptyState()));
  const noted = await Promise.all(STACKS.map(async (stack) => (await backend(stack).journal.read()) ?? ""));
  const [base, web] = [await held("base"), await held("web")];
  const isDone = base.length === 2 && web.length === 0 && noted.every((text) => text === "");
  const found: unknown[] = base.length + web.length === 0 ? ["neither state holds the objects"] : [];
  for (const stack of STACKS) {
    const { code, err } = await app.run("plan", "--stack", stack);
    const names = err.includes(`steward ${MOVE.join(" ")}`);
    if (code !== (isDone ? 0 : 1) || names === isDone) found.push({ stack, code, err, base, web, noted });
  }
  const again = await app.run(...MOVE);
  if (again.code !== 0) found.push(again);
  const after = [await held("base"), await held("web")];
  if (JSON.stringify(after) !== JSON.stringify([[`${LIVE}.environment`, `${LIVE}.test`], []]))
    found.push(after);
  const plan = await app.run("plan", "--detailed-exitcode");
  if (plan.code !== 0) found.push(plan);
  return found.length === 0 ? undefined : found;
}

/** Applies the object in the one stack, and declares it in the other. */
async function prepare(project: string, backendOf?: (name: string) => object): Promise<void> {
  app.declare({ base: {}, web: live(project, "live") }, backendOf);
  const applied = await app.run("apply", "--auto-approve");
  if (applied.code !== 0) throw new Error(applied.err);
  app.declare({ base: live(project, "environment"), web: {} }, backendOf);
}

test(`a move between two state files is finished after a kill at each ${runs("third ", "")}of its writes`, async () => {
  await prepare("acme/file");
  copyFileSync(app.stateFile("web"), path.join(app.folder, "kept"));
  const wrong: unknown[] = [];
  let writes = 1 + (seed % STEP);
  for (; ; writes += STEP) {
    for (const name of readdirSync(app.folder)) {
      if (/tfstate/.test(name)) rmSync(path.join(app.folder, name));
    }
    copyFileSync(path.join(app.folder, "kept"), app.stateFile("web"));
    const env = {
      NODE_OPTIONS: `--require ${path.join(__dirname, "kill-after-write.js")}`,
      KILL_AFTER_WRITE: String(writes),
    };
    const { code, out, err } = await new Steward(MOVE, { folder: app.folder, env }).ended;
    if (code !== null) {
      expect({ code, out, err }).toMatchObject({ code: 0 });
      break;
    }
    const found = await wrongAfterKill((stack) => new LocalBackend(app.stateFile(stack)));
    const left = readdirSync(app.folder).filter((name) => /^\.?terraform.*\.(journal|new|info)$/.test(name));
    if (found !== undefined || left.length > 0) wrong.push({ writes, found, left });
  }
  expect(wrong).toEqual([]);
  // Two locks, two journals, two states and a copy of one: each is made, and most are put in place or removed.
  expect(writes).toBeGreaterThan(16);
});

test(`a move between two http states is finished after a kill at each ${runs("other ", "")}of its writes`, async () => {
  const url = await proxy.start();
  const address = (stack: string) => `${url}/api/v4/projects/acme%2Fstates/terraform/state/${stack}`;
  const block = (stack: string) => ({
    address: address(stack),
    lock_address: `${address(stack)}/lock`,
    unlock_address: `${address(stack)}/lock`,
    lock_method: "POST",
    unlock_method: "DELETE",
    username: "root",
    password: service.adminToken,
    retry_wait_min: 0,
  });
  const backend = (stack: string) => new HttpBackend(httpBackendConfig(block(stack), {}));
  await prepare("acme/http", (stack) => ({ http: block(stack) }));
  const kept = (await backend("web").read())!;

  const writes: number[] = [];
  const begin = async () => {
    await backend("base").write({ ...((await backend("base").read()) ?? emptyState()), resources: [] });
    await backend("web").write(kept);
    writes.length = 0;
    proxy.begin();
  };
  proxy.mishap = (isWrite) => {
    if (isWrite) writes.push(proxy.seen);
    return undefined;
  };
  // Twice: where a journal was once there are other requests than where none ever was.
  for (const _time of ["first", "again"]) {
    await begin();
    expect(await app.run(...MOVE)).toMatchObject({ code: 0 });
  }
  // Locks, journals and states are written, the journals are ended, and the locks given back: each of both.
  const planned = [...writes];
  expect(planned).toHaveLength(10);

  const wrong: unknown[] = [];
  for (const [index, moment] of (["before the send", "between send and answer"] as const).entries()) {
    for (const write of planned.filter((_, at) => STEP === 1 || at % 2 === index)) {
      await begin();
      const run = new Steward(MOVE, { folder: app.folder });
      proxy.begin({ planned: { at: write, moment }, act: () => run.child.kill("SIGKILL") });
      const { code } = await run.ended;
      proxy.begin();
      const found = await wrongAfterKill(backend);
      if (code !== null || found !== undefined) wrong.push({ write, moment, code, found });
    }
  }
  expect(wrong).toEqual([]);
});
