import { readFileSync } from "node:fs";
import path from "node:path";
import { usePlace } from "../support/place";

const place = usePlace("each");
beforeEach(async () => {
  expect((await place.run(["apply", "--auto-approve", ...HERE])).code).toBe(0);
});

const HERE = ["--config", "."];
const LIMIT = "steward_job_token_scope.limit";

interface StateText {
  readonly serial: number;
  readonly lineage: string;
  readonly resources: readonly unknown[];
}

const current = (): StateText => JSON.parse(place.read("terraform.tfstate"));
const push = (...args: string[]) => place.run(["state", "push", ...args, ...HERE]);

test("state push replaces the state, keeps a higher serial, and leaves the former state in the backup", async () => {
  const before = place.read("terraform.tfstate");
  const edited = { ...current(), serial: current().serial + 7, resources: [] };
  place.write("edited.tfstate", edited);
  expect((await push("edited.tfstate", "--dry-run")).out).toContain(
    `Would push serial ${edited.serial} to ${path.join(place.folder, "terraform.tfstate")}; it replaces serial ${current().serial}.\n`,
  );
  expect(place.read("terraform.tfstate")).toBe(before);
  const { code, out } = await push("edited.tfstate", "--json");
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    {
      type: "state_pushed",
      serial: edited.serial,
      previous_serial: JSON.parse(before).serial,
      lineage: edited.lineage,
      dry_run: false,
    },
  ]);
  expect(current()).toMatchObject({ serial: edited.serial, lineage: edited.lineage, resources: [] });
  expect(place.read("terraform.tfstate.backup")).toBe(before);
});

test("state push of what state pull printed changes nothing", async () => {
  const before = place.read("terraform.tfstate");
  place.write("pulled.tfstate", (await place.run(["state", "pull", ...HERE])).out);
  const { code, out } = await push("pulled.tfstate");
  expect([code, out]).toEqual([
    0,
    `Nothing to push: ${path.join(place.folder, "terraform.tfstate")} holds this state already.\n`,
  ]);
  expect(place.read("terraform.tfstate")).toBe(before);
});

test("state push keeps the serial where there is no state yet", async () => {
  const { code, out } = await place.run(["state", "push", "terraform.tfstate", "--state", "new.tfstate"]);
  expect([code, out]).toEqual([0, expect.stringContaining("no state was there before.")]);
  expect(place.read("new.tfstate")).toBe(place.read("terraform.tfstate"));
});

test.each<[string, (state: StateText) => object, string]>([
  [
    "an older state",
    (state) => ({ ...state, serial: state.serial - 1, resources: [] }),
    "State is not newer",
  ],
  ["another state of the same serial", (state) => ({ ...state, resources: [] }), "State is not newer"],
  [
    "a state of another lineage",
    (state) => ({ ...state, serial: 99, lineage: "b9a5a4f0-0000-4000-8000-000000000000" }),
    "State has another lineage",
  ],
])("state push refuses %s, and --force replaces the state under a higher serial", async (_, change, says) => {
  const before = current();
  const other = change(before) as StateText;
  place.write("other.tfstate", other);
  for (const options of [[], ["--dry-run"]]) {
    const { code, err } = await push("other.tfstate", ...options);
    expect([code, err]).toEqual([1, expect.stringContaining(says)]);
  }
  expect(current()).toEqual(before);
  expect((await push("other.tfstate", "--force")).code).toBe(0);
  expect(current()).toEqual({ ...other, serial: Math.max(other.serial, before.serial + 1) });
});

test.each([
  ["no file", undefined, "File can't be read"],
  ["an empty file", "", "State is empty"],
  ["something else", "{}", "State is damaged"],
  ["half a state", '{"version": 4,', "State can't be read"],
])("state push of %s changes nothing", async (_, text, says) => {
  const before = place.read("terraform.tfstate");
  if (text !== undefined) place.write("bad.tfstate", text);
  const { code, err } = await push("bad.tfstate", "--force");
  expect([code, err]).toEqual([1, expect.stringContaining(says)]);
  expect(place.read("terraform.tfstate")).toBe(before);
});

test("state push waits for the recovery of an interrupted run: its journal belongs to the other state", async () => {
  const journal = path.join(__dirname, "..", "..", "fixtures", "2026-11-first-version", "unsettled");
  place.write(
    "terraform.tfstate.journal",
    readFileSync(path.join(journal, "terraform.tfstate.journal"), "utf8"),
  );
  const { code, err } = await push("terraform.tfstate", "--force");
  expect([code, err]).toEqual([1, expect.stringContaining("An interrupted run has not been recovered")]);
});

describe("state replace-provider", () => {
  const SOURCE = "registry.steward.example/steward/steward";
  const OTHER = "registry.example.com/platform/steward";
  const replace = (...args: string[]) => place.run(["state", "replace-provider", ...args, ...HERE]);

  test("changes the source address of all objects, under approval", async () => {
    const before = place.read("terraform.tfstate");
    expect((await replace(SOURCE, OTHER)).err).toContain("Approval required");
    expect((await replace(SOURCE, OTHER, "--dry-run")).out).toContain(
      `Would change the provider of 4 objects to ${OTHER}.`,
    );
    expect(place.read("terraform.tfstate")).toBe(before);
    const { code, out } = await replace(SOURCE, OTHER, "--auto-approve");
    expect([code, out]).toEqual([0, expect.stringContaining(`${LIMIT}\n`)]);
    expect({ ...current(), serial: 0 }).toEqual({
      ...JSON.parse(before.replaceAll(SOURCE, OTHER)),
      serial: 0,
    });
    expect((await replace(OTHER, SOURCE, "--auto-approve")).code).toBe(0);
    expect((await place.run(["plan", "--detailed-exitcode", ...HERE])).code).toBe(0);
  });

  test("changes nothing if no object has the provider, and refuses what is no source address", async () => {
    const before = place.read("terraform.tfstate");
    const none = await replace("hashicorp/null", OTHER);
    expect([none.code, none.out]).toEqual([
      0,
      "No object has the provider hashicorp/null: nothing was changed.\n",
    ]);
    const bad = await replace(SOURCE, "not a source", "--auto-approve");
    expect([bad.code, bad.err]).toEqual([1, expect.stringContaining("Invalid provider source address")]);
    expect(place.read("terraform.tfstate")).toBe(before);
  });
});
