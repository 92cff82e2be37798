import * as fc from "fast-check";
import { createProvider } from "../../../src/provider";
import { runs, seed } from "../../support/capabilities";
import { changesOf } from "../support/declarations";
import { Host } from "../support/host";
import { startWorld, TOKEN } from "../support/world";

// Whatever an environment's declaration becomes, there is no moment in which anybody could deploy: every request of
// the change is watched, and the live environment is looked at before and after each.

const TYPE = "steward_protected_environment";
const TIMEOUT = runs(60_000, 900_000);
const provider = createProvider();

interface Live {
  readonly deploy_access_levels: readonly Entry[];
  readonly approval_rules: readonly Entry[];
}
interface Entry {
  readonly id: number;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly access_level: number | null;
}

const who = ({ user_id, group_id, access_level }: Entry) =>
  user_id === null && group_id === null ? `level ${access_level}` : `user ${user_id} group ${group_id}`;
const idsByWho = (entries: readonly Entry[]) => new Map(entries.map((entry) => [who(entry), entry.id]));

/** Whoever is named before and after keeps the same record. */
function expectSameRecords(before: readonly Entry[], after: readonly Entry[]): void {
  const ids = idsByWho(after);
  for (const [name, id] of idsByWho(before))
    if (ids.has(name)) expect({ name, id: ids.get(name) }).toEqual({ name, id });
}

const declarations = fc
  .tuple(changesOf(provider, TYPE), changesOf(provider, TYPE))
  .map(([{ config }, other]) => ({
    first: config,
    next: { ...other.config, project: config["project"]!, name: config["name"]! },
  }));

test(
  "an environment is protected at every moment of a change, and who stays keeps the same record",
  async () => {
    await fc.assert(
      fc.asyncProperty(declarations, async ({ first, next }) => {
        const world = await startWorld(undefined, provider);
        try {
          const host = new Host(world, TYPE);
          const state = await host.bring(undefined, first);
          const place = `/projects/1/protected_environments/${encodeURIComponent(String(first["name"]))}`;
          const look = () => world.http("GET", place) as Promise<Live>;
          const before = await look();

          const moments: Promise<Live>[] = [];
          const sent: string[] = [];
          const run = world.connect(TOKEN.maintainer, {
            onRequest(event) {
              if (event.kind === "sent") sent.push(event.method);
              moments.push(look());
            },
          });
          const { diagnostics } = await host.apply(await host.plan(state, next, run), run);
          expect(diagnostics).toEqual([]);

          // One that is not protected would answer 404, and fail the look.
          for (const { deploy_access_levels } of await Promise.all(moments)) {
            expect(deploy_access_levels).not.toEqual([]);
          }
          expect(sent.filter((method) => method !== "GET" && method !== "PUT")).toEqual([]);
          expect(sent.filter((method) => method === "PUT").length).toBeLessThanOrEqual(1);
          const after = await look();
          expectSameRecords(before.deploy_access_levels, after.deploy_access_levels);
          expectSameRecords(before.approval_rules, after.approval_rules);
        } finally {
          await world.close();
        }
      }),
      { seed, numRuns: runs(8, 300), endOnFailure: true },
    );
  },
  TIMEOUT,
);
