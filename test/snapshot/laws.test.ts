import fc from "fast-check";
import { runs } from "../support/capabilities";
import { ORIGINAL } from "./support/names";
import { readOnlyToken, snapshotOf, withService } from "./support/snapshots";
import { selected, world } from "./support/worlds";

jest.setTimeout(600_000);

const RUNS = { numRuns: runs(3, 200) };
const compat = fc.constantFrom("strict", "observed" as const);

test("a service that starts from a snapshot gives the same snapshot, byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(world, selected, compat, async (fixture, { names, ...selection }, mode) => {
      const original = await withService(fixture, (service) => snapshotOf(service, names, selection), {
        compat: mode,
      });
      const again = await withService(original.text, (copy) => snapshotOf(copy, names, selection), {
        compat: mode,
      });
      expect(again.text).toBe(original.text);
    }),
    RUNS,
  );
});

test("a service that starts from an anonymized snapshot gives the same snapshot, without any original name", async () => {
  await fc.assert(
    fc.asyncProperty(world, selected, compat, async (fixture, { names, ...selection }, mode) => {
      const { text } = await withService(
        fixture,
        (service) => snapshotOf(service, names, { ...selection, anonymize: true }),
        { compat: mode },
      );
      expect(ORIGINAL.exec(text)).toBeNull();
      const again = await withService(text, (copy) => snapshotOf(copy, names, selection), {
        compat: mode,
      });
      expect(again.text).toBe(text);
    }),
    RUNS,
  );
});

test("a service that starts from the snapshot of a Maintainer's read-only token gives the same snapshot", async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      selected,
      compat,
      fc.boolean(),
      async (fixture, { names, ...selection }, mode, anonymize) => {
        const [first, ...users] = fixture.users!;
        const maintained = {
          ...fixture,
          users: [{ ...first!, state: "active" as const }, ...users],
          groups: fixture.groups!.map((group) => ({
            ...group,
            members: [
              { user: first!.username, role: "maintainer" as const },
              ...(group.members ?? []).filter(({ user }) => user !== first!.username),
            ],
          })),
        };
        const original = await withService(
          maintained,
          async (service) =>
            snapshotOf(service, names, {
              ...selection,
              anonymize,
              token: await readOnlyToken(service, first!.username),
            }),
          { compat: mode },
        );
        expect(original.notes.filter(({ kind }) => kind !== "unavailable")).toEqual([]);
        const { username } = original.data.users.find(({ id }) => id === first!.id)!;
        const again = await withService(
          original.text,
          async (copy) =>
            snapshotOf(copy, names, { ...selection, token: await readOnlyToken(copy, username) }),
          { compat: mode },
        );
        expect(again.text).toBe(original.text);
      },
    ),
    RUNS,
  );
});
