import path from "node:path";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { ageJournal } from "../../support/age-journal";
import { usePlace } from "../support/place";
import type { Steward } from "../support/process";

const place = usePlace("each");

const APPLY = ["apply", "--auto-approve", "--config", "."];
const ENVIRONMENTS = "/projects/:id/protected_environments";

/** Starts an apply that waits for the response to its last create. All other changes are done and saved. */
async function heldApply(): Promise<Steward> {
  place.service.faults.add({ method: "POST", route: ENVIRONMENTS, delay: 30_000 });
  const held = place.start(APPLY);
  await held.wrote("err", "steward_protected_environment.production: Creating...");
  await held.wrote("err", "steward_job_token_allowlist.callers: Creation complete");
  return held;
}

test("if an apply was killed, the next apply takes over the lock of the state and reports this", async () => {
  const held = await heldApply();
  held.child.kill("SIGKILL");
  await held.ended;
  await ageJournal(new LocalBackend(path.join(place.folder, "terraform.tfstate")).journal);
  const { code, err } = await place.run(APPLY);
  expect(err).toContain("Took over the lock of the state from a process that has ended: ");
  expect(code).toBe(0);
  expect((await place.run(["plan", "--detailed-exitcode", "--config", "."])).code).toBe(0);
});

describe("a state that another program wrote during an apply", () => {
  test.each([
    ["another serial", (state: State) => ({ ...state, serial: state.serial + 7 })],
    ["another lineage", (state: State) => ({ ...state, lineage: "b9a5a4f0-0000-4000-8000-000000000000" })],
  ])("if another program wrote a state with %s, apply does not overwrite this state", async (_, change) => {
    const first = await place.run([...APPLY, "--target", "steward_job_token_scope.limit"]);
    expect(first.code).toBe(0);
    const held = await heldApply();
    const theirs = JSON.stringify(change(JSON.parse(place.read("terraform.tfstate")) as State));
    place.write("terraform.tfstate", theirs);
    held.child.kill("SIGTERM");
    await held.wrote("err", "A second signal exits immediately.");
    held.child.kill("SIGTERM");
    const { code, err } = await held.ended;
    expect(code).not.toBe(0);
    expect(place.read("terraform.tfstate")).toBe(theirs);
    expect(err).not.toContain("Internal error");
    expect(place.read("terraform.tfstate.journal")).toContain("steward_job_token_allowlist");
  });
});

interface State {
  readonly serial: number;
  readonly lineage: string;
}
