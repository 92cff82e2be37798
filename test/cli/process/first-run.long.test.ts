import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ESTATE_TOKENS, estate, OBJECTS_A_PROJECT } from "../../adopt/groups/estate";
import { synthesize } from "../../adopt/support/synthesize";
import { runs } from "../../support/capabilities";
import { usePlace } from "../support/place";

// Ten times the duration on an idle machine: the test measures requests, not time.
jest.setTimeout(1_800_000);

// docs/first-estate.md: from nothing to an app and an empty plan, with a token that only reads.

const PROJECTS = runs(15, 100);
const OBJECTS = PROJECTS * OBJECTS_A_PROJECT;
/** Requests of one adoption or plan: 7 for each project, and 20 for the search, users and groups. */
const BUDGET = 7 * PROJECTS + 20;

const place = usePlace("all", estate(PROJECTS));

const env = { STEWARD_TOKEN: ESTATE_TOKENS.reader };
function requests(): number {
  const { all } = place.service.requests;
  expect(all.filter(({ method }) => method !== "GET")).toEqual([]);
  const count = all.length;
  place.service.requests.reset();
  return count;
}
/** A command in the folder of the app, which was synthesized in this process: its state would be in this folder. */
const inApp = (...args: string[]) =>
  place.runIn(
    "infra",
    [...args, "--app", 'cp -R ../synthesized/. "$CDKTF_OUTDIR"', "--state", "terraform.tfstate"],
    env,
  );

test(`${PROJECTS} manually configured projects become an app with an empty plan, without a write`, async () => {
  const looked = await place.runIn(".", ["drift", "--coverage", "--group", "estate", "--json"], env);
  // The token's user is a Maintainer: only Owners read the invitations of the group, which is a finding of coverage.
  expect(looked.code).toBe(2);
  expect(requests()).toBeLessThanOrEqual(BUDGET);

  const adopted = await place.run(["adopt", "estate", "--out", "infra"], env);
  expect(adopted.code).toBe(0);
  expect(adopted.out).toContain(`Adopted ${OBJECTS} objects of ${PROJECTS} projects and 1 group into infra.`);
  expect(adopted.out).toContain(runs(": it is archived", ": they are archived"));
  expect(requests()).toBeLessThanOrEqual(BUDGET);

  const folder = path.join(place.folder, "infra");
  const files = readdirSync(folder)
    .filter((name) => !name.startsWith(".steward"))
    .map((name) => ({ path: name, text: readFileSync(path.join(folder, name), "utf8") }));
  synthesize(files, path.join(place.folder, "synthesized"));

  const planned = await inApp("plan");
  expect(planned).toMatchObject({ code: 0 });
  expect(planned.out).toContain(`Plan: ${OBJECTS} to import, 0 to add, 0 to change, 0 to destroy.`);
  // Without a state, each path of a project is looked up. The first import of a type in a project does not know that
  // others follow. So one environment and one invitation may be read before their lists.
  expect(requests()).toBeLessThanOrEqual(BUDGET + 3 * PROJECTS);

  const applied = await inApp("apply", "--auto-approve");
  expect(applied.code).toBe(0);
  requests();
  expect((await inApp("plan", "--detailed-exitcode")).code).toBe(0);
  expect(requests()).toBeLessThanOrEqual(BUDGET);

  const again = await place.run(["adopt", "estate", "--out", "infra"], env);
  expect(again.code).toBe(0);
  expect(again.out).toContain(": no file changed.");
});
