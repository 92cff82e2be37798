import { rmSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { runs, seed } from "../../support/capabilities";
import { CONFIGURATION, type Place, usePlace } from "../support/place";

// Three settings of a project. An app declares these settings, and people change them by hand.
interface Settings {
  /** The deploy levels; undefined if the environment is not declared or not protected. */
  readonly levels?: readonly number[] | undefined;
  readonly targets?: readonly number[] | undefined;
  readonly limit?: boolean | undefined;
}
type Name = keyof Settings;

const TARGETS = ["acme/tools", "acme/docs"];
const levels = fc.option(fc.constantFrom([30], [40], [30, 40]), { nil: undefined, freq: 3 });
const targets = fc.option(fc.constantFrom([], [2], [3], [2, 3]), { nil: undefined, freq: 3 });
const limit = fc.option(fc.boolean(), { nil: undefined, freq: 3 });
const app = fc.record({ levels, targets, limit });
const byHand = fc.array(
  fc.oneof(
    fc.record({ levels: fc.constantFrom(undefined, [30], [40], [30, 40]) }),
    fc.record({ targets: fc.constantFrom([], [2], [3], [2, 3]) }),
    fc.record({ limit: fc.boolean() }),
  ),
  { maxLength: 3 },
);

function declare(place: Place, { levels, targets, limit }: Settings): void {
  const project = "acme/shop";
  const resource = {
    ...(limit !== undefined && { steward_job_token_scope: { limit: { project, inbound_enabled: limit } } }),
    ...(targets !== undefined && {
      steward_job_token_allowlist: {
        targets: { project, target_projects: targets.map((id) => TARGETS[id - 2]) },
      },
    }),
    ...(levels !== undefined && {
      steward_protected_environment: {
        levels: {
          project,
          name: "production",
          deploy_access_levels: levels.map((access_level) => ({ access_level })),
        },
      },
    }),
  };
  place.write("main.tf.json", { ...CONFIGURATION, resource, output: {} });
}

const get = async (place: Place, path: string): Promise<unknown> => {
  const headers = { "private-token": place.env["STEWARD_TOKEN"]! };
  const response = await fetch(`${place.service.url}/api/v4/projects/1/${path}`, { headers });
  return response.ok ? response.json() : undefined;
};

async function live(place: Place): Promise<Record<Name, unknown>> {
  const environment = (await get(place, "protected_environments/production")) as
    | { deploy_access_levels: { access_level: number }[] }
    | undefined;
  const scope = (await get(place, "job_token_scope")) as { inbound_enabled: boolean };
  const allowed = (await get(place, "job_token_scope/allowlist")) as { id: number }[];
  return {
    levels: environment?.deploy_access_levels.map(({ access_level }) => access_level).sort(),
    targets: allowed.map(({ id }) => id).filter((id) => id !== 1),
    limit: scope.inbound_enabled,
  };
}

async function change(place: Place, { levels, targets, limit, ...rest }: Settings): Promise<void> {
  const project = "/projects/1";
  if (limit !== undefined) await place.byHand("PATCH", `${project}/job_token_scope`, { enabled: limit });
  for (const id of targets === undefined ? [] : [2, 3])
    await (targets!.includes(id)
      ? place.byHand("POST", `${project}/job_token_scope/allowlist`, { target_project_id: id })
      : place.byHand("DELETE", `${project}/job_token_scope/allowlist/${id}`));
  if (limit !== undefined || targets !== undefined) return;
  await place.byHand("DELETE", `${project}/protected_environments/production`);
  const deploy_access_levels = levels?.map((access_level) => ({ access_level }));
  if (levels !== undefined)
    await place.byHand("POST", `${project}/protected_environments`, {
      name: "production",
      deploy_access_levels,
      ...rest,
    });
}

/** Live settings before the first apply. In each element, one object of the app is missing or different. */
const FRESH: readonly Settings[] = [{ levels: undefined }, { targets: [] }, { limit: false }];

const place = usePlace("all");

const HERE = ["--config", "."];
const FILE = "changes.json";
const ADDRESSES: Readonly<Record<Name, string>> = {
  levels: "steward_protected_environment.levels",
  targets: "steward_job_token_allowlist.targets",
  limit: "steward_job_token_scope.limit",
};

test(
  "if live settings or the code change after the approval, apply --approved makes no unapproved change",
  async () => {
    const outcomes = { refused: 0, written: 0 };
    await fc.assert(
      fc.asyncProperty(
        app,
        app,
        byHand,
        app,
        fc.boolean(),
        async (applied, approved, hands, later, isEdited) => {
          rmSync(path.join(place.folder, "terraform.tfstate"), { force: true });
          for (const one of FRESH) await change(place, one);
          declare(place, applied);
          await place.run(["apply", "--auto-approve", ...HERE]);
          declare(place, approved);
          const planned = await place.run(["plan", "--out-approval", FILE, ...HERE]);
          const digest = /^Digest: (\w+)$/m.exec(planned.out)?.[1];
          if (digest === undefined) throw new Error(planned.err);
          const before = await live(place);
          for (const one of hands) await change(place, one);
          if (isEdited) declare(place, later);
          const found = await live(place);
          place.service.requests.reset();
          const { code } = await place.run(["apply", "--approved", FILE, "--digest", digest, ...HERE]);
          const writes = place.service.requests.all.filter(({ method }) => method !== "GET");
          const after = await live(place);
          if (code === 1) {
            outcomes.refused++;
            expect(writes).toEqual([]);
          }
          if (writes.length > 0) outcomes.written++;
          const listed = new Map(
            (JSON.parse(place.read(FILE)) as { changes: { address: string }[] }).changes.map((one) => [
              one.address,
              one,
            ]),
          );
          for (const name of Object.keys(ADDRESSES) as Name[]) {
            if (JSON.stringify(after[name]) === JSON.stringify(found[name])) continue;
            // The apply may change a setting only if the approval lists the setting. The live value must also be equal to
            // the earlier value in the approval.
            expect(listed.has(ADDRESSES[name])).toBe(true);
            if (approved[name] !== undefined) expect(after[name]).toEqual(approved[name]);
            expect(found[name]).toEqual(before[name]);
          }
          if (code === 0)
            for (const [name, address] of Object.entries(ADDRESSES) as [Name, string][])
              if (listed.has(address) && approved[name] !== undefined)
                expect(after[name]).toEqual(approved[name]);
        },
      ),
      { numRuns: runs(5, 150), seed },
    );
    // Without these checks, the test would also pass if the command refused every approval, or if no case required a
    // refusal.
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(outcomes.written).toBeGreaterThan(0);
  },
  runs(60_000, 600_000),
);
