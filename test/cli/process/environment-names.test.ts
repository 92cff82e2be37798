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

test("an environment whose live name is not in normalization form C is no declared one, is left out by adopt and told by coverage", async () => {
  const protectedAs = NAMES.combining;
  await fetch(`${place.service.url}${AT}`, {
    method: "POST",
    headers: { "private-token": place.service.adminToken, "content-type": "application/json" },
    body: JSON.stringify({ name: protectedAs, deploy_access_levels: [{ access_level: 40 }] }),
  });
  declare([40], { combining: protectedAs, dot: NAMES.dot });
  const planned = await run("plan", "--import-existing", "--access");
  expect(planned).toMatchObject({ code: 1 });
  expect(planned.out).toContain("Plan: 1 to add, 0 to change");
  expect(planned.err).toContain("Error: The live name can't be declared");
  expect(planned.err).toContain(
    'On the service the name is "o\\u{308}l"; a configuration can only say "\\u{f6}l"',
  );

  const drift = await run("drift", "--coverage");
  expect(drift).toMatchObject({ code: 2 });
  expect(drift.out).toContain("# (a declaration would be refused: It contains text that is not in Unicode's");
  expect(drift.out).not.toContain("steward import steward_protected_environment");

  const adopted = await place.run(["adopt", PROJECT, "--out", "adopted"], {
    STEWARD_TOKEN: TOKENS.maintainer,
  });
  expect(adopted).toMatchObject({ code: 0 });
  expect(adopted.out).toContain(`${PROJECT}: protected environment "${protectedAs}": It contains text`);
});
