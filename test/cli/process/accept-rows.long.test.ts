import { readdirSync } from "node:fs";
import path from "node:path";
import { linkPackages } from "../../acceptance/support/own-project";
import { alike } from "../../adopt/groups/alike";
import { TOKENS } from "../../adopt/groups/people";
import { useQuickApps } from "../../support/apps/quick-apps";
import { usePlace } from "../support/place";

// `adopt` declares most projects in loops over tables. The tests check that `drift --accept` edits the row of the project
// that drifted.

jest.setTimeout(600_000);
useQuickApps();

const place = usePlace("all", alike);
const steward = async (...args: string[]) => {
  const ended = await place.runIn("infra", args, { STEWARD_TOKEN: TOKENS.owner });
  return { ...ended, text: ended.out + ended.err };
};
const byHand = async (method: string, project: string, rest: string, body?: object) => {
  const route = `/projects/${encodeURIComponent(project)}${rest}`;
  expect(await place.byHand(method, route, body, TOKENS.owner)).toBeLessThan(300);
};
const sources = () =>
  new Map(
    readdirSync(path.join(place.folder, "infra"))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [name, place.read(`infra/${name}`).split("\n")]),
  );
/** Returns the new lines of the app, by file. */
const added = (before: ReadonlyMap<string, readonly string[]>) =>
  Object.fromEntries(
    [...sources()]
      .map(([name, lines]) => [name, lines.filter((line) => !before.get(name)!.includes(line))] as const)
      .filter(([, lines]) => lines.length > 0),
  );

beforeAll(async () => {
  const adopted = await place.run(
    ["adopt", "alike", "--include-subgroups", "--out", "infra", "--include-emails"],
    { STEWARD_TOKEN: TOKENS.owner },
  );
  expect(adopted.code).toBe(0);
  linkPackages(path.join(place.folder, "infra"));
  expect((await steward("apply", "--auto-approve")).code).toBe(0);
});

test("drift --accept writes the live value of each drifted project into the project's row of the code", async () => {
  await byHand("PATCH", "alike/mobile/api", "/job_token_scope", { enabled: false });
  await byHand("PATCH", "alike/payments/api", "/job_token_scope", { enabled: false });
  await byHand("DELETE", "alike/search/web", "/protected_environments/staging");
  await byHand("POST", "alike/search/web", "/protected_environments", {
    name: "staging",
    deploy_access_levels: [{ access_level: 40 }],
  });
  const before = sources();
  const synthesized = place.read("infra/cdktf.out/stacks/alike/cdk.tf.json");
  const line = before.get("mobile.ts")!.findIndex((one) => one.includes('"alike/mobile/api": [')) + 1;
  expect(synthesized).toContain(`"position": "mobile.ts:${line}"`);
  const accepted = await steward("drift", "--accept", "--yes", "--allow-loosening");
  expect(accepted.text).not.toContain("Left in the code");
  expect(added(before)).toEqual({
    "mobile.ts": ['    "alike/mobile/api": [{ inboundEnabled: false }],'],
    "payments.ts": [expect.stringContaining('"alike/payments/api": [{ inboundEnabled: false }]')],
    "search.ts": expect.arrayContaining([expect.stringContaining("alike/search/web")]),
  });
  expect((await steward("apply", "--auto-approve")).code).toBe(0);
  expect((await steward("plan", "--detailed-exitcode")).text).toContain("No changes");
});

test("if a project's row in the code contains a spread `...`, drift --accept leaves the row unchanged", async () => {
  const [file, row] = ["infra/mobile.ts", '"alike/mobile/web": ['];
  const text = place.read(file);
  expect(text).toContain(row);
  place.write(file, text.replace(row, `${row}...[], `));
  await byHand("PATCH", "alike/mobile/web", "/job_token_scope", { enabled: false });
  const before = sources();
  const accepted = await steward("drift", "--accept", "--yes", "--allow-loosening");
  expect(accepted.text).toContain("the layers of alike/mobile/web come from a spread or a call");
  expect(added(before)).toEqual({});
});
