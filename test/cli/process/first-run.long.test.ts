import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ESTATE_TOKENS, estate, OBJECTS_A_PROJECT } from "../../adopt/groups/estate";
import { synthesize } from "../../adopt/support/synthesize";
import { runs } from "../../support/capabilities";
import { usePlace } from "../support/place";

// The timeout is ten times the duration on an idle machine. The speed does not matter, because the test counts requests.
jest.setTimeout(1_800_000);

// The test runs the commands of docs/first-estate.md with a read-only token, from an empty folder to an app with an empty
// plan.

const PROJECTS = runs(15, 100);
const OBJECTS = PROJECTS * OBJECTS_A_PROJECT;
/**
 * The maximum number of requests of an adoption or of a plan: 7 for each project, and 20 for the search, users and groups.
 */
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
/**
 * Runs a command in the folder of the app, which contains the state. The app of the command is a shell script that copies
 * the configuration from `synthesized`.
 */
const inApp = (...args: string[]) =>
  place.runIn(
    "infra",
    [...args, "--app", 'cp -R ../synthesized/. "$CDKTF_OUTDIR"', "--state", "terraform.tfstate"],
    env,
  );

test(`after an apply of the app that adopt wrote for ${PROJECTS} manually configured projects, the next plan is empty`, async () => {
  const looked = await place.runIn(".", ["drift", "--coverage", "--group", "estate", "--json"], env);
  // Coverage exits with 2, because it could not check everything: only Owners can read the group's invitations, and the
  // token's user is a Maintainer.
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
  // Without a state, the run looks up the path of each project. At the first import of a type, the run does not know that
  // more imports follow. It may therefore read one environment and one invitation before it reads their lists.
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
