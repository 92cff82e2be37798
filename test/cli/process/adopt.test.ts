import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { odd } from "../../adopt/groups/odd";
import { TOKENS as PEOPLE_TOKENS } from "../../adopt/groups/people";
import { webShop } from "../../adopt/groups/web-shop";
import { openPlace, type Place } from "../support/place";

jest.setTimeout(120_000);

let place: Place;
afterEach(() => place.close());

const reader = { STEWARD_TOKEN: PEOPLE_TOKENS.reader };
/** Returns the texts of the files that the adoption wrote, by name. */
const adopted = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path.join(place.folder, "infra"), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(path.join(place.folder, "infra", name), "utf8")]),
  );

const GROUPS = [
  ["web-shop", "shop", webShop],
  ["odd", "odd", odd],
] as const;

test.each(GROUPS)(
  "after adopt of the sample %s as JSON, the plan contains only imports",
  async (_, group, fixture) => {
    place = await openPlace(fixture);
    const adopt = ["adopt", group, "--include-subgroups", "--out", "infra", "--format", "json"];
    expect(await place.run(adopt, reader)).toMatchObject({ code: 0, err: "" });
    const { resource } = JSON.parse(place.read("infra/main.tf.json"));
    const count = Object.values<object>(resource).flatMap(Object.keys).length;
    const planned = await place.run(["plan", "--config", "infra"], reader);
    expect(planned).toMatchObject({ code: 0, err: "" });
    expect(planned.out).toContain(`Plan: ${count} to import, 0 to add, 0 to change, 0 to destroy.`);
    const applied = await place.run(["apply", "--auto-approve", "--config", "infra"], reader);
    expect(applied).toMatchObject({ code: 0, err: "" });
    expect((await place.run(["plan", "--detailed-exitcode", "--config", "infra"], reader)).code).toBe(0);
    const drift = await place.run(["drift", "--coverage", "--config", "infra"], reader);
    expect({ code: drift.code, out: drift.out }).toMatchObject({ code: 0 });
    const before = adopted();
    expect(JSON.stringify(before)).not.toContain(PEOPLE_TOKENS.reader);
    const again = await place.run(adopt, reader);
    expect(again).toMatchObject({ code: 0, err: "" });
    expect(again.out).toContain(": no file changed.");
    expect(adopted()).toEqual(before);
    expect(place.service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  },
);

test("if a signal stops adopt, adopt writes no file", async () => {
  place = await openPlace();
  const begun = place.begin(["adopt", "acme", "--out", "infra", "--format", "hcl"], { STEWARD_LOG: "debug" });
  await begun.wrote("GET /groups/acme");
  begun.interrupt();
  expect((await begun.ended).code).toBe(1);
  expect(existsSync(path.join(place.folder, "infra"))).toBe(false);
});
