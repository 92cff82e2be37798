import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Service, startService } from "../../../src/service";
import { beginInProcess } from "../support/in-process";

// The tests check that commands on many projects show their progress and the current read, but only on a terminal.

/** The number of projects. The progress may count up to 31, because a search also counts the group. */
const COUNT = 30;
const names = Array.from({ length: COUNT }, (_, at) => `p${at}`);

let service: Service;
let folder: string;
beforeAll(async () => {
  service = await startService({
    fixture: { groups: [{ path: "acme" }], projects: names.map((name) => ({ path: `acme/${name}` })) },
  });
  folder = mkdtempSync(path.join(tmpdir(), "steward-progress-"));
  const steward_protected_environment = Object.fromEntries(
    names.map((name) => [
      name,
      { project: `acme/${name}`, name: "production", deploy_access_levels: [{ access_level: 40 }] },
    ]),
  );
  writeFileSync(
    path.join(folder, "main.tf.json"),
    JSON.stringify({
      terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
      resource: { steward_protected_environment },
    }),
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const begin = (line: string) => {
  const env = { STEWARD_BASE_URL: service.url, STEWARD_TOKEN: service.adminToken };
  return beginInProcess(line.split(" "), { folder, env, isTerminal: true });
};

/** Returns the numbers that the last line of the terminal showed during a phase. */
const counts = (text: string, phase: string): number[] =>
  [...text.matchAll(new RegExp(`${phase}\\.\\.\\. (\\d+) of (?:30|31)\\b`, "g"))].map(([, done]) =>
    Number(done),
  );

const ENVIRONMENT = "steward_protected_environment\\.p\\d+";
const PROJECT = "acme/p\\d+";

test.each([
  ["apply --config . --auto-approve", "Applying changes", ""],
  ["plan --config .", "Reading objects", ENVIRONMENT],
  ["drift --config .", "Reading objects", ENVIRONMENT],
  ["adopt acme --out new --format json", "Reading projects and groups", PROJECT],
  ["snapshot acme --out snapshot.yaml", "Reading projects and groups", PROJECT],
])(
  "the progress of %s on a terminal counts up, and shows the last object or project",
  async (line, phase, last) => {
    const { code, out, err } = await begin(line).ended;
    expect({ code, err }).toMatchObject({ code: 0 });
    if (!line.startsWith("snapshot")) expect(out).toMatch(/^Finished in \d+\.?\d*s\.$/m);
    const done = counts(err, phase);
    expect(done.length).toBeGreaterThan(2);
    expect(done).toEqual([...done].sort((one, other) => one - other));
    if (last !== "")
      expect(err).toMatch(new RegExp(`${phase}\\.\\.\\. \\d+ of (?:30|31), \\d+ requests: ${last}`));
  },
);

test("after an interrupt signal, the command prints the changes in progress", async () => {
  const reading = begin("plan --config . --refresh-only");
  await reading.wrote("Reading...");
  reading.interrupt("SIGINT");
  await reading.wrote("Stopping after the requests in progress. No change is in progress.");
  await reading.ended;
  const writing = begin("destroy --config . --auto-approve --parallelism 1");
  await writing.wrote("Destroying...");
  writing.interrupt("SIGINT");
  const { err } = await writing.ended;
  expect(err).toMatch(
    /Stopping after \d+ changes? in progress: steward_protected_environment\.p\d+.*\. Then the state is saved\./,
  );
});
