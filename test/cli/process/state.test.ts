import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { usePlace } from "../support/place";

const place = usePlace("all");
beforeAll(async () => {
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
});

const HERE = ["--config", "."];
const FILE = ["--state", "terraform.tfstate"];
const PRODUCTION = "steward_protected_environment.production";

const PROVIDER = "registry.steward.example/steward/steward";

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
])(
  "if nothing changes, %s writes no file, even if the state's JSON has other white space",
  async (_, args) => {
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
  },
);

test("while the state is locked, state rm fails and state list succeeds", async () => {
  const file = path.join(place.folder, "terraform.tfstate");
  const { info } = await new LocalBackend(file).lock({ operation: "test" });
  const locked = await place.run(["state", "rm", PRODUCTION, ...FILE]);
  expect(locked.code).toBe(1);
  expect(locked.err).toContain(`steward state unlock --state terraform.tfstate ${info.id}`);
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

test("while the journal contains changes of an interrupted run, state push fails", async () => {
  const journal = path.join(__dirname, "..", "..", "fixtures", "2026-11-first-version", "unsettled");
  place.write(
    "terraform.tfstate.journal",
    readFileSync(path.join(journal, "terraform.tfstate.journal"), "utf8"),
  );
  const { code, err } = await place.run(["state", "push", "terraform.tfstate", "--force", ...HERE]);
  rmSync(path.join(place.folder, "terraform.tfstate.journal"));
  expect([code, err]).toEqual([1, expect.stringContaining("Interrupted run not recovered")]);
});
