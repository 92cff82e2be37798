import { TOKENS, usePlace } from "../support/place";

// Environment names are arbitrary text: dots, slashes, spaces, percent signs, letters of all scripts.

jest.setTimeout(120_000);

const NAMES = {
  dot: "release.v1.json",
  dots: "..",
  end: "trailing.",
  slash: "review/feature",
  space: "on a ship",
  percent: "100% %2F",
  hash: "a#b",
  query: "a?b=c&d;e+f",
  umlauts: "münchen",
  combining: "o\u0308l",
  emoji: "\u{1f680}\u{1f468}\u200d\u{1f469}",
  colon: "a:b",
};
/** As in the state: engines normalize combining characters. */
const normal = (name: string): string => name.normalize("NFC");
const PROJECT = "acme/shop";
const AT = `/api/v4/projects/acme%2Fshop/protected_environments`;

const place = usePlace("all");

const declare = (levels: readonly number[], names: Readonly<Record<string, string>> = NAMES) =>
  place.write("main.tf.json", {
    terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
    resource: {
      steward_protected_environment: Object.fromEntries(
        Object.entries(names).map(([key, name]) => [
          key,
          // A literal percent sign before a brace would start a template.
          { project: PROJECT, name, deploy_access_levels: levels.map((access_level) => ({ access_level })) },
        ]),
      ),
    },
  });
const run = (command: string, ...more: readonly string[]) =>
  place.run([command, "--config", ".", ...more], { STEWARD_TOKEN: TOKENS.maintainer });
const live = async (): Promise<
  readonly { name: string; deploy_access_levels: { access_level: number }[] }[]
> =>
  (await (
    await fetch(`${place.service.url}${AT}?per_page=100`, {
      headers: { "private-token": place.service.adminToken },
    })
  ).json()) as never;

test("environments with arbitrary names are created, unchanged, updated, drifted and destroyed", async () => {
  declare([40]);
  expect(await run("apply", "--auto-approve")).toMatchObject({ code: 0 });
  expect((await live()).map(({ name }) => name).sort()).toEqual(Object.values(NAMES).map(normal).sort());
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });

  declare([30, 40]);
  const changed = await run("apply", "--auto-approve");
  expect(changed).toMatchObject({ code: 0 });
  expect(changed.out).toContain("0 added, 12 changed, 0 destroyed");
  for (const { deploy_access_levels } of await live()) expect(deploy_access_levels).toHaveLength(2);
  expect(await run("drift")).toMatchObject({ code: 0 });

  // The two most difficult names: a parent path, and an invalid percent-encoding.
  for (const name of ["review%2Ffeature", "100%25%20%252F"]) {
    const { status } = await fetch(`${place.service.url}${AT}/${name}`, {
      method: "DELETE",
      headers: { "private-token": place.service.adminToken },
    });
    expect(status).toBe(204);
  }
  const drift = await run("drift");
  expect(drift.code).toBe(2);
  expect(drift.out).toContain("steward_protected_environment.slash is gone from the service");
  expect(drift.out).toContain("steward_protected_environment.percent is gone from the service");
  expect(drift.out).toContain("Drift: 0 changed, 2 vanished");

  expect(await run("destroy", "--auto-approve")).toMatchObject({ code: 0 });
  expect(await live()).toEqual([]);
});

test("an environment with an arbitrary name is imported by the name in its id", async () => {
  declare([40]);
  await run("apply", "--auto-approve");
  for (const [key, name] of Object.entries(NAMES)) {
    const address = `steward_protected_environment.${key}`;
    await place.run(["state", "rm", "--config", ".", address], {});
    const imported = await place.run(["import", "--config", ".", address, `${PROJECT}:${normal(name)}`], {
      STEWARD_TOKEN: TOKENS.maintainer,
    });
    expect({ name, ...imported }).toMatchObject({ name, code: 0 });
  }
  expect(await run("plan", "--detailed-exitcode")).toMatchObject({ code: 0 });
  expect(await run("destroy", "--auto-approve")).toMatchObject({ code: 0 });
});
