import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { usePlace } from "../support/place";

const place = usePlace("all");
beforeAll(async () => {
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
});

const HERE = ["--config", "."];
const FILE = ["--state", "terraform.tfstate"];
const LIMIT = "steward_job_token_scope.limit";
const PRODUCTION = "steward_protected_environment.production";
const ALL = ["data.steward_project.shop", "steward_job_token_allowlist.callers", LIMIT, PRODUCTION];

const PROVIDER = "registry.steward.example/steward/steward";

const lines = (text: string): string[] => text.trim().split("\n");
const serial = (): number => (JSON.parse(place.read("terraform.tfstate")) as { serial: number }).serial;

test.each([
  ["apply", ["apply", "--auto-approve", ...HERE]],
  ["an apply that only refreshes", ["apply", "--refresh-only", "--auto-approve", ...HERE]],
  ["plan under its lock", ["plan", ...HERE]],
  ["drift --repair", ["drift", "--repair", "--auto-approve", ...HERE]],
  ["apply of a saved plan", ["apply", "plan.steward"]],
  ["state push of the same state", ["state", "push", "same.tfstate", ...HERE]],
  [
    "state replace-provider with the provider that it has",
    ["state", "replace-provider", "--auto-approve", PROVIDER, PROVIDER, ...FILE],
  ],
])("%s that changes nothing writes nothing, in whatever format the state is", async (_, args) => {
  expect((await place.run(["plan", "--out", "plan.steward", ...HERE])).code).toBe(0);
  const whole = place.read("terraform.tfstate");
  const state = path.join(place.folder, "terraform.tfstate");
  place.write("terraform.tfstate", JSON.stringify(JSON.parse(whole)));
  place.write("same.tfstate", whole);
  const seen = () => [readdirSync(place.folder), statSync(state).ino, place.read("terraform.tfstate")];
  const before = seen();
  const { code, err } = await place.run(args);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(seen()).toEqual(before);
  place.write("terraform.tfstate", whole);
});

/** Tests build on each other: each continues with the state of the previous one. */
describe("state", () => {
  test("list prints one address per line, from the configuration's state or from a file", async () => {
    const { code, out, err } = await place.run(["state", "list", ...HERE]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(lines(out)).toEqual(ALL);
    expect((await place.run(["state", "list", ...FILE])).out).toBe(out);
    expect(JSON.parse((await place.run(["state", "list", "--json", ...FILE])).out)).toEqual(ALL);
  });

  test("list filters by address and id, and refuses an address that matches nothing", async () => {
    expect((await place.run(["state", "list", LIMIT, PRODUCTION, ...FILE])).out).toBe(
      `${LIMIT}\n${PRODUCTION}\n`,
    );
    expect((await place.run(["state", "list", "--id", "1:production", ...FILE])).out).toBe(`${PRODUCTION}\n`);
    const { code, err } = await place.run(["state", "list", LIMIT, "steward_pages_settings.x", ...FILE]);
    expect(code).toBe(1);
    expect(err).toContain("The state has no object at steward_pages_settings.x");
  });

  test("show prints one object in the format of steward show", async () => {
    const { code, out } = await place.run(["state", "show", LIMIT, ...FILE]);
    expect(code).toBe(0);
    expect(out).toMatch(/^# steward_job_token_scope.limit:\nresource "steward_job_token_scope" "limit" {\n/);
    expect((await place.run(["show", ...FILE])).out).toContain(out);
    const json = await place.run(["state", "show", "--json", PRODUCTION, ...FILE]);
    expect(JSON.parse(json.out)).toMatchObject({
      format_version: "1.0",
      values: { root_module: { resources: [{ address: PRODUCTION, values: { name: "production" } }] } },
    });
  });

  test("pull writes the state file unchanged", async () => {
    expect((await place.run(["state", "pull", ...FILE])).out).toBe(place.read("terraform.tfstate"));
    expect(await place.run(["state", "pull", ...HERE])).toEqual(await place.run(["state", "pull", ...FILE]));
  });

  test("mv changes an address to the declared one, after which the plan is empty", async () => {
    const to = "steward_job_token_scope.renamed";
    const before = serial();
    const dry = await place.run(["state", "mv", "--dry-run", LIMIT, to, ...FILE]);
    expect(dry.out).toBe(`Would move ${LIMIT} to ${to}\nWould move 1 object.\n`);
    expect(serial()).toBe(before);
    const { code, out, err } = await place.run(["state", "mv", LIMIT, to, ...FILE]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`Moved ${LIMIT} to ${to}\nSuccessfully moved 1 object.\n`);
    expect(serial()).toBe(before + 1);
    expect((JSON.parse(place.read("terraform.tfstate.backup")) as { serial: number }).serial).toBe(before);
    place.write(
      "renamed/main.tf.json",
      JSON.parse(
        place
          .read("main.tf.json")
          .replace('"limit":', '"renamed":')
          .replaceAll("steward_job_token_scope.limit", to),
      ),
    );
    const renamed = ["--config", "renamed", ...FILE];
    expect((await place.run(["plan", "--detailed-exitcode", ...renamed])).code).toBe(0);
    const back = await place.run(["state", "mv", to, LIMIT, "--json", ...FILE]);
    expect(JSON.parse(back.out)).toMatchObject({
      type: "state_moved",
      moved: [{ from: to, to: LIMIT }],
      dry_run: false,
    });
  });

  test("mv refuses an existing address and another type, and keeps the state", async () => {
    const before = place.read("terraform.tfstate");
    const { code, err } = await place.run(["state", "mv", LIMIT, PRODUCTION, ...FILE]);
    expect(code).toBe(1);
    expect(err).toContain("an object can only be moved to an address of its own type");
    expect((await place.run(["state", "mv", LIMIT, "limit", ...FILE])).err).toContain("Invalid address");
    expect(place.read("terraform.tfstate")).toBe(before);
  });

  test("rm removes an object from the state only, and import restores it", async () => {
    const { code, out, err } = await place.run(["state", "rm", PRODUCTION, LIMIT, ...HERE]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toBe(`Removed ${PRODUCTION}\nRemoved ${LIMIT}\nSuccessfully removed 2 resource instances.\n`);
    expect(lines((await place.run(["state", "list", ...FILE])).out)).toEqual(ALL.slice(0, 2));
    expect(await place.byHand("GET", "/projects/1/protected_environments/production")).toBe(200);
    expect((await place.run(["import", PRODUCTION, "1:production", ...HERE])).code).toBe(0);
  });

  test("rm removes nothing if one address matches nothing or the state does not exist", async () => {
    const before = place.read("terraform.tfstate");
    const { code, err } = await place.run(["state", "rm", PRODUCTION, LIMIT, ...FILE]);
    expect(code).toBe(1);
    expect(err).toContain(`no object at ${LIMIT}`);
    expect(place.read("terraform.tfstate")).toBe(before);
    const nowhere = await place.run(["state", "rm", PRODUCTION, "--state", "nowhere.tfstate"]);
    expect(nowhere.err).toContain("There is no state in");
  });

  test("a lock blocks rm but not list; unlock with its id removes it once", async () => {
    const file = path.join(place.folder, "terraform.tfstate");
    const { info } = await new LocalBackend(file).lock({ operation: "test" });
    const locked = await place.run(["state", "rm", PRODUCTION, ...FILE]);
    expect(locked.code).toBe(1);
    expect(locked.err).toContain(`steward state unlock ${info.id}`);
    expect((await place.run(["state", "list", ...FILE])).code).toBe(0);
    const wrong = await place.run(["state", "unlock", "00000000-0000-4000-8000-000000000000", ...FILE]);
    expect(wrong.code).toBe(1);
    expect(wrong.err).toContain(info.id);
    const { code, out } = await place.run(["state", "unlock", info.id, ...FILE]);
    expect(code).toBe(0);
    expect(out).toContain(`was held by ${info.who}`);
    expect((await place.run(["state", "unlock", info.id, ...FILE])).err).toContain("State is not locked");
    expect((await place.run(["state", "rm", PRODUCTION, ...FILE])).code).toBe(0);
  });
});
