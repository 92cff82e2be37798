import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DocumentServer } from "../../state/document-server";
import { runInProcess } from "../support/in-process";

let folder: string;
let server: DocumentServer;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "steward-separate-"));
  server = new DocumentServer(({ searchParams }) => searchParams.get("state") ?? undefined);
  await server.start();
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  await server.stop();
});

type Backend = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Writes an app with these backends. Each stack declares one object. */
function app(stacks: Readonly<Record<string, Backend>>): void {
  const at = (name: string, content: object) => {
    const file = path.join(folder, "synthesized", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(content));
  };
  const manifest = Object.keys(stacks).map((name) => [
    name,
    {
      name,
      constructPath: name,
      workingDirectory: `stacks/${name}`,
      synthesizedStackPath: `stacks/${name}/cdk.tf.json`,
      annotations: [],
      dependencies: [],
    },
  ]);
  at("manifest.json", { version: "0.21.0", stacks: Object.fromEntries(manifest) });
  for (const [name, backend] of Object.entries(stacks))
    at(`stacks/${name}/cdk.tf.json`, {
      terraform: { backend },
      resource: { terraform_data: { [name]: { input: name } } },
    });
  writeFileSync(
    path.join(folder, "cdktf.json"),
    JSON.stringify({ language: "typescript", app: 'cp -R synthesized/. "$CDKTF_OUTDIR"' }),
  );
}

const local = (name: string): Backend => ({ local: { path: path.join(folder, name) } });
const http = (name: string, more: object = {}): Backend => ({
  http: { address: server.url(`/?type=git&state=${name}`), retry_max: "0", ...more },
});
const steward = async (words: string, env: Record<string, string> = {}) => {
  const { code, out, err } = await runInProcess(words.split(" "), { folder, env });
  return { code, text: out + err };
};
const resourcesAt = (name: string) =>
  (
    JSON.parse(server.documents.get(name) ?? '{"resources":[]}') as { resources: { name: string }[] }
  ).resources.map((one) => one.name);

const REFUSED = (words: string) => ({ code: 1, text: expect.stringContaining(words) });

describe.each<[string, (name: string) => Backend, string]>([
  ["files", (name) => local(`${name}.tfstate`), ".journal"],
  ["a storage keyed by its query", (name) => http(name), "-journal"],
])("two stacks with states in %s", (kind, place, suffix) => {
  const other = (name: string) =>
    kind === "files" ? local(`${name}.tfstate${suffix}`) : place(`${name}${suffix}`);

  test("if an app has two stacks, apply saves each stack's resources in the stack's own state", async () => {
    app({ a: place("a"), b: place("b") });
    expect(await steward("apply --auto-approve")).toMatchObject({ code: 0 });
    expect(await steward("plan --detailed-exitcode")).toMatchObject({ code: 0 });
    if (kind !== "files") expect([resourcesAt("a"), resourcesAt("b")]).toEqual([["a"], ["b"]]);
  });

  test.each([
    "validate",
    "plan",
    "plan --lock=false",
    "apply --auto-approve",
    "drift",
    "apply --auto-approve --stack a",
    "state rm --stack b terraform_data.a",
    "state mv --from-stack a --to-stack b terraform_data.a",
    "state list",
  ])("every command refuses two stacks with the same state: %s", async (words) => {
    app({ a: place("one"), b: place("two") });
    expect(await steward("apply --auto-approve")).toMatchObject({ code: 0 });
    app({ a: place("one"), b: place("one") });
    expect(await steward(words)).toEqual(
      REFUSED('The states of the stack "a" and the stack "b" have the same place'),
    );
  });

  test.each(["plan", "apply --auto-approve --stack a", "apply --auto-approve --stack b", "state list"])(
    "if the state of one stack and the journal of another stack are stored in the same place, %s fails",
    async (words) => {
      app({ a: place("prod"), b: other("prod") });
      expect(await steward(words)).toEqual(REFUSED('of the stack "b" and the journal of the stack "a"'));
    },
  );

  test("if --to is the address of another state or of a journal, state migrate fails", async () => {
    app({ a: place("a"), b: place("b") });
    expect(await steward("apply --auto-approve")).toMatchObject({ code: 0 });
    const addressOf = (name: string) =>
      kind === "files" ? `${name}.tfstate` : server.url(`/?type=git&state=${name}`);
    const journalOf = (name: string) =>
      kind === "files" ? `${addressOf(name)}.journal` : addressOf(`${name}-journal`);
    for (const to of [addressOf("b"), journalOf("b"), journalOf("a")])
      expect(await steward(`state migrate --stack a --to ${to}`)).toEqual(REFUSED("Two states in one place"));
    expect(await steward("plan --detailed-exitcode")).toMatchObject({ code: 0 });
  });
});

test("if one app's state and another app's journal have the same URL, commands of both apps fail", async () => {
  app({ a: http("prod") });
  expect(await steward("apply --auto-approve")).toMatchObject({ code: 0 });
  app({ b: http("prod-journal") });
  for (const words of ["plan", "apply --auto-approve", "state list", "drift"])
    expect(await steward(words)).toEqual(REFUSED("Journal at the address of the state"));
  server.documents.delete("prod-journal");
  expect(await steward("apply --auto-approve")).toMatchObject({ code: 0 });
  app({ a: http("prod") });
  expect(await steward("apply --auto-approve")).toEqual(REFUSED("State at the address of the journal"));
  expect([resourcesAt("prod"), resourcesAt("prod-journal")]).toEqual([["a"], ["b"]]);
});

test("with {stack} in TF_HTTP_JOURNAL_ADDRESS, each stack has a separate journal", async () => {
  app({ a: http("a"), b: http("b") });
  const journal = (state: string) => ({ TF_HTTP_JOURNAL_ADDRESS: server.url(`/?state=${state}`) });
  expect(await steward("apply --auto-approve", journal("j"))).toEqual(
    REFUSED('The journals of the stack "a" and the stack "b" have the same place'),
  );
  expect(await steward("apply --auto-approve", journal("j-{stack}"))).toMatchObject({ code: 0 });
  expect([...server.documents.keys()].sort()).toEqual(["a", "b", "j-a", "j-b"]);
  // In a run with only one stack, the journal of the stack may have any address.
  expect(await steward("plan --stack a", journal("j"))).toMatchObject({ code: 0 });
});

test("if TF_HTTP_ADDRESS is the state address of two stacks, apply fails", async () => {
  const without = { http: { retry_max: "0" } };
  app({ a: without, b: without });
  const env = { TF_HTTP_ADDRESS: server.url("/?state=a") };
  expect(await steward("apply --auto-approve --stack a", env)).toMatchObject({ code: 0 });
  expect(resourcesAt("a")).toEqual(["a"]);
  expect(await steward("apply --auto-approve", env)).toEqual(
    REFUSED('The states of the stack "a" and the stack "b" have the same place'),
  );
});

test("if the journal file of a stack contains a state, each command fails and leaves the file unchanged", async () => {
  app({ a: local("prod.tfstate") });
  expect(await steward("apply --auto-approve")).toMatchObject({ code: 0 });
  const state = readFileSync(path.join(folder, "prod.tfstate"), "utf8");
  const journal = path.join(folder, "prod.tfstate.journal");
  writeFileSync(journal, state);
  app({ a: local("prod.tfstate"), b: local("b.tfstate") });
  for (const words of [
    "plan",
    "apply --auto-approve",
    "state mv --from-stack a --to-stack b terraform_data.a",
  ])
    expect(await steward(words)).toEqual(REFUSED("State at the address of the journal"));
  expect(readFileSync(journal, "utf8")).toBe(state);
  expect(readFileSync(path.join(folder, "prod.tfstate"), "utf8")).toBe(state);
});
